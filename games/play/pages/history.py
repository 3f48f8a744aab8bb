"""What happened last in a game, in sentences: public facts only, the same for everybody who sees the game."""

from collections.abc import Iterator

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from games.play.pages import svg
from games.play.pages.spoken import line_names, team_word
from games.play.pages.words import player_name
from games.play.queries import Seen
from games.rules import events as ev
from games.rules.cards import Card

MOST = 8


def last_plays(seen: Seen) -> list[SafeString]:
    """Return up to eight sentences about what was done last, the newest first."""
    told: list[SafeString] = []
    for sentence in _sentences(seen):
        told.append(sentence)
        if len(told) == MOST:
            break
    return told


def own_offer_declined(seen: Seen) -> str:
    """Return who declined the draw that the viewer's team offered since its last turn; empty if nobody."""
    if seen.seat is None:
        return ""
    team, declined = seen.seat % seen.game.teams, ""
    for event in reversed(seen.loaded.events):
        seat = getattr(event, "seat", None)
        if seat is None:
            continue
        own = seat % seen.game.teams == team
        if isinstance(event, ev.DrawDeclined) and not declined:
            declined = player_name(seen.places[seat])
        elif isinstance(event, ev.DrawOffered):
            return declined if own else ""
        elif own and isinstance(event, ev.ChipPlaced | ev.ChipRemoved | ev.TurnPassed | ev.CardDiscarded):
            return ""
    return ""


def _sentences(seen: Seen) -> Iterator[SafeString]:
    replaced: set[int] = set()
    for event in reversed(seen.loaded.events):
        sentence = _sentence(seen, event, replaced)
        if sentence:
            yield sentence
        if isinstance(event, ev.SeatReplaced):
            replaced.add(event.seat)


def _sentence(seen: Seen, event: ev.Event, replaced: set[int]) -> SafeString | None:
    """Return an event in words, None for those that say nothing of their own."""
    seat = getattr(event, "seat", None)
    who = "" if seat is None else _who(seen, seat, replaced)
    match event:
        case ev.ChipPlaced():
            played = gettext("{who} played the {card} on {space}")
            return _with_lines(seen, event, played, who)
        case ev.ChipRemoved():
            played = gettext("{who} played the {card} and removed a chip from {space}")
            return _with_lines(seen, event, played, who)
        case ev.CardSwapped():
            return _format(gettext("{who} swapped the {card} as dead"), who, event.card)
        case ev.CardDiscarded():
            return _format(gettext("{who} discarded the {card}"), who, event.card)
        case ev.CardPaid():
            return _format(gettext("{who} gave up the {card} for table talk"), who, event.card)
        case ev.LinesAnnounced():
            lines = gettext("{who} announced {lines}")
            return format_html(lines, who=who, lines=_lines(seen, event.lines))
        case ev.TableTalkCalled():
            called = gettext("Table talk was called on team {team}")
            return format_html(called, team=team_word(seen.loaded.rules.team_names[event.team]))
        case ev.SeatLeft():
            return format_html(_left(event.reason), who=who)
    text = _plain(event)
    return format_html(text, who=who) if text else None


def _plain(event: ev.Event) -> str:
    match event:
        case ev.GameStarted():
            return gettext("The cards were dealt")
        case ev.TurnPassed():
            return gettext("{who} passed")
        case ev.SeatReplaced():
            return gettext("{who} took over a seat")
        case ev.TurnExpired():
            return gettext("The time of {who} ran out")
        case ev.DrawOffered():
            return gettext("{who} offered a draw")
        case ev.DrawAgreed():
            return gettext("{who} agreed to a draw")
        case ev.DrawDeclined():
            return gettext("{who} declined the draw")
        case ev.ResultRuled():
            return gettext("An organiser ruled the result")
        case ev.GameAnnulled():
            return gettext("An organiser annulled the game")
        case ev.ClockPaused():
            return gettext("An organiser stopped the clock")
        case ev.ClockResumed():
            return gettext("An organiser started the clock")
    return ""


def _left(reason: str) -> str:
    return {
        "resign": gettext("{who} resigned"),
        "expiry": gettext("{who} is out: the time ran out"),
        "team": gettext("{who} is out with the team"),
    }.get(reason, gettext("{who} left the game"))


def _who(seen: Seen, seat: int, replaced: set[int]) -> str:
    """Return who did it: the present holder, or the seat when another held it then."""
    place = seen.places[seat]
    if seat in replaced:
        return gettext("Seat %(letter)s") % {"letter": place.letter}
    if seat == seen.seat:
        return gettext("You")
    if place.is_bot:
        return gettext("The bot in seat %(letter)s") % {"letter": place.letter}
    return player_name(place)


def _with_lines(seen: Seen, event: ev.ChipPlaced | ev.ChipRemoved, text: str, who: str) -> SafeString:
    told = _format(text, who, event.card, space=seen.loaded.rules.board.names[event.space])
    if not event.lines:
        return told
    lines = ngettext(
        "{told} and completed a line, {lines}", "{told} and completed lines, {lines}", len(event.lines)
    )
    return format_html(lines, told=told, lines=_lines(seen, event.lines))


def _lines(seen: Seen, masks: tuple[int, ...]) -> str:
    return line_names(seen.loaded.rules.board.ends(mask) for mask in masks)


def _format(text: str, who: str, card: Card, **more: str) -> SafeString:
    shown = mark_safe(svg.card_text(card))  # noqa: S308 - svg.py escapes
    return format_html(text, who=who, card=shown, **more)
