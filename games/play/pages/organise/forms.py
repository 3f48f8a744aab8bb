"""The forms in which an organiser says what is to happen in a game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.accounts.models import User
from games.clubs.queries import members
from games.play.models import Game, Status
from games.play.queries import Seen
from games.play.services.organising import WITH_REASON
from games.play.telling.house_rules import EXPIRY
from games.play.telling.spoken import team_word
from games.play.telling.words import player_name

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Deed:
    """Something an organiser may do: what it is, what it does, and the word on its last button."""

    title: Words
    effect: Words
    button: Words
    told: Words


DEEDS: dict[str, Deed] = {
    "resume": Deed(
        _("Let the clock go on"),
        _("The clock of the present turn runs again from now on (R23)."),
        _("Yes, let the clock go on"),
        _("The clock runs again."),
    ),
    "offer": Deed(
        _("Ask a member to take a seat over"),
        _("The member gets a mail and may accept or decline. Until then nothing changes (R21)."),
        _("Yes, ask by mail"),
        _("The member is asked by mail."),
    ),
    "replace": Deed(
        _("Give a seat to another member at once"),
        _("The other member has the seat from now on, with its cards. Who had it is out of the game (R21)."),
        _("Yes, give the seat"),
        _("The seat has a new player."),
    ),
    "expire": Deed(
        _("End the turn that takes too long"),
        _("What the table agreed on for this case happens now (R22)."),
        _("Yes, end the turn"),
        _("The turn is over."),
    ),
    "table_talk": Deed(
        _("Call table talk on a team"),
        _("Every player of the team owes one card of their own choice, which is not replaced (R17)."),
        _("Yes, call table talk"),
        _("Table talk is called; the players are told by mail."),
    ),
    "pause": Deed(
        _("Stop the clock"),
        _("Nobody's time runs until an organiser lets the clock go on (R23)."),
        _("Yes, stop the clock"),
        _("The clock stands."),
    ),
    "rule": Deed(
        _("Rule a result"),
        _("The game is over with this result (R23)."),
        _("Yes, end the game with this result"),
        _("The result is ruled; the players are told by mail."),
    ),
    "annul": Deed(
        _("Annul the game"),
        _("The game is over and counts for nothing. This cannot be taken back (R23)."),
        _("Yes, annul the game"),
        _("The game is annulled; the players are told by mail."),
    ),
}
REASON = {
    "required": _("Say why: the members will ask. One sentence is enough."),
    "max_length": _("At most %(limit_value)d letters, please: it has %(show_value)d now."),
}


def deeds_for(seen: Seen) -> list[str]:
    """Return what may be done in a game as it stands."""
    game, view = seen.game, seen.view
    if view is None:
        return []
    if game.status != Status.ACTIVE:
        return ["annul"] if game.status == Status.FINISHED else []
    unfit = {"pause", "expire"} if game.is_paused else {"resume"}
    if game.expiry == "ask":
        # To end the turn would only stop the clock, and that has a form of its own.
        unfit.add("expire")
    if view.ruleset.table_talk != "penalty":
        unfit.add("table_talk")
    return [deed for deed in DEEDS if deed not in unfit]


def effect_of(deed: str, game: Game) -> str:
    """Return what a deed does in this game, in a sentence or two."""
    effect = str(DEEDS[deed].effect)
    if deed != "expire":
        return effect
    return gettext("%(effect)s Agreed on: %(policy)s.") % {"effect": effect, "policy": EXPIRY[game.expiry]}


class RulingForm(forms.Form):
    """The fields that a deed needs; `data` of the form is what `rule_game` takes."""

    def __init__(self, deed: str, seen: Seen, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, auto_id=f"{deed}_%s")
        self.deed = deed
        self.by_username: dict[str, User] = {}
        if deed in ("offer", "replace"):
            self._add_seat(seen)
            self._add_member(seen)
        if deed in ("table_talk", "rule"):
            self._add_team(seen)
        if deed in WITH_REASON:
            self.fields["reason"] = forms.CharField(
                label=_("Why?"),
                max_length=2000,
                widget=forms.Textarea(attrs={"rows": "3"}),
                help_text=_("Kept with the game, and read by its players."),
                error_messages=REASON,
            )

    def _add_seat(self, seen: Seen) -> None:
        places = [place for place in seen.places if place.is_active]
        self.fields["seat"] = forms.ChoiceField(
            label=_("Which seat?"),
            choices=[
                (
                    place.letter,
                    gettext("%(seat)s: %(player)s") % {"seat": place.letter, "player": player_name(place)},
                )
                for place in places
            ],
            initial=next((place.letter for place in places if place.number == seen.game.turn_seat), None),
            error_messages={"invalid_choice": _("Choose a seat that is in the game.")},
        )

    def _add_member(self, seen: Seen) -> None:
        seated = {place.member_id for place in seen.places if place.is_active}
        free = [m.user for m in members(seen.game.club) if m.user_id not in seated]
        self.by_username = {user.username: user for user in free}
        self.fields["member"] = forms.ChoiceField(
            label=_("To whom?"),
            choices=[("", _("choose a member")), *((user.username, user.get_full_name()) for user in free)],
            error_messages={
                "required": _("Choose the member who is to take the seat over."),
                "invalid_choice": _("Choose a member of the club who has no seat in this game."),
            },
        )

    def _add_team(self, seen: Seen) -> None:
        names = () if seen.view is None else seen.view.ruleset.team_names
        teams = [(name, team_word(name)) for name in names]
        if self.deed == "rule":
            self.fields["winner"] = forms.ChoiceField(
                label=_("Who wins?"),
                choices=[("", _("choose")), *teams, ("draw", _("nobody: a draw"))],
                error_messages={"required": _("Choose who wins, or a draw.")},
            )
        else:
            self.fields["team"] = forms.ChoiceField(
                label=_("Which team talked?"),
                choices=[("", _("choose")), *teams],
                error_messages={"required": _("Choose the team that talked about its cards.")},
            )

    @property
    def member(self) -> User | None:
        """The member who was chosen."""
        return self.by_username.get(str(self.cleaned_data.get("member", "")))

    def request(self) -> dict[str, Any]:
        """Return the request of an organiser as plain data."""
        return {"act": self.deed, **{n: v for n, v in self.cleaned_data.items() if n != "member"}}

    def told(self) -> list[tuple[str, str]]:
        """Return what was filled in, each field with the words of its value."""
        found = []
        for bound in self:
            value = str(self.cleaned_data[bound.name])
            choices = dict(getattr(bound.field, "choices", []))
            found.append((str(bound.label), str(choices.get(value, value))))
        return found
