"""A whole game of four, played with nothing but the bytes of its mails, in four languages."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils.translation import gettext, override

from games.accounts.models import User
from games.clubs.models import Club
from games.mail.services import deliver
from games.play.clocks import Clock
from games.play.models import Game, Status
from games.play.queries import events_after
from games.play.services.expiring import sweep_clocks
from games.play.services.proposing import propose_game, take_seat
from games.play.services.upkeep import verify_game
from games.rules.deal import seal_of
from tests.builders import NOW, make_club, make_member, make_user
from tests.journeys.post import Bearer, Letter
from tests.mail.servers import Mailbox

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]

PEOPLE = (
    ("anna", "en", "Europe/London"),
    ("carla", "nl", "Europe/Amsterdam"),
    ("bo", "sv", "Europe/Stockholm"),
    ("dorte", "da", "Europe/Copenhagen"),
)
BETWEEN_TURNS = timedelta(hours=5)
TURN = timedelta(hours=72)
REMINDED_TURN, EXPIRED_TURN, MOST_TURNS = 6, 11, 250


class Post:
    """The mail server, the clock, and what both bring about."""

    def __init__(self, mailbox: Mailbox, clock: Any) -> None:
        self.mailbox = mailbox
        self.clock = clock
        self.now = NOW
        self.letters: list[Letter] = []

    def wait(self, time: timedelta) -> list[Letter]:
        """Let time pass, then let sweeps and delivery do their work; return what came."""
        self.now += time
        self.clock.move_to(self.now, tick=False)
        sweep_clocks(now=self.now)
        deliver(now=self.now)
        came = [Letter(raw) for _, raw in self.mailbox.taken[len(self.letters) :]]
        self.letters += came
        return came

    def to(self, member: User) -> list[Letter]:
        return [letter for letter in self.letters if letter.to == member.email]


@pytest.fixture
def post(mailbox: Mailbox) -> Iterator[Post]:
    with time_machine.travel(NOW, tick=False) as clock:
        yield Post(mailbox, clock)


@pytest.fixture
def club() -> Club:
    return make_club("thursday", organiser=make_user("olga"))


@pytest.fixture
def players(club: Club) -> list[User]:
    return [
        make_member(club, make_user(username, language=language, zone=zone)).user
        for username, language, zone in PEOPLE
    ]


@pytest.fixture
def game(club: Club, players: list[User]) -> Game:
    proposal = propose_game(
        proposer=players[0],
        club=club,
        seats=4,
        name="Four by post",
        options={"lines_to_win": 1},
        expiry="pass",
        clock=Clock(turn_hours=72),
        now=NOW,
    )
    for player in players[1:]:
        take_seat(member=player, game_id=proposal.pk, now=NOW)
    return proposal


def the_turn_mail(letters: list[Letter]) -> Letter:
    [letter] = [letter for letter in letters if letter.turn_links]
    return letter


def word(text: str, language: str) -> str:
    with override(language):
        return gettext(text)


def hash_in(letter: Letter) -> str:
    [digest] = re.findall(r"\b[0-9a-f]{64}\b", letter.text)
    return digest


def test_four_people_play_a_whole_game_from_their_mails(post: Post, game: Game, players: list[User]) -> None:
    language = {player.email: player.language for player in players}
    begun = post.wait(timedelta(minutes=1))
    assert sorted(letter.to for letter in begun) == sorted(player.email for player in players)
    game.refresh_from_db()
    assert all(game.seal in letter.text for letter in begun)
    letter = the_turn_mail(begun)

    reminders = 0
    for turn in range(1, MOST_TURNS):
        [link] = letter.turn_links
        assert word("Take your turn", language[letter.to]) in letter.html
        if turn > 1:
            game.refresh_from_db()
            assert hash_in(letter) == bytes(game.head_hash).hex()
        if turn == REMINDED_TURN:
            assert post.wait(TURN * 0.45 - BETWEEN_TURNS) == []
            [first] = post.wait(TURN * 0.06)
            [second] = post.wait(TURN * 0.36)
            assert first.to == second.to == letter.to
            assert first.turn_links == second.turn_links == [link]
            reminders += 2
        if turn == EXPIRED_TURN:
            letters = []
            for _ in range(30):
                letters += post.wait(timedelta(hours=4))
                if len([each for each in letters if each.turn_links]) == 3:
                    break
            late = [each for each in letters if each.to == letter.to]
            assert len(late) == 3  # two reminders, and that the time ran out
            [next_letter] = [each for each in letters if each.to != letter.to]
            html, _ = Bearer(link).look(status=410)
            assert word("The time for this turn ran out", language[letter.to]) in html
            letter = next_letter
            continue
        Bearer(link).play(turn * 5)
        html, page = Bearer(link).look()
        assert not [each for each in page.links if "card=" in each]
        came = post.wait(BETWEEN_TURNS)
        if any(each.turn_links for each in came):
            letter = the_turn_mail(came)
        else:
            break

    game.refresh_from_db()
    assert (game.status, game.end) == (Status.FINISHED, "lines")
    assert verify_game(game.pk) == []
    assert reminders == 2
    assert sorted(each.to for each in came) == sorted(player.email for player in players)
    for letter in came:
        secret = bytes.fromhex(
            next(text for text in re.findall(r"\b[0-9a-f]{64}\b", letter.text) if text != game.seal)
        )
        assert seal_of(secret) == game.seal
    expired = [event for event in events_after(game, 0, 9999) if event.type == "TurnExpired"]
    assert len(expired) == 1


def test_each_player_reads_their_own_language_and_no_other(
    post: Post, game: Game, players: list[User]
) -> None:
    letters = {letter.to: letter for letter in post.wait(timedelta(minutes=1))}

    texts = {player.language: letters[player.email].text for player in players}
    for language, text in texts.items():
        others = {word("Your hand", other) for other in texts if other != language}
        assert not [other for other in others - {word("Your hand", language)} if other in text]
    assert len({letter.subject for letter in letters.values()}) == len(letters)


def test_mails_of_one_game_are_one_thread_for_each_player(
    post: Post, game: Game, players: list[User]
) -> None:
    letter = the_turn_mail(post.wait(timedelta(minutes=1)))
    for turn in range(1, 9):
        Bearer(letter.turn_links[0]).play(turn)
        letter = the_turn_mail(post.wait(BETWEEN_TURNS))

    for player in players:
        own = post.to(player)
        assert len(own) >= 2
        assert len({str(each.message["References"]) for each in own}) == 1
        assert len({str(each.message["Message-ID"]) for each in own}) == len(own)


def test_a_change_of_language_zone_and_cadence_is_followed_by_the_next_mail(
    post: Post, game: Game, players: list[User]
) -> None:
    letter = the_turn_mail(post.wait(timedelta(minutes=1)))
    first = next(player for player in players if player.email == letter.to)
    for turn in range(1, 5):
        Bearer(letter.turn_links[0]).play(turn)
        if turn == 4:
            User.objects.filter(pk=first.pk).update(
                language="sv" if first.language != "sv" else "nl", zone="Asia/Tokyo", cadence="coalesced"
            )
            assert post.wait(timedelta(minutes=1)) == []
            came = post.wait(timedelta(minutes=10))
        else:
            came = post.wait(BETWEEN_TURNS)
        letter = the_turn_mail(came)

    first.refresh_from_db()
    assert letter.to == first.email
    assert word("Take your turn", first.language) in letter.html
    assert "Asia/Tokyo" in letter.text
