"""What the pages of games show: views and rows turned into words and pictures."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from games.accounts.models import User
from games.play.catalogue import DEAL_REVEALED
from games.play.models import Game, Seat, Status
from games.play.presenting import team_name
from games.play.queries import OVER, Seen, events_after
from games.play.telling import svg
from games.play.telling.clock_words import hours_words
from games.play.telling.spoken import card_name, line_names, team_and_shape, team_word
from games.rules.cards import HIDDEN, Card
from games.rules.ruleset import TEAM_NAMES
from games.rules.view import View

SECONDS_OF_AN_HOUR = 3600

ENDS: dict[str, str | Promise] = {
    "lines": _("by completed lines"),
    "full_board": _("on a full board"),
    "stalemate": _("in a stalemate: no team could complete another line"),
    "no_play": _("because no seat could play"),
    "idle_rounds": _("after too many rounds without a chip"),
    "last_team": _("because no other team is left"),
    "agreed": _("by agreement"),
    "ruling": _("by a ruling of an organiser"),
}


def game_title(game: Game) -> str:
    return game.name or gettext("Game %(number)s") % {"number": str(game.pk)}


def game_url(game: Game) -> str:
    return reverse("game", args=[game.pk])


def player_name(place: Seat) -> str:
    """Return who sits in a seat in words."""
    if place.member is not None:
        return place.member.get_full_name()
    if place.is_bot:
        return gettext("Bot %(letter)s") % {"letter": place.letter}
    if not place.is_taken:
        return pgettext("of a seat", "free")
    return place.recorded_name or gettext("a former member")


def result_words(game: Game, places: Iterable[Seat], seat: int | None = None) -> str:
    """Return how a game ended, to the holder of `seat`; empty while it runs.

    "Anna Berg (blue) has won by completed lines; you have lost".
    """
    if game.status == Status.FINISHED:
        how = {"how": ENDS.get(game.end, game.end)}
        if game.winner is None:
            return gettext("A draw, %(how)s") % how
        names = _names_of_team(places, game, seat)
        how |= {
            "names": get_text_list(names, gettext(" and ").strip()),
            "team": team_word(TEAM_NAMES[game.winner]),
        }
        if names == [gettext("You")]:
            return gettext("You (%(team)s) have won %(how)s") % how
        if seat is not None and seat % game.teams == game.winner:
            return gettext("%(names)s (%(team)s) have won %(how)s") % how
        count = sum(place.number % game.teams == game.winner for place in places)
        won = ngettext("%(names)s (%(team)s) has won %(how)s", "%(names)s (%(team)s) have won %(how)s", count)
        told = won % how
        return told if seat is None else gettext("%(result)s; you have lost") % {"result": told}
    return {
        Status.UNFINISHED.value: gettext("Recorded without an end"),
        Status.ANNULLED.value: gettext("Annulled by an organiser"),
        Status.WITHDRAWN.value: gettext("Withdrawn before the start"),
    }.get(game.status, "")


def _names_of_team(places: Iterable[Seat], game: Game, seat: int | None) -> list[str]:
    """Return who won, the viewer first and bots last."""
    team = [place for place in places if place.number % game.teams == game.winner]
    team.sort(key=lambda place: (place.number != seat, place.is_bot, place.number))
    return [gettext("You") if place.number == seat else player_name(place) for place in team]


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat as the game page shows it."""

    letter: str
    team: str
    chip: SafeString
    player: str
    notes: list[str]
    is_on_turn: bool
    is_out: bool
    bank: str = ""
    hand_size: int | None = None
    hand: list[SafeString] = field(default_factory=list)
    discards: list[SafeString] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team's lines against what it needs."""

    name: str
    chip: SafeString
    done: int
    needed: int
    where: str


def seat_lines(seen: Seen) -> list[SeatLine]:
    """Return the seats in order: who sits there, whose turn it is, cards, discards."""
    return [_seat_line(seen, place) for place in seen.places]


def _seat_line(seen: Seen, place: Seat) -> SeatLine:
    view, seat = seen.view, place.number
    team = seat % seen.game.teams
    notes = [gettext("you")] if seat == seen.seat else []
    if place.is_bot:
        notes.append(gettext("a bot"))
    if place.invited is not None and not place.is_taken:
        notes.append(gettext("kept for %(name)s") % {"name": place.invited.get_full_name()})
    if view is not None:
        notes += _notes_of_cards(view, seat)
    hand = None if view is None else view.hands[seat]
    is_shown = hand is not None and seat != (seen.seat if seen.game.status not in OVER else None)
    return SeatLine(
        letter=place.letter,
        team=team_and_shape(team, team_name(seen.game, seat)),
        chip=mark_safe(svg.chip_svg(team)),  # noqa: S308 - built by svg.py, which escapes
        player=player_name(place),
        notes=notes,
        is_on_turn=view is not None and view.turn == seat,
        is_out=view is not None and not view.active[seat],
        bank=_bank(seen.game, place),
        hand_size=None if view is None else view.hand_sizes[seat],
        hand=card_texts(hand or ()) if is_shown else [],
        discards=[] if view is None else card_texts(view.discards[seat]),
    )


def _bank(game: Game, place: Seat) -> str:
    """Return what a seat has in reserve beside the time of each turn (R22)."""
    if (
        game.status != Status.ACTIVE
        or game.turn_hours is None
        or not (game.bank_hours or game.increment_hours)
    ):
        return ""
    return hours_words(place.bank_seconds // SECONDS_OF_AN_HOUR)


def _notes_of_cards(view: View, seat: int) -> list[str]:
    notes = []
    if not view.active[seat]:
        notes.append(gettext("out of the game"))
    if view.rights[seat]:
        notes.append(gettext("has a card to draw"))
    if view.debts[seat]:
        owed = view.debts[seat]
        notes.append(ngettext("owes %(owed)s card", "owes %(owed)s cards", owed) % {"owed": str(owed)})
    return notes


def card_texts(cards: tuple[Card, ...]) -> list[SafeString]:
    return [mark_safe(svg.card_text(card)) for card in cards if card != HIDDEN]  # noqa: S308 - as above


def team_lines(view: View) -> list[TeamLine]:
    """Return each team's completed lines and how many it needs."""
    rules = view.ruleset
    found = []
    for team, name in enumerate(rules.team_names):
        ends = [rules.board.ends(mask) for owner, mask in view.lines if owner == team]
        found.append(
            TeamLine(
                name=team_and_shape(team, name).capitalize(),
                chip=mark_safe(svg.chip_svg(team)),  # noqa: S308 - as above
                done=len(ends),
                needed=rules.lines_to_win,
                where=line_names(ends),
            )
        )
    return found


def effect_of_resigning(view: View, seat: int) -> str:
    """Return what happens to the game when the holder of `seat` resigns (R21)."""
    rules = view.ruleset
    forfeits = rules.withdraw == "team_forfeits"
    own = seat % rules.teams
    stay = [s for s in range(rules.seats) if view.active[s] and s != seat]
    teams = {s % rules.teams for s in stay if not (forfeits and s % rules.teams == own)}
    if len(teams) == 1 and own not in teams:
        return gettext("You lose this game: the last team left wins (R21).")
    if forfeits:
        return gettext("Your whole team leaves the game with you (R21).")
    return gettext("Your seat is skipped from now on; the last team left wins (R21).")


def revealed_deal(game: Game) -> dict[str, Any]:
    """Return what the event that publishes a deal says; it is among the last of a game that is over."""
    last = events_after(game, max(0, game.version - 4), 4)
    return next((event.body for event in last if event.type == DEAL_REVEALED), {})


def told_turn(data: Mapping[str, Any]) -> str:
    """Return what a request has done in words, for the message after it."""
    card = card_name(str(data.get("card", "")))
    words = {
        "place": gettext("You played the %(card)s: a chip on %(space)s."),
        "remove": gettext("You played the %(card)s: the chip on %(space)s is gone."),
        "swap": gettext("You swapped the %(card)s as dead. It is still your turn."),
        "pass": gettext("You passed."),
        "discard": gettext("You discarded the %(card)s."),
        "draw": gettext("You drew a card."),
        "announce": gettext("You announced %(lines)s."),
        "pay": gettext("You gave up the %(card)s."),
        "resign": gettext("You have resigned."),
        "leave": gettext("You have left the game."),
        "offer_draw": gettext("You have offered a draw."),
        "accept_draw": gettext("You have agreed to a draw."),
        "decline_draw": gettext("You have declined the draw."),
    }
    return words[data["act"]] % {
        "card": card,
        "space": data.get("space", ""),
        "lines": line_names(data.get("lines", [])),
    }


def zone_of(viewer: User | AnonymousUser) -> str:
    """Return the name of the time zone in which the viewer reads times."""
    return str(viewer.zone) if isinstance(viewer, User) else "UTC"
