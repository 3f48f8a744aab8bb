"""A game whose mails are looked at: four people, whose names tell them apart."""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any

from django.conf import settings

from games.mail.kinds import Content
from games.mail.models import Mail
from games.play.mails.board_text import card_text
from games.play.models import Game
from games.play.queries import Seen, seen_game
from games.play.services.organising import rule_game
from games.play.services.turns import take_turn
from games.play.telling.cards import card_note
from tests.builders import NOW
from tests.mails import letter, waiting
from tests.play.builders import make_game, play_one, player_on_turn

NAMES = ("Anna Berg", "Bram Kok", "Cleo Dam", "Dirk Juul")
STYLE = re.compile(r"<style.*?</style>", re.DOTALL)


def post_game(seats: int = 4, *, name: str = "Four by post", **options: Any) -> Game:
    """Make a running game of `NAMES`, who read English in Stockholm."""
    game = make_game(seats, **options)
    Game.objects.filter(pk=game.pk).update(name=name)
    for place, who in zip(game.places.select_related("member").order_by("number"), NAMES, strict=False):
        change(place.member, name=who, zone="Europe/Stockholm")
    game.refresh_from_db()
    return game


def change(member: Any, **fields: Any) -> None:
    for field, value in fields.items():
        setattr(member, field, value)
    member.save(update_fields=list(fields))


def play(game: Game, turns: int) -> None:
    for number in range(turns):
        play_one(game, pick=number * 7)
    game.refresh_from_db()


def act(game: Game, seat: int, **data: Any) -> None:
    """Let the holder of `seat` do something."""
    game.refresh_from_db()
    member = game.places.get(number=seat).member
    assert member is not None
    take_turn(game_id=game.pk, member=member, data=data, expected_version=game.version, now=NOW)
    game.refresh_from_db()


def rule(game: Game, kind: str, **data: Any) -> None:
    """Let an organiser, or the clock, do something."""
    game.refresh_from_db()
    substitute = data.pop("substitute", None)
    rule_game(
        game_id=game.pk,
        organiser=game.club.memberships.get(role="organiser").user,
        data={"act": kind, **data},
        substitute=substitute,
        expected_version=game.version,
        now=NOW,
    )
    game.refresh_from_db()


def mail_of(kind: str, seat: int | None = None, **refs: int) -> Mail:
    """Return the newest mail of a kind, to a seat if one is given."""
    return waiting(kind, **refs, **({} if seat is None else {"seat": seat}))[-1]


def turn_letter(game: Game) -> Content:
    """Return the mail of the turn that is on."""
    return letter(mail_of("turn", number=game.turns + 1))


def view_of_turn(game: Game) -> Seen:
    seen = seen_game(game.pk, player_on_turn(game))
    assert seen is not None
    return seen


def hand_of(game: Game, seat: int) -> tuple[str, ...]:
    member = game.places.get(number=seat).member
    seen = None if member is None else seen_game(game.pk, member)
    assert seen is not None
    assert seen.view is not None
    hand = seen.view.hands[seat]
    assert hand is not None
    return hand


def words_of(html: str) -> str:
    """Return what the HTML of a mail says, the texts of its pictures included."""
    shown = re.sub(r'<img[^>]* alt="([^"]*)"[^>]*>', r" \1 ", STYLE.sub("", html))
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", shown)).split())


def links_in(content: Content) -> set[str]:
    """Return every address in both parts of a mail."""
    found = set(re.findall(r"https?://[^\s\"<>]+", content.text))
    return found | {unescape(link) for link in re.findall(r'(?:href|src)="([^"]+)"', content.html)}


def below_public_url(link: str) -> bool:
    return link.startswith((f"{settings.PUBLIC_URL}/", "cid:"))


def hand_words(seen: Seen) -> Mapping[str, str]:
    """Return each card of the reader's hand with its note."""
    assert seen.view is not None
    assert seen.seat is not None
    hand = seen.view.hands[seen.seat] or ()
    return {card: f"{card_text(card)} {card_note(seen.view, card)}".strip() for card in hand}
