"""The part of the form of a new game that says who sits where: one's own seat, members asked, bots."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.accounts.models import User
from games.clubs.models import Club
from games.clubs.queries import members
from games.rules.encoding import SEAT_LETTERS

MOST_SEATS = 12
SHOWN_SEATS = 4
"""Seats that are not folded away: most tables have no more."""
BOT = "a bot"  # no username has a space


@dataclass(frozen=True, slots=True)
class Seating:
    """Who is to sit where: the proposer, the members for whom seats are kept, the seats of bots."""

    own: int
    invited: dict[int, User] = field(default_factory=dict)
    bots: set[int] = field(default_factory=set)


class SeatsForm(forms.Form):
    """Each seat free, kept for a member of the club, or a bot's."""

    own_seat = forms.TypedChoiceField(
        label=_("Your own seat"),
        coerce=int,
        required=False,
        choices=[(number, SEAT_LETTERS[number]) for number in range(MOST_SEATS)],
        initial=0,
        help_text=_("Seats next to each other play against each other."),
        error_messages={"invalid_choice": _("Choose a seat in the list.")},
    )

    def __init__(
        self,
        club: Club,
        proposer: User,
        data: Mapping[str, Any] | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        others = [m.user for m in members(club) if m.user_id != proposer.pk]
        self.by_username = {user.username: user for user in others}
        choices = [
            ("", _("free for every member")),
            (BOT, _("a bot")),
            *((user.username, user.get_full_name()) for user in others),
        ]
        for number in range(MOST_SEATS):
            self.fields[f"seat_{number}"] = forms.ChoiceField(
                label=gettext("Seat %(letter)s") % {"letter": SEAT_LETTERS[number]},
                choices=choices,
                required=False,
                error_messages={"invalid_choice": _("Choose a member of the club, a bot, or nobody.")},
            )

    def seats_shown(self, seats: int) -> tuple[list[forms.BoundField], list[forms.BoundField]]:
        """Return the fields to show at a table of so many seats, and those to fold away."""
        fields = [self[f"seat_{number}"] for number in range(MOST_SEATS)]
        shown = max(seats, SHOWN_SEATS)
        rest = fields[shown:]
        if any(bound.errors or bound.value() for bound in rest):
            return [self["own_seat"], *fields], []
        return [self["own_seat"], *fields[:shown]], rest

    @property
    def is_changed(self) -> bool:
        """Whether somebody has a seat of their own: then the seats are not folded away."""
        return bool(self.errors) or any(str(bound.value() or "") not in ("", "0") for bound in self)

    def seating(self, seats: int, bots: int) -> Seating | None:
        """Return who sits where, with `bots` more in free seats; None if the table has no such seats."""
        own = self.cleaned_data["own_seat"] or 0
        asked = {n: self.cleaned_data[f"seat_{n}"] for n in range(MOST_SEATS) if n != own}
        named = {number: text for number, text in asked.items() if text}
        if own >= seats:
            self.add_error("own_seat", gettext("The table has no such seat: choose another."))
        names = [text for text in named.values() if text != BOT]
        for number, text in named.items():
            if number >= seats:
                self.add_error(f"seat_{number}", gettext("The table has no such seat."))
            elif text != BOT and names.count(text) > 1:
                self.add_error(f"seat_{number}", gettext("Each member has one seat only."))
        if self.cleaned_data[f"seat_{own}"]:
            self.add_error(f"seat_{own}", gettext("This seat is your own: leave it free here."))
        if self.errors:
            return None
        sat = {number for number, text in named.items() if text == BOT}
        free = [number for number in range(seats) if number != own and number not in named]
        invited = {number: self.by_username[text] for number, text in named.items() if text != BOT}
        return Seating(own, invited, sat | set(free[:bots]))
