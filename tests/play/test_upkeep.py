"""`verify` finds every changed byte; `rebuild` makes the rows anew from the log."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games.play.models import Game, Seat, Status, Tenure
from games.play.services.organising import rule_game
from games.play.services.proposing import leave_seat, propose_game, take_seat, withdraw_proposal
from games.play.services.turns import take_turn
from games.play.services.upkeep import rebuild_game, verify_game
from tests.builders import NOW, make_club, make_member, make_user
from tests.play.builders import make_game, make_players, play_one, play_to_the_end

pytestmark = pytest.mark.django_db


def tamper(sql: str, *values: Any) -> None:
    """Change the log as somebody with every right could, its triggers switched off."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE play_event DISABLE TRIGGER USER")
        cursor.execute(sql, values)
        assert cursor.rowcount == 1


def test_sound_games_of_every_status_verify() -> None:
    organiser = make_user()
    club = make_club(organiser=organiser)
    running = make_game(3, club=club)
    play_one(running)
    over = play_to_the_end(make_game(2, club=club))
    annulled = make_game(2, club=club)
    annulled.refresh_from_db()
    rule_game(
        game_id=annulled.pk, organiser=organiser, data={"act": "annul", "reason": "wrong club"},
        expected_version=annulled.version, now=NOW,
    )  # fmt: skip
    first, second = make_players(club, 2)
    proposed = propose_game(proposer=first, club=club, seats=2, now=NOW)
    other = propose_game(proposer=first, club=club, seats=3, now=NOW)
    take_seat(member=second, game_id=other.pk, nonce="00ff", now=NOW)
    leave_seat(member=second, game_id=other.pk, now=NOW)
    withdraw_proposal(member=first, game_id=other.pk, now=NOW)

    for game in (running, over, annulled, proposed, other):
        assert verify_game(game.pk) == []
        assert rebuild_game(game.pk) == []
    assert {g.status for g in Game.objects.all()} == {
        Status.ACTIVE, Status.FINISHED, Status.ANNULLED, Status.PROPOSED, Status.WITHDRAWN,
    }  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        'body = replace(body, \'"card":"\', \'"card" :"\')',
        "body = body || ' '",
        "recorded_at = recorded_at + interval '1 microsecond'",
        "actor = gen_random_uuid()",
        "seat = 1 - seat",
        "type = 'ChipRemoved'",
        "schema_version = schema_version + 1",
        "hash = set_byte(hash, 31, get_byte(hash, 31) # 1)",
        "prev_hash = set_byte(prev_hash, 0, get_byte(prev_hash, 0) # 1)",
        "number = 99",
    ],
)
def test_one_changed_byte_of_an_event_is_found(change: str) -> None:
    game = make_game(2)
    for _ in range(3):
        play_one(game)

    tamper(f"UPDATE play_event SET {change} WHERE game_id = %s AND number = 5", game.pk)

    assert verify_game(game.pk)


def test_every_character_of_a_body_counts() -> None:
    game = make_game(2)
    play_one(game)
    with connection.cursor() as cursor:
        cursor.execute("SELECT body FROM play_event WHERE game_id = %s AND number = 5", [game.pk])
        (body,) = cursor.fetchone()
    assert len(body) > 30

    for place in range(len(body)):
        changed = body[:place] + chr(ord(body[place]) ^ 1) + body[place + 1 :]
        tamper("UPDATE play_event SET body = %s WHERE game_id = %s AND number = 5", changed, game.pk)
        assert "does not match its hash" in verify_game(game.pk)[0]

    tamper("UPDATE play_event SET body = %s WHERE game_id = %s AND number = 5", body, game.pk)
    assert verify_game(game.pk) == []


def test_a_lost_event_is_found_at_the_end_and_within() -> None:
    for number in (3, 5):
        game = make_game(2)
        play_one(game)
        tamper("DELETE FROM play_event WHERE game_id = %s AND number = %s", game.pk, number)
        assert verify_game(game.pk)


def test_another_secret_is_found() -> None:
    game = make_game(2)
    play_one(game)

    with connection.cursor() as cursor:
        flipped = "set_byte(secret, 7, get_byte(secret, 7) # 1)"
        cursor.execute(f"UPDATE play_dealsource SET secret = {flipped} WHERE game_id = %s", [game.pk])

    assert verify_game(game.pk)


@pytest.mark.parametrize(
    "columns",
    [
        {"turns": 77},
        {"winner": 1},
        {"head_hash": bytes(32)},
        {"version": 4},
        {"house_rules": {"lines_to_win": 9}},
        {"seal": "00" * 32},
        {"is_paused": True},
    ],
    ids=str,
)
def test_a_changed_row_of_a_game_is_found_and_mended(columns: dict[str, Any]) -> None:
    game = make_game(2)
    play_one(game)
    Game.objects.filter(pk=game.pk).update(**columns)

    assert verify_game(game.pk)
    assert rebuild_game(game.pk)

    assert verify_game(game.pk) == []


def test_a_changed_seat_is_found() -> None:
    game = make_game(3)
    Seat.objects.filter(game=game, number=1).update(cards_owed=2)

    assert any("seat B.cards_owed" in fault for fault in verify_game(game.pk))
    rebuild_game(game.pk)
    assert verify_game(game.pk) == []

    Seat.objects.filter(game=game, number=1).update(member=make_member(game.club).user)
    assert any("player of seat B" in fault for fault in verify_game(game.pk))


def test_the_commands_report_and_fail() -> None:
    sound, damaged = make_game(2), make_game(2)
    output = StringIO()
    call_command("verify", stdout=output)
    assert "2 games verified" in output.getvalue()

    tamper("UPDATE play_event SET body = body || ' ' WHERE game_id = %s AND number = 2", damaged.pk)

    output = StringIO()
    with pytest.raises(CommandError, match="1 of 2 games is damaged"):
        call_command("verify", stdout=output)
    assert f"game {damaged.pk}: event 2 (SeatTaken) does not match its hash" in output.getvalue()
    output = StringIO()
    call_command("verify", str(sound.pk), stdout=output)
    call_command("rebuild", str(sound.pk), stdout=output)
    assert output.getvalue().splitlines() == [
        "1 game verified, nothing is wrong",
        "1 game rebuilt from its events, 0 needed mending",
    ]
    with pytest.raises(CommandError, match="damaged log"):
        call_command("rebuild", stdout=StringIO(), stderr=StringIO())


@pytest.mark.parametrize(
    "columns",
    [{"from_version": 5}, {"until_version": 5}, {"since": NOW.replace(year=2020)}, {"until": NOW}],
    ids=str,
)
def test_a_changed_tenure_is_found_and_mended(columns: dict[str, Any]) -> None:
    game = make_game(3)
    Tenure.objects.filter(seat__game=game, seat__number=1).update(**columns)

    assert any("tenure of seat B" in fault for fault in verify_game(game.pk))
    assert rebuild_game(game.pk)

    assert verify_game(game.pk) == []
    assert Tenure.objects.filter(seat__game=game, member__isnull=False).count() == 3


def test_tenures_follow_who_came_who_left_and_who_took_over() -> None:
    organiser = make_user()
    club = make_club(organiser=organiser)
    game = make_game(4, club=club)
    game.refresh_from_db()
    leaver, substitute = game.places.get(number=1).member, make_member(club).user
    assert leaver is not None
    take_turn(game_id=game.pk, member=leaver, data={"act": "leave"}, expected_version=game.version, now=NOW)
    game.refresh_from_db()
    rule_game(
        game_id=game.pk, organiser=organiser, data={"act": "replace", "seat": "C"}, substitute=substitute,
        expected_version=game.version, now=NOW,
    )  # fmt: skip
    game.refresh_from_db()
    last = game.places.get(number=3).member
    assert last is not None
    take_turn(game_id=game.pk, member=last, data={"act": "resign"}, expected_version=game.version, now=NOW)

    assert Game.objects.get(pk=game.pk).status == Status.FINISHED
    assert list(
        Tenure.objects.filter(seat__game=game)
        .order_by("seat__number", "from_version")
        .values_list("seat__number", "from_version", "until_version")
    ) == [(0, 2, None), (1, 3, 7), (2, 4, 8), (2, 8, None), (3, 5, 9)]
    assert verify_game(game.pk) == []
