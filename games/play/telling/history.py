"""What happened last in a game, in sentences: public facts only, the same for everybody who sees the game."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from games.play.queries import Seen
from games.play.telling import svg
from games.play.telling.spoken import line_names, team_word
from games.play.telling.words import player_name
from games.rules import events as ev
from games.rules.cards import Card

MOST = 8


@dataclass(frozen=True, slots=True)
class Form:
    """How sentences are written: `card` shows a card, `fill` puts names into a sentence."""

    card: Callable[[Card], str]
    fill: Callable[..., str]


HTML = Form(lambda card: mark_safe(svg.card_text(card)), format_html)  # noqa: S308 - svg.py escapes


def last_plays(seen: Seen) -> list[SafeString]:
    """Return up to eight sentences about what was done last, the newest first."""
    return [mark_safe(sentence) for sentence in latest(seen, HTML, MOST)]  # noqa: S308 - by format_html


def latest(seen: Seen, form: Form, most: int) -> list[str]:
    """Return up to `most` sentences about what was done last, the newest first."""
    return list(islice(_sentences(seen, form, 0), most))


def since_own_turn(seen: Seen, form: Form) -> list[str]:
    """Return what was done since the viewer's seat last ended a turn of its own, the newest first."""
    events = seen.loaded.events
    after = 0
    for place, event in enumerate(events, 1):
        if isinstance(event, ev.ENDS_OF_TURNS) and event.seat == seen.seat:
            after = place
    return list(_sentences(seen, form, after))


def told(seen: Seen, events: Iterable[ev.Event], form: Form = HTML) -> list[str]:
    """Return what the viewer's own `events` were, in their order, and that a card was drawn."""
    sentences = []
    for event in events:
        sentences.append(_sentence(seen, form, event, set()))
        if isinstance(event, ev.CardDrawn) or getattr(event, "drew", False):
            sentences.append(gettext("You drew a card"))
    return [sentence for sentence in sentences if sentence]


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


def _sentences(seen: Seen, form: Form, after: int) -> Iterator[str]:
    """Yield what the events behind the first `after` were, the newest first."""
    replaced: set[int] = set()
    for event in reversed(seen.loaded.events[after:]):
        sentence = _sentence(seen, form, event, replaced)
        if sentence:
            yield sentence
        if isinstance(event, ev.SeatReplaced):
            replaced.add(event.seat)


def _sentence(seen: Seen, form: Form, event: ev.Event, replaced: set[int]) -> str:
    """Return an event in words, empty for those that say nothing of their own."""
    seat = getattr(event, "seat", None)
    who = "" if seat is None else _who(seen, seat, replaced)
    match event:
        case ev.ChipPlaced():
            played = gettext("{who} played the {card} on {space}")
            return _with_lines(seen, form, event, played, who)
        case ev.ChipRemoved():
            played = gettext("{who} played the {card} and removed a chip from {space}")
            return _with_lines(seen, form, event, played, who)
        case ev.CardSwapped():
            swapped = gettext("{who} swapped the {card} as dead")
            return form.fill(swapped, who=who, card=form.card(event.card))
        case ev.CardDiscarded():
            discarded = gettext("{who} discarded the {card}")
            return form.fill(discarded, who=who, card=form.card(event.card))
        case ev.CardPaid():
            paid = gettext("{who} gave up the {card} for table talk")
            return form.fill(paid, who=who, card=form.card(event.card))
        case ev.LinesAnnounced():
            lines = gettext("{who} announced {lines}")
            return form.fill(lines, who=who, lines=_lines(seen, event.lines))
        case ev.TableTalkCalled():
            called = gettext("Table talk was called on team {team}")
            return form.fill(called, team=team_word(seen.loaded.rules.team_names[event.team]))
        case ev.SeatLeft():
            return form.fill(_left(event.reason, is_own=_is_own(seen, event.seat, replaced)), who=who)
        case ev.TurnExpired() if _is_own(seen, event.seat, replaced):
            return form.fill(gettext("Your time ran out"), who=who)
    text = _plain(event)
    return form.fill(text, who=who) if text else ""


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


def _left(reason: str, *, is_own: bool) -> str:
    if is_own and reason == "expiry":
        return gettext("You are out: your time ran out")
    if is_own and reason == "team":
        return gettext("You are out with your team")
    return {
        "resign": gettext("{who} resigned"),
        "expiry": gettext("{who} is out: the time ran out"),
        "team": gettext("{who} is out with the team"),
    }.get(reason, gettext("{who} left the game"))


def _is_own(seen: Seen, seat: int, replaced: set[int]) -> bool:
    return seat == seen.seat and seat not in replaced


def _who(seen: Seen, seat: int, replaced: set[int]) -> str:
    """Return who did it: the present holder, or the seat when another held it then."""
    place = seen.places[seat]
    if seat in replaced:
        return gettext("Seat %(letter)s") % {"letter": place.letter}
    if _is_own(seen, seat, replaced):
        return gettext("You")
    return player_name(place)


def _with_lines(seen: Seen, form: Form, event: ev.ChipPlaced | ev.ChipRemoved, text: str, who: str) -> str:
    space = seen.loaded.rules.board.names[event.space]
    told = form.fill(text, who=who, card=form.card(event.card), space=space)
    if not event.lines:
        return told
    lines = ngettext(
        "{told} and completed a line, {lines}", "{told} and completed lines, {lines}", len(event.lines)
    )
    return form.fill(lines, told=told, lines=_lines(seen, event.lines))


def _lines(seen: Seen, masks: tuple[int, ...]) -> str:
    return line_names(seen.loaded.rules.board.ends(mask) for mask in masks)
