"""Pieces of mails in words: what happened, the hand, how a game began."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext, ngettext

from games.play.mails.board_text import card_text, hand_text
from games.play.mails.letter import Letter
from games.play.models import Game
from games.play.presenting import team_name
from games.play.queries import Seen, reasons_of
from games.play.telling.cards import card_note
from games.play.telling.clock_words import clock_sentences
from games.play.telling.history import Form, latest, since_own_turn
from games.play.telling.house_rules import EXPIRY, changed_rules
from games.play.telling.spoken import card_name, face, team_and_shape
from games.play.telling.words import player_name
from games.rules import events as ev
from games.rules.cards import Card
from games.rules.view import View

MOST_SENTENCES = 4
RED = ("d", "h")
PLAIN = Form(card_text, str.format)


@dataclass(frozen=True, slots=True)
class MailedCard:
    """A card of the hand in a mail; `url` leads to the page of the turn, where it is chosen."""

    text: str
    name: str
    note: str
    url: str
    is_red: bool


def history_of(letter: Letter) -> list[str]:
    """Return what happened since the seat's own last turn: four sentences at most, and how many more.

    Of the first turn of a game there is nothing to tell but that the cards were dealt.
    """
    if letter.view.turns == 0:
        return []
    told = since_own_turn(letter.seen, PLAIN)
    more = len(told) - MOST_SENTENCES
    sentences = [f"{sentence}." for sentence in told[:MOST_SENTENCES]]
    if more > 0:
        sentences.append(ngettext("and %(count)s more", "and %(count)s more", more) % {"count": str(more)})
    return sentences


def end_of(letter: Letter) -> list[str]:
    """Return the last plays of a game that is over, the newest first."""
    return [f"{sentence}." for sentence in latest(letter.seen, PLAIN, MOST_SENTENCES)]


def reason_of(letter: Letter, *kinds: type[ev.Event]) -> str:
    """Return why the last event of `kinds` happened, in the words of who did it; empty if none were given."""
    event = next((event for event in reversed(letter.seen.loaded.events) if isinstance(event, kinds)), None)
    given = reasons_of(letter.game).filter(hash=getattr(event, "reason_hash", "")).first()
    if given is None:
        return ""
    return gettext("The reason given: %(reason)s") % {"reason": " ".join(given.text.split())}


def history_context(letter: Letter) -> dict[str, Any]:
    """Return what happened for the templates, under its heading."""
    played = any(
        isinstance(event, ev.ENDS_OF_TURNS) and event.seat == letter.place.number
        for event in letter.seen.loaded.events
    )
    title = gettext("Since your last turn") if played else gettext("So far")
    return {"history": history_of(letter), "history_title": title}


def score_of(letter: Letter) -> list[str]:
    """Return the reader's own team, and how many lines each has of those it needs (R7)."""
    own = letter.place.number % letter.game.teams
    name = letter.view.ruleset.team_names[own]
    return [gettext("You play for %(team)s.") % {"team": team_and_shape(own, name)}, *lines_of(letter.view)]


def lines_of(view: View) -> list[str]:
    """Return how many lines each team has of those it needs."""
    told = []
    for team, name in enumerate(view.ruleset.team_names):
        words = {
            "team": team_and_shape(team, name).capitalize(),
            "done": str(sum(owner == team for owner, _ in view.lines)),
            "needed": str(view.ruleset.lines_to_win),
        }
        needed = view.ruleset.lines_to_win
        shape = ngettext(
            "%(team)s: %(done)s of %(needed)s line.", "%(team)s: %(done)s of %(needed)s lines.", needed
        )
        told.append(shape % words)
    return told


def hand_context(letter: Letter, link: str) -> dict[str, Any]:
    """Return the hand for the templates, each card with a link that only chooses it; or nothing of it."""
    held = letter.view.hands[letter.place.number]
    if held is None or letter.member.leaves_out_hands:
        return {"is_hand_left_out": letter.member.leaves_out_hands}
    hand = _in_order(letter.view, held)
    cards = [
        MailedCard(
            text=card_text(card),
            name=card_name(card),
            note=card_note(letter.view, card),
            url=f"{link}?{urlencode({'card': card})}",
            is_red=face(card)[1] in RED,
        )
        for card in hand
    ]
    return {"cards": cards, "hand_text": hand_text(letter.view, hand)}


def _in_order(view: View, hand: tuple[Card, ...]) -> list[Card]:
    """Return a hand as the page shows it: as the deck is sorted, jacks last."""
    rules = view.ruleset
    jacks = rules.wild | rules.anti
    return sorted(hand, key=lambda card: (card in jacks, rules.edition.order.get(card, 0)))


def beginning_of(letter: Letter) -> dict[str, Any]:
    """Return how the game began: who sits where, what was agreed, and the seal of its deal."""
    seats = [seat_words(letter.seen, seat) for seat in range(letter.game.seats)]
    return {"seats": seats, **agreement_of(letter.game)}


def agreement_of(game: Game) -> dict[str, Any]:
    """Return what the table has agreed on, with the seal of the deal."""
    return {"house_rules": changed_rules(game.house_rules), "clock": _clock_words(game), "seal": game.seal}


def seat_words(seen: Seen, seat: int) -> str:
    """Return who sits in a seat, and for which team; nobody for one that is free."""
    place, game = seen.places[seat], seen.game
    words = {
        "letter": place.letter,
        "player": player_name(place),
        "team": team_and_shape(seat % game.teams, team_name(game, seat)),
    }
    if seat == seen.seat:
        return gettext("Seat %(letter)s: you (%(team)s)") % words
    return gettext("Seat %(letter)s: %(player)s (%(team)s)") % words


def _clock_words(game: Game) -> list[str]:
    told = clock_sentences(game)
    if game.turn_hours is not None:
        told.append(gettext("When the time runs out: %(what)s (R22).") % {"what": EXPIRY[game.expiry]})
    return told
