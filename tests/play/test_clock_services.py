"""Clocks of games on a real database, with a `now` that the tests move."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.accounts.models import User
from games.bots.services import play_bots_in
from games.clubs.models import Club
from games.mail.models import Mail, Suppression
from games.play import tasks
from games.play.clocks import HOUR, Clock
from games.play.mails.turns import render_reminder
from games.play.models import Game, Leave, Reason, Seat
from games.play.queries import events_after
from games.play.services import expiring
from games.play.services.expiring import expire_due, remind_due, sweep_clocks
from games.play.services.locking import load_rest
from games.play.services.organising import rule_game
from games.play.services.proposing import propose_game, take_seat
from games.play.services.resting import take_leave
from games.play.services.turns import take_turn
from games.play.services.upkeep import rebuild_game, verify_game
from games.rules.evolve import CorruptEvents
from tests.builders import NOW, make_club, make_member, make_user
from tests.play.builders import legal, make_players, play_one, player_on_turn

pytestmark = pytest.mark.django_db

THREE_DAYS = Clock(turn_hours=72)
WITH_A_BANK = Clock(turn_hours=24, bank_hours=48, increment_hours=6, cap_hours=60)


def after(hours: float) -> datetime:
    return NOW + timedelta(hours=hours)


def make_timed(
    seats: int = 2,
    clock: Clock | None = THREE_DAYS,
    *,
    club: Club | None = None,
    players: list[User] | None = None,
    bots: tuple[int, ...] = (),
    **more: Any,
) -> Game:
    """Make a running game with a clock; `players` take the seats that bots do not."""
    club = club or make_club(organiser=make_user())
    players = players or make_players(club, seats - len(bots))
    first, *others = players
    game = propose_game(proposer=first, club=club, seats=seats, clock=clock, bots=bots, now=NOW, **more)
    for player in others:
        take_seat(member=player, game_id=game.pk, now=NOW)
    return Game.objects.get(pk=game.pk)


def banks(game: Game) -> list[float]:
    return [seconds / HOUR for seconds in seats(game).values_list("bank_seconds", flat=True)]


def seats(game: Game) -> Any:
    return Seat.objects.filter(game=game).order_by("number")


def rule(game: Game, act: str, now: datetime, **more: Any) -> None:
    game.refresh_from_db()
    organiser = User.objects.get(memberships__club=game.club, memberships__role="organiser")
    data = {"act": act, "reason": "Because.", **more}
    substitute = more.pop("substitute", None)
    data.pop("substitute", None)
    rule_game(
        game_id=game.pk, organiser=organiser, data=data, substitute=substitute,
        expected_version=game.version, now=now,
    )  # fmt: skip
    game.refresh_from_db()


# Winding -------------------------------------------------------------------------------------------


def test_the_first_turn_begins_with_the_game() -> None:
    game = make_timed(clock=WITH_A_BANK)

    assert game.clock_since == NOW
    assert game.deadline == after(72)
    assert game.remind_at == after(36)
    assert banks(game) == [48, 48]


def test_each_turn_has_its_time_anew() -> None:
    game = make_timed()

    play_one(game, now=after(26))

    game.refresh_from_db()
    assert (game.clock_since, game.deadline, game.clock_spent_seconds) == (after(26), after(98), 0)


def test_a_game_without_a_clock_has_no_deadline() -> None:
    game = make_timed(clock=None)

    play_one(game, now=after(1))

    game.refresh_from_db()
    assert (game.clock_since, game.deadline, game.remind_at) == (None, None, None)


def test_a_slow_turn_is_paid_from_the_bank_and_each_turn_adds_to_it() -> None:
    game = make_timed(clock=WITH_A_BANK)
    first = game.turn_seat
    assert first is not None

    play_one(game, now=after(34))
    after_a_slow_turn = banks(game)[first]
    play_one(game, now=after(35))

    assert after_a_slow_turn == 48 - 10 + 6
    assert banks(game)[1 - first] == 54
    game.refresh_from_db()
    assert game.deadline == after(35 + 24 + 44 + 8)  # one at night becomes nine


def test_the_clock_of_a_game_is_in_its_first_event_and_rebuilt_from_it() -> None:
    game = make_timed(clock=Clock(24, 48, 6, 60, rests_at_weekends=True))
    plain = make_timed(clock=None)

    Game.objects.filter(pk=game.pk).update(turn_hours=1, rests_at_weekends=False)
    mended = rebuild_game(game.pk)

    assert len(mended) == 2
    assert verify_game(game.pk) == verify_game(plain.pk) == []
    game.refresh_from_db()
    assert (game.turn_hours, game.rests_at_weekends) == (24, True)
    assert "clock" not in plain.events.get(number=1).body


def test_a_swap_and_acts_of_others_leave_the_clock_alone(django_assert_num_queries: Any) -> None:
    game = make_timed(4)
    on_turn = game.turn_seat
    assert on_turn is not None
    other = seats(game)[(on_turn + 1) % 4].member

    take_turn(
        game_id=game.pk, member=other, data={"act": "offer_draw"}, expected_version=game.version, now=after(5)
    )

    game.refresh_from_db()
    assert (game.clock_since, game.deadline) == (NOW, after(72))


def test_a_pause_stops_the_clock_and_takes_no_time() -> None:
    game = make_timed()

    rule(game, "pause", after(10))
    paused = (game.clock_since, game.clock_spent_seconds, game.deadline, game.remind_at)
    rule(game, "resume", after(100))

    assert paused == (None, 10 * HOUR, None, None)
    assert (game.clock_since, game.deadline) == (after(100), after(162))
    assert game.remind_at == after(126)


def test_a_turn_taken_while_the_clock_stands_costs_what_was_spent_before() -> None:
    game = make_timed(clock=WITH_A_BANK)
    first = game.turn_seat
    assert first is not None
    rule(game, "pause", after(26))

    play_one(game, now=after(500))

    game.refresh_from_db()
    assert banks(game)[first] == 48 - 2 + 6
    assert (game.deadline, game.clock_spent_seconds) == (None, 0)
    rule(game, "resume", after(600))
    assert (game.clock_since, game.deadline) == (after(600), after(672))


def test_a_substitute_on_turn_has_a_whole_turn() -> None:
    game = make_timed()
    substitute = make_member(game.club, make_user("sam", zone="Asia/Tokyo")).user

    rule(game, "replace", after(66), seat="AB"[game.turn_seat or 0], substitute=substitute)

    assert game.clock_since == after(66)
    assert game.deadline == after(66 + 72)


def test_what_was_overspent_comes_from_the_bank_before_a_substitute_begins() -> None:
    game = make_timed(clock=WITH_A_BANK)
    seat = game.turn_seat or 0
    substitute = make_member(game.club).user

    rule(game, "replace", after(34), seat="AB"[seat], substitute=substitute)

    assert banks(game)[seat] == 48 - 10
    assert game.deadline == after(34 + 24 + 38)


def test_handing_a_seat_round_does_not_stop_time() -> None:
    game = make_timed(clock=Clock(24))
    letter = "AB"[game.turn_seat or 0]
    one, other = (make_member(game.club).user for _ in range(2))

    rule(game, "replace", after(20), seat=letter, substitute=one)
    first = game.deadline
    rule(game, "replace", after(30), seat=letter, substitute=other)
    second = (game.deadline, game.clock_spent_seconds)
    rule(game, "replace", after(40), seat=letter, substitute=one)

    assert first == after(44)
    assert second == (after(44), 10 * HOUR)
    # Ten minutes are left, but nobody has less than a quarter of a turn from the mail on.
    assert (game.deadline, game.clock_spent_seconds) == (after(46), 20 * HOUR)


def test_a_substitute_for_another_seat_changes_no_deadline() -> None:
    game = make_timed()
    substitute = make_member(game.club).user

    rule(game, "replace", after(66), seat="BA"[game.turn_seat or 0], substitute=substitute)

    assert (game.clock_since, game.deadline) == (NOW, after(72))


def test_weekends_and_the_zone_of_the_member_count() -> None:
    club = make_club(organiser=make_user())
    players = [make_member(club, make_user(name, zone="Europe/Stockholm")).user for name in ("a1", "b1")]
    game = make_timed(clock=Clock(120, rests_at_weekends=True), club=club, players=players)

    # Monday 18:00 and 120 hours without a weekend of 48.
    assert game.deadline == after(120 + 48)


def test_who_leaves_on_turn_leaves_the_next_seat_a_whole_turn() -> None:
    game = make_timed(4, clock=WITH_A_BANK)
    first = game.turn_seat
    assert first is not None

    take_turn(
        game_id=game.pk, member=player_on_turn(game), data={"act": "resign"},
        expected_version=game.version, now=after(50),
    )  # fmt: skip

    game.refresh_from_db()
    assert (game.turn_seat, game.clock_since, game.deadline) == ((first + 1) % 4, after(50), after(122))
    assert banks(game)[first] == 48


def test_bots_have_no_clock_and_members_beside_them_have() -> None:
    game = make_timed(2, clock=WITH_A_BANK, bots=(1,))
    if game.turn_seat == 1:
        assert (game.clock_since, game.deadline) == (None, None)
        let_bots_play(game, NOW)
    game.refresh_from_db()
    assert game.deadline == after(72)

    play_one(game, now=after(1))

    game.refresh_from_db()
    assert (game.turn_seat, game.clock_since, game.deadline, game.remind_at) == (1, None, None, None)
    let_bots_play(game, after(2))
    game.refresh_from_db()
    assert (game.turn_seat, game.clock_since) == (0, after(2))
    assert banks(game) == [54, 48]


def let_bots_play(game: Game, now: datetime) -> None:
    play_bots_in(game.pk, now=now)


def test_a_game_that_is_over_has_no_deadline() -> None:
    game = make_timed()

    rule(game, "rule", after(1), winner="draw")

    assert (game.status, game.clock_since, game.deadline, game.remind_at) == ("finished", None, None, None)


def test_a_turn_with_a_clock_takes_two_statements_more_than_one_without() -> None:
    counts = {}
    for name, clock in (("none", None), ("plain", THREE_DAYS), ("bank", WITH_A_BANK)):
        game = make_timed(clock=clock)
        member = player_on_turn(game)
        data = legal(game, member)[0]
        with CaptureQueriesContext(connection) as caught:
            take_turn(
                game_id=game.pk,
                member=member,
                data=data,
                expected_version=game.version,
                key="k",
                now=after(1),
            )
        counts[name] = len(caught)

    assert counts["plain"] == counts["none"] + 1
    assert counts["bank"] == counts["none"] + 2


# Expiring ------------------------------------------------------------------------------------------


def deliver(game: Game, at: datetime = NOW) -> None:
    """Let all mails of a game be sent."""
    Mail.objects.filter(state="waiting", refs__game=game.pk).update(state="sent", sent_at=at)


def types(game: Game, last: int) -> list[str]:
    game.refresh_from_db()
    return [event.type for event in events_after(game, game.version - last, 99)]


def keys(kind: str) -> list[str]:
    return list(Mail.objects.filter(kind=kind).order_by("pk").values_list("key", flat=True))


def test_nothing_expires_before_its_deadline() -> None:
    game = make_timed(expiry="pass")
    deliver(game)

    assert expire_due(now=after(72) - timedelta(seconds=1)) == 0
    assert expire_due(now=after(72)) == 1


def test_pass_hands_the_turn_on_and_earns_nothing() -> None:
    game = make_timed(clock=WITH_A_BANK, expiry="pass")
    first = game.turn_seat
    assert first is not None
    deliver(game)

    assert expire_due(now=after(72)) == 1

    assert types(game, 1) == ["TurnExpired"]
    assert game.turn_seat == 1 - first
    assert banks(game)[first] == 0
    assert game.deadline == after(72 + 72)
    assert keys("expired") == [f"expired:{game.uuid}:{game.version}:{'AB'[first]}"]
    assert game.events.get(number=game.version).actor is None


def test_three_passes_in_a_row_cost_the_seat_and_the_organisers_hear_of_it() -> None:
    game = make_timed(3, teams=3, expiry="pass")
    first = game.turn_seat
    assert first is not None
    now = NOW
    for _ in range(2):
        now = pass_by_the_clock(game)
        for _ in range(2):
            play_one(game, now=now + timedelta(minutes=1))
            now += timedelta(minutes=1)
            deliver(game, now)

    pass_by_the_clock(game)

    assert types(game, 2) == ["TurnExpired", "SeatLeft"]
    assert not seats(game)[first].is_active
    assert game.turn_seat != first
    assert len(keys("late")) == 1


def pass_by_the_clock(game: Game) -> datetime:
    game.refresh_from_db()
    deadline = game.deadline
    assert deadline is not None
    deliver(game, deadline - timedelta(hours=24))
    assert expire_due(now=deadline) == 1
    return deadline


@pytest.mark.parametrize(("expiry", "end"), [("forfeit_seat", "last_team"), ("forfeit_team", "last_team")])
def test_forfeits_end_a_game_of_two(expiry: str, end: str) -> None:
    game = make_timed(expiry=expiry)
    first = game.turn_seat
    assert first is not None
    deliver(game)

    expire_due(now=after(72))

    game.refresh_from_db()
    assert (game.status, game.end, game.winner) == ("finished", end, 1 - first)
    assert (game.deadline, game.clock_since) == (None, None)
    assert verify_game(game.pk) == []


def test_a_seat_that_forfeits_leaves_its_team_mates_in() -> None:
    game = make_timed(4, expiry="forfeit_seat")
    deliver(game)

    expire_due(now=after(72))

    assert types(game, 2) == ["TurnExpired", "SeatLeft"]
    assert game.deadline == after(144)


def test_ask_stops_the_clock_and_an_organiser_gives_a_new_turn_time() -> None:
    game = make_timed(clock=WITH_A_BANK, expiry="ask")
    first = game.turn_seat
    assert first is not None
    deliver(game)

    expire_due(now=after(72))

    assert types(game, 1) == ["TurnExpired"]
    assert (game.is_paused, game.turn_seat, game.deadline) == (True, first, None)
    assert expire_due(now=after(1000)) == 0
    assert len(keys("late")) == 1
    rule(game, "resume", after(100))
    assert (game.deadline, banks(game)[first]) == (after(124), 0)


def test_bot_lets_a_bot_play_this_one_turn() -> None:
    game = make_timed(clock=WITH_A_BANK, expiry="bot")
    first = game.turn_seat
    assert first is not None
    deliver(game)

    expire_due(now=after(72))

    game.refresh_from_db()
    assert (game.bot_stands_in, game.turn_seat, game.deadline, banks(game)[first]) == (True, first, None, 0)
    let_bots_play(game, after(73))
    game.refresh_from_db()
    assert (game.bot_stands_in, game.turn_seat, banks(game)[first]) == (False, 1 - first, 0)
    assert game.deadline == after(73 + 72)


def test_a_beat_that_was_away_for_days_expires_one_turn_once() -> None:
    game = make_timed(expiry="pass")
    deliver(game)

    counts = [expire_due(now=after(300)) for _ in range(3)]

    assert counts == [1, 0, 0]
    game.refresh_from_db()
    assert game.clock_since == after(300)


@pytest.mark.parametrize("start", ["2026-03-27T18:00", "2026-10-23T18:00"])
def test_both_changes_of_daylight_time_meet_each_deadline_once(start: str) -> None:
    begin = datetime.fromisoformat(start).replace(tzinfo=UTC)
    club = make_club(organiser=make_user())
    players = [make_member(club, make_user(name, zone="Europe/Stockholm")).user for name in ("a2", "b2")]
    game = propose_game(proposer=players[0], club=club, seats=2, clock=Clock(48), expiry="pass", now=begin)
    take_seat(member=players[1], game_id=game.pk, now=begin)
    game.refresh_from_db()
    deliver(game, begin)
    deadline = begin + timedelta(hours=48)
    assert game.deadline == deadline

    steps = [deadline + timedelta(minutes=15 * step) for step in range(-8, 9)]
    expired = [expire_due(now=at) for at in steps]

    assert expired == [0] * 8 + [1] + [0] * 8


@pytest.mark.django_db(transaction=True)
def test_two_sweeps_at_once_do_what_one_does() -> None:
    game = make_timed(expiry="pass")
    deliver(game)
    version = game.version

    def sweep(_: int) -> int:
        try:
            return expire_due(now=after(72))
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(sweep, range(4)))

    assert sorted(counts) == [0, 0, 0, 1]
    game.refresh_from_db()
    assert game.version == version + 1
    assert len(keys("expired")) == 1


def test_a_turn_that_is_taken_just_before_the_sweep_does_not_expire() -> None:
    game = make_timed(expiry="pass")
    deliver(game)
    play_one(game, now=after(72))

    assert expire_due(now=after(72)) == 0


def test_a_damaged_game_does_not_stop_the_clocks_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [make_timed(expiry="pass") for _ in range(2)]
    for game in games:
        deliver(game)

    def load(game: Game, source: Any) -> Any:
        if game.pk == games[0].pk:
            raise CorruptEvents("damaged")
        return load_rest(game, source)

    monkeypatch.setattr(expiring, "load_rest", load)

    assert expire_due(now=after(73)) == 1
    games[1].refresh_from_db()
    assert games[1].clock_since == after(73)


def test_each_expiry_of_one_turn_is_told() -> None:
    game = make_timed(expiry="ask")
    seat = "AB"[game.turn_seat or 0]
    deliver(game)
    expire_due(now=after(72))
    first = game.version + 1
    rule(game, "resume", after(100))
    deliver(game, after(100))

    assert expire_due(now=after(172)) == 1

    game.refresh_from_db()
    assert game.is_paused
    assert keys("expired") == [f"expired:{game.uuid}:{version}:{seat}" for version in (first, game.version)]
    assert [key.rpartition(".")[0] for key in keys("late")] == [
        f"late:{game.uuid}:1:{seat}:{version}" for version in (first, game.version)
    ]


def test_a_closed_account_is_told_nothing_as_an_organiser() -> None:
    game = make_timed(expiry="ask")
    olga = make_member(game.club, make_user("olga", is_active=False), role="organiser").user
    deliver(game)

    expire_due(now=after(72))

    assert [mail.member_id == olga.pk for mail in Mail.objects.filter(kind="late")] == [False]


# Told ----------------------------------------------------------------------------------------------


def test_nobody_loses_a_turn_of_which_the_mail_waits() -> None:
    game = make_timed(expiry="pass")

    assert expire_due(now=after(72)) == 0

    game.refresh_from_db()
    assert game.deadline == after(72 + 15)  # twelve hours, and those of the night
    deliver(game, after(80))
    assert expire_due(now=after(87)) == 0
    game.refresh_from_db()
    assert game.deadline == after(92)
    assert expire_due(now=after(92)) == 1


def test_a_short_turn_waits_for_a_quarter_of_its_hours() -> None:
    game = make_timed(clock=Clock(4), expiry="pass")
    deliver(game, after(3.5))

    assert expire_due(now=after(4)) == 0

    game.refresh_from_db()
    assert game.deadline == after(4.5)


def test_a_mail_that_was_given_up_counts_as_told() -> None:
    make_timed(expiry="pass")
    Mail.objects.update(state="failed", last_error="no address")

    assert expire_due(now=after(72)) == 1


def test_a_mail_in_a_digest_is_told_with_the_digest() -> None:
    game = make_timed(expiry="pass")
    digest = Mail.objects.create(
        key="digest:1", kind="digest", address="a@example.org", created_at=NOW, due_at=NOW
    )
    Mail.objects.filter(kind="turn").update(state="carried", within=digest)

    assert expire_due(now=after(72)) == 0
    Mail.objects.filter(pk=digest.pk).update(state="sent", sent_at=after(60))
    game.refresh_from_db()
    assert game.deadline is not None
    assert expire_due(now=game.deadline) == 1


def test_who_was_never_told_is_told_first() -> None:
    make_timed(expiry="pass")
    key = keys("turn")[0]
    Mail.objects.all().delete()

    assert expire_due(now=after(72)) == 0

    assert keys("turn") == [key]


def test_a_substitute_is_told_by_a_mail_of_their_own() -> None:
    game = make_timed(expiry="pass")
    deliver(game)
    substitute = make_member(game.club).user
    letter = "AB"[game.turn_seat or 0]
    rule(game, "replace", after(10), seat=letter, substitute=substitute)

    assert expire_due(now=after(82)) == 0
    deliver(game, after(83))

    game.refresh_from_db()
    assert keys("turn")[-1] == f"turn:{game.uuid}:1:{letter}:s{game.version}"
    assert expire_due(now=after(120)) == 1


def test_time_that_runs_on_is_told_anew_and_lasts_for_a_notice() -> None:
    game = make_timed(clock=Clock(24), expiry="forfeit_seat")
    deliver(game)
    remind_due(now=after(12))
    remind_due(now=after(20.5))
    rule(game, "pause", after(23.9))
    later = 23.9 + 60 * 24  # in the evening
    rule(game, "resume", after(later))

    name = f"paused:{game.uuid}:{game.version}:{'AB'[game.turn_seat or 0]}"
    assert keys("paused")[-1] == name
    # A quarter of the turn from 17:54 on would end at 23:54, in the night.
    assert game.deadline == after(62 * 24 - 9)
    deliver(game, after(later + 14))
    assert game.deadline is not None
    assert expire_due(now=game.deadline) == 0
    game.refresh_from_db()
    assert game.deadline == after(later + 20)
    assert expire_due(now=after(later + 20)) == 1


def test_reminders_go_out_anew_when_time_runs_on() -> None:
    game = make_timed()
    remind_due(now=after(36))
    remind_due(now=after(62))
    rule(game, "pause", after(62))
    rule(game, "resume", after(1000))
    assert game.remind_at is None  # the mail that time runs on tells as much
    rule(game, "pause", after(1001))
    Game.objects.filter(pk=game.pk).update(clock_spent_seconds=40 * HOUR)
    rule(game, "resume", after(2000))

    assert remind_due(now=after(2022)) == 1

    assert keys("reminder")[-1] == f"reminder:{game.uuid}:1:{'AB'[game.turn_seat or 0]}:r{game.version}:85"


def test_an_erased_member_expires_like_anybody() -> None:
    game = make_timed(expiry="pass")
    Mail.objects.all().delete()
    Seat.objects.filter(game=game).update(member=None)

    assert remind_due(now=after(40)) == 0
    assert expire_due(now=after(72)) == 1


# Mail that comes back ------------------------------------------------------------------------------


def test_the_clock_stops_for_who_gets_no_mail_and_the_organisers_hear_of_it() -> None:
    game = make_timed(expiry="forfeit_team")
    member = player_on_turn(game)
    suppression = Suppression.objects.create(address=member.email.lower(), reason="bounced", since=after(1))

    sweep_clocks(now=after(2))
    sweep_clocks(now=after(2))

    assert types(game, 1) == ["ClockPaused"]
    assert (game.is_paused, game.deadline, game.clock_spent_seconds) == (True, None, 2 * HOUR)
    organiser = User.objects.get(memberships__club=game.club, memberships__role="organiser")
    about = f"{suppression.pk}:{game.pk}:{game.version}"
    assert keys("bounced") == [f"bounced:{member.uuid}:{about}:{organiser.pk}"]
    reason = Reason.objects.get(game=game)
    assert member.get_full_name() in reason.text
    assert reason.given_by is None
    assert verify_game(game.pk) == []


def test_an_organiser_who_lets_time_run_on_is_not_overruled_in_that_turn() -> None:
    game = make_timed(expiry="pass")
    member = player_on_turn(game)
    Suppression.objects.create(address=member.email.lower(), reason="bounced", since=after(1))
    sweep_clocks(now=after(2))
    rule(game, "resume", after(3))

    sweep_clocks(now=after(4))

    game.refresh_from_db()
    assert not game.is_paused
    Mail.objects.update(state="failed")
    assert game.deadline is not None
    assert expire_due(now=game.deadline) == 1


def test_who_calls_our_mail_spam_stops_no_clock() -> None:
    game = make_timed(expiry="pass")
    member = player_on_turn(game)
    Suppression.objects.create(address=member.email.lower(), reason="complaint", since=after(1))

    sweep_clocks(now=after(2))

    game.refresh_from_db()
    assert not game.is_paused
    assert keys("bounced") == []


def test_a_second_stop_is_told_again() -> None:
    game = make_timed()
    member = player_on_turn(game)
    Suppression.objects.create(address=member.email.lower(), reason="bounced", since=after(1))
    sweep_clocks(now=after(2))
    play_one(game, now=after(3))
    sweep_clocks(now=after(4))
    play_one(game, now=after(5))

    sweep_clocks(now=after(6))

    assert types(game, 1) == ["ClockPaused"]
    assert len(keys("bounced")) == 2


def test_a_substitute_whom_no_mail_reaches_stops_the_clock_as_well() -> None:
    game = make_timed(expiry="forfeit_seat")
    substitute = make_member(game.club).user
    Suppression.objects.create(address=substitute.email.lower(), reason="bounced", since=NOW)
    rule(game, "replace", after(10), seat="AB"[game.turn_seat or 0], substitute=substitute)

    sweep_clocks(now=after(11))

    assert types(game, 1) == ["ClockPaused"]
    rule(game, "resume", after(12))
    version = game.version
    sweep_clocks(now=after(13))
    assert types(game, 0) == []
    assert game.version == version


def test_the_clock_runs_on_when_the_turn_is_over_for_which_it_stood() -> None:
    game = make_timed()
    member = player_on_turn(game)
    Suppression.objects.create(address=member.email.lower(), reason="bounced", since=after(1))
    sweep_clocks(now=after(2))
    sweep_clocks(now=after(3))
    game.refresh_from_db()
    assert game.is_paused
    play_one(game, now=after(4))

    sweep_clocks(now=after(5))

    assert types(game, 1) == ["ClockResumed"]
    assert game.events.get(number=game.version).actor is None
    assert (game.is_paused, game.clock_since, game.deadline) == (False, after(5), after(87))
    assert keys("paused")[-1] == f"paused:{game.uuid}:{game.version}:{'AB'[game.turn_seat or 0]}"
    assert verify_game(game.pk) == []


def test_the_clock_runs_on_for_a_substitute_and_once_mail_arrives_again() -> None:
    games = [make_timed(), make_timed()]
    for game in games:
        address = player_on_turn(game).email.lower()
        Suppression.objects.create(address=address, reason="bounced", since=after(1))
    sweep_clocks(now=after(2))
    substitute = make_member(games[0].club).user
    rule(games[0], "replace", after(3), seat="AB"[games[0].turn_seat or 0], substitute=substitute)
    Suppression.objects.filter(address=player_on_turn(games[1]).email.lower()).delete()

    sweep_clocks(now=after(4))

    assert [types(game, 1) for game in games] == [["ClockResumed"]] * 2
    assert [game.deadline for game in games] == [after(4 + 72), after(4 + 70)]


def test_a_pause_by_an_organiser_stays() -> None:
    game = make_timed()
    rule(game, "pause", after(2))
    play_one(game, now=after(4))

    sweep_clocks(now=after(5))

    game.refresh_from_db()
    assert game.is_paused


def test_only_who_is_on_turn_stops_the_clock() -> None:
    game = make_timed()
    waiting = seats(game)[1 - (game.turn_seat or 0)].member
    Suppression.objects.create(address=waiting.email.lower(), reason="bounced", since=NOW)

    sweep_clocks(now=after(1))
    before = game.version
    game.refresh_from_db()
    assert game.version == before
    play_one(game, now=after(2))
    sweep_clocks(now=after(3))

    assert types(game, 1) == ["ClockPaused"]


# Reminders -----------------------------------------------------------------------------------------


def test_reminders_go_out_at_half_and_at_most_of_the_time_once_each() -> None:
    game = make_timed()
    name = f"reminder:{game.uuid}:1:{'AB'[game.turn_seat or 0]}"

    counts = [remind_due(now=after(hours)) for hours in (35, 36, 36, 61, 61.2, 62, 71)]

    assert counts == [0, 1, 0, 0, 1, 0, 0]
    assert keys("reminder") == [f"{name}:50", f"{name}:85"]
    assert Mail.objects.filter(kind="reminder").first().refs == {  # type: ignore[union-attr]
        "game": game.pk, "seat": game.turn_seat, "number": 1, "percent": 50, "version": game.version,
    }  # fmt: skip


def test_of_two_reminders_that_are_late_only_the_later_is_sent() -> None:
    make_timed()

    assert remind_due(now=after(70)) == 1

    assert [key[-3:] for key in keys("reminder")] == [":85"]
    assert remind_due(now=after(71)) == 0


def test_a_turn_that_is_taken_needs_no_reminder() -> None:
    game = make_timed()

    play_one(game, now=after(30))

    assert remind_due(now=after(40)) == 0
    assert keys("reminder") == []


def test_leave_after_a_reminder_does_not_repeat_it() -> None:
    game = make_timed()
    member = player_on_turn(game)
    remind_due(now=after(40))

    take_leave(member=member, starts_on=date(2026, 12, 3), ends_on=date(2026, 12, 3), now=after(41))
    remind_due(now=after(42))

    game.refresh_from_db()
    assert game.deadline == after(96)
    assert len(keys("reminder")) == 1
    assert game.remind_at == after(24 + 61.2)


def test_days_of_rest_after_a_reminder_bring_it_once_more() -> None:
    game = make_timed()
    member = player_on_turn(game)
    remind_due(now=after(40))
    remind_due(now=after(62))
    take_leave(member=member, starts_on=date(2026, 12, 3), ends_on=date(2026, 12, 9), now=after(63))

    remind_due(now=after(64))
    assert [key[-3:] for key in keys("reminder")] == [":50", ":85"]
    assert remind_due(now=after(61.2 + 7 * 24)) == 1

    assert keys("reminder")[-1].endswith(":85:2026-12-10")


def test_a_sweep_with_nothing_to_do_asks_three_times(django_assert_num_queries: Any) -> None:
    make_timed()

    with django_assert_num_queries(3):
        sweep_clocks(now=after(1))


def test_the_questions_of_a_sweep_are_answered_from_indexes() -> None:
    game = make_timed()
    row = {
        field.attname: getattr(game, field.attname)
        for field in Game._meta.concrete_fields
        if field.name not in ("id", "uuid", "deadline", "remind_at", "created_by")
    }
    Game.objects.bulk_create(Game(**row) for _ in range(3000))
    with CaptureQueriesContext(connection) as caught:
        sweep_clocks(now=NOW)

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE play_game")
        plans = []
        for query in caught.captured_queries:
            cursor.execute(f"EXPLAIN {query['sql']}")
            plans.append(" ".join(line for (line,) in cursor.fetchall()))

    standing, deadlines, reminders = plans
    assert "game_paused" in standing
    assert "game_deadline" in deadlines
    assert "game_remind_at" in reminders


# Leave that is taken by itself ---------------------------------------------------------------------


def absent(game: Game) -> User:
    member = player_on_turn(game)
    User.objects.filter(pk=member.pk).update(takes_leave_automatically=True)
    deliver(game)
    return member


def leaves(member: User) -> list[tuple[date, date, bool]]:
    return list(
        Leave.objects.filter(member=member)
        .order_by("starts_on")
        .values_list("starts_on", "ends_on", "is_automatic")
    )


def test_leave_is_taken_by_itself_where_a_member_wishes_it() -> None:
    game = make_timed(expiry="forfeit_team")
    member = absent(game)

    assert expire_due(now=after(72)) == 0

    game.refresh_from_db()
    assert game.deadline == after(96)
    assert leaves(member) == [(date(2026, 12, 3), date(2026, 12, 3), True)]
    assert expire_due(now=after(96)) == 0
    assert leaves(member) == [(date(2026, 12, 3), date(2026, 12, 4), True)]
    name = f"reminder:{game.uuid}:1:{'AB'[game.turn_seat or 0]}:leave"
    assert keys("reminder") == [f"{name}:2026-12-04", f"{name}:2026-12-05"]
    mails = list(Mail.objects.filter(kind="reminder").order_by("pk"))
    assert [mail.refs["percent"] for mail in mails] == [100, 100]
    content = render_reminder(mails[1], after(97))
    assert content is not None
    assert "a day of leave was taken for you" in content.text


def test_a_late_sweep_takes_the_days_that_a_sweep_in_time_would_have_taken() -> None:
    game = make_timed(expiry="forfeit_team")
    member = absent(game)

    assert expire_due(now=after(72 + 60)) == 0

    game.refresh_from_db()
    assert leaves(member) == [(date(2026, 12, 3), date(2026, 12, 5), True)]
    assert game.deadline == after(144)


def test_a_turn_expires_when_the_leave_is_spent(settings: Any) -> None:
    settings.LEAVE_DAYS_A_YEAR = 2
    game = make_timed(expiry="pass")
    member = absent(game)

    assert expire_due(now=after(72 + 60)) == 1

    assert leaves(member) == []  # three days would have been needed


def test_leave_of_one_game_moves_the_deadlines_of_the_others() -> None:
    club = make_club(organiser=make_user())
    players = make_players(club, 2)
    games = [make_timed(clock=Clock(hours), club=club, players=players) for hours in (72, 96)]
    member = player_on_turn(games[0])
    deliver(games[0])
    User.objects.filter(pk=member.pk).update(takes_leave_automatically=True)
    if player_on_turn(games[1]) != member:
        play_one(games[1], now=NOW)

    expire_due(now=after(72))

    games[1].refresh_from_db()
    assert games[1].deadline == after(120)


def test_a_zone_that_changed_is_followed_when_time_would_run_out() -> None:
    game = make_timed(clock=Clock(4), expiry="pass")  # 22:00 in UTC, and 23:00 in Stockholm
    member = player_on_turn(game)
    deliver(game)
    User.objects.filter(pk=member.pk).update(zone="Europe/Stockholm")

    assert expire_due(now=after(4)) == 0

    game.refresh_from_db()
    assert game.deadline == after(14)


def test_the_task_of_the_sweep_looks_at_the_time_as_it_is() -> None:
    game = make_timed(expiry="pass")
    deliver(game)

    with time_machine.travel(after(72), tick=False):
        tasks.sweep_clocks()

    game.refresh_from_db()
    assert game.clock_since == after(72)
