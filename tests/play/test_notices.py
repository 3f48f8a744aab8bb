"""Which rows a turn puts into the outbox, and that it does so in its own transaction."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import DataError, connection

from games.mail.models import Mail
from games.play.models import Game
from games.play.services import proposing
from games.play.services.organising import rule_game
from games.play.services.substituting import answer_offer, offer_seat
from games.play.services.turns import take_turn
from games.rules.refusal import IllegalAction
from tests.builders import NOW, make_club, make_member, make_user
from tests.play.builders import legal, make_game, play_one, player_on_turn

pytestmark = pytest.mark.django_db(transaction=True)


def new_mails(since: int = 0) -> list[tuple[str, str, str | None]]:
    """Return kind, what follows the game in the key, and the reader, of the mails after row `since`."""
    return [
        (mail.kind, mail.key.split(":", 2)[2], mail.member and mail.member.username)
        for mail in Mail.objects.filter(pk__gt=since).order_by("kind", "key").select_related("member")
    ]


def last_row() -> int:
    newest = Mail.objects.order_by("-pk").first()
    return 0 if newest is None else newest.pk


def rule(game: Game, act: str, **more: Any) -> None:
    game.refresh_from_db()
    organiser = game.club.memberships.get(role="organiser").user
    rule_game(
        game_id=game.pk,
        organiser=organiser,
        data={"act": act, **more},
        substitute=more.get("substitute"),
        expected_version=game.version,
        now=NOW,
    )


def player_seat(game: Game) -> int:
    game.refresh_from_db()
    assert game.turn_seat is not None
    return game.turn_seat


def names(game: Game) -> list[str]:
    return [place.member.username for place in game.places.select_related("member").order_by("number")]


def test_the_start_tells_everybody_and_the_first_seat_that_it_is_on_turn():
    game = make_game(4)
    sits = names(game)
    first = game.turn_seat
    assert first is not None

    told = new_mails()

    others = [("started", "ABCD"[seat], sits[seat]) for seat in range(4) if seat != first]
    assert told == [*others, ("turn", f"1:{'ABCD'[first]}", sits[first])]


def test_a_turn_tells_the_next_seat_and_nobody_else():
    game = make_game(3)
    before, sits = last_row(), names(game)
    seat = game.turn_seat
    assert seat is not None

    play_one(game)

    after = (seat + 1) % 3
    assert new_mails(before) == [("turn", f"2:{'ABC'[after]}", sits[after])]
    game.refresh_from_db()
    refs = Mail.objects.get(key=f"turn:{game.uuid}:2:{'ABC'[after]}").refs
    assert refs == {"game": game.pk, "seat": after, "version": game.version, "number": 2}


def test_a_swap_tells_nobody():
    game = make_game(2)
    for number in range(400):
        member = player_on_turn(game)
        swaps = [data for data in legal(game, member) if data["act"] == "swap"]
        if swaps:
            break
        play_one(game, pick=number * 5)
    before = last_row()

    game.refresh_from_db()
    take_turn(game_id=game.pk, member=member, data=swaps[0], expected_version=game.version, now=NOW)

    assert new_mails(before) == []


def test_a_turn_that_is_refused_or_fails_leaves_no_mail():
    game = make_game(2)
    before = last_row()
    member = player_on_turn(game)

    with pytest.raises(IllegalAction):
        take_turn(
            game_id=game.pk, member=member, data={"act": "pass"}, expected_version=game.version, now=NOW
        )

    assert new_mails(before) == []


def test_a_repeated_request_tells_once():
    game = make_game(2)
    before = last_row()
    member = player_on_turn(game)
    data, version = legal(game, member)[0], game.version

    for _ in range(2):
        take_turn(game_id=game.pk, member=member, data=data, expected_version=version, key="k", now=NOW)

    assert [kind for kind, _, _ in new_mails(before)] == ["turn"]


def test_who_has_a_card_to_draw_by_hand_is_told_ten_minutes_later():
    game = make_game(2, draw_mode="manual")
    before, seat = last_row(), game.turn_seat
    assert seat is not None

    play_one(game)

    game.refresh_from_db()
    kinds = {kind: what for kind, what, _ in new_mails(before)}
    assert kinds == {"draw": f"{game.version}:{'AB'[seat]}", "turn": f"2:{'BA'[seat]}"}
    mail = Mail.objects.get(kind="draw")
    assert (mail.due_at - mail.created_at).total_seconds() == 600


def test_table_talk_tells_who_owes_and_the_others():
    game = make_game(4)
    before, sits = last_row(), names(game)

    rule(game, "table_talk", team="blue")

    game.refresh_from_db()
    version = game.version
    assert new_mails(before) == [
        ("pay", f"{version}:A", sits[0]),
        ("pay", f"{version}:C", sits[2]),
        ("talk", f"{version}:B", sits[1]),
        ("talk", f"{version}:D", sits[3]),
    ]


def test_an_offer_of_a_draw_tells_the_other_team():
    game = make_game(4)
    before, sits = last_row(), names(game)
    member = game.places.get(number=0).member

    take_turn(
        game_id=game.pk, member=member, data={"act": "offer_draw"}, expected_version=game.version, now=NOW
    )

    version = game.version + 1
    assert new_mails(before) == [
        ("answer", f"{version}:{letter}", sits[seat]) for seat, letter in ((1, "B"), (3, "D"))
    ]


def test_offers_and_calls_without_end_mail_twice_a_turn_at_most():
    game = make_game(4)
    before = last_row()
    member = game.places.get(number=0).member

    for _ in range(4):
        for act in ("offer_draw", "decline_draw"):
            game.refresh_from_db()
            take_turn(
                game_id=game.pk, member=member, data={"act": act}, expected_version=game.version, now=NOW
            )
    for _ in range(4):
        rule(game, "table_talk", team="blue")

    kinds = [kind for kind, _, _ in new_mails(before)]
    assert (kinds.count("answer"), kinds.count("talk")) == (4, 4)


def test_the_end_tells_all_seats_and_an_annulment_tells_them_again():
    game = make_game(2)
    before, sits = last_row(), names(game)

    rule(game, "rule", winner="blue", reason="They had agreed.")
    game.refresh_from_db()
    first = game.version
    rule(game, "annul", reason="They had not.")

    game.refresh_from_db()
    assert new_mails(before) == [
        ("over", f"{version}:{letter}", sits[seat])
        for version in sorted((first, game.version), key=str)
        for seat, letter in ((0, "A"), (1, "B"))
    ]


@pytest.mark.parametrize(
    ("policy", "kinds"),
    [
        ("pass", ["expired", "turn"]),
        ("ask", ["expired", "late"]),
        ("bot", ["expired"]),
        ("forfeit_seat", ["expired", "late", "over", "over"]),
    ],
)
def test_what_the_clock_does_is_told(policy, kinds):
    club = make_club(organiser=make_user())
    game = make_game(2, club=club)
    Game.objects.filter(pk=game.pk).update(expiry=policy)
    before = last_row()

    rule(game, "expire")

    assert [kind for kind, _, _ in new_mails(before)] == kinds


def test_a_substitute_on_turn_is_told_with_a_key_of_its_own():
    game = make_game(2)
    substitute = make_member(game.club).user
    before, seat, sits = last_row(), game.turn_seat, names(game)
    assert seat is not None

    rule(game, "replace", seat="AB"[seat], substitute=substitute)

    game.refresh_from_db()
    assert new_mails(before) == [
        ("replaced", f"{game.version}:{'AB'[seat]}", sits[seat]),
        ("turn", f"1:{'AB'[seat]}:s{game.version}", substitute.username),
    ]


def test_both_are_told_when_a_seat_that_is_not_on_turn_is_given_to_another():
    game = make_game(2)
    substitute = make_member(game.club).user
    before, sits = last_row(), names(game)
    seat = 1 - player_seat(game)

    rule(game, "replace", seat="AB"[seat], substitute=substitute)

    game.refresh_from_db()
    about = f"{game.version}:{'AB'[seat]}"
    assert new_mails(before) == [("replaced", about, sits[seat]), ("seated", about, substitute.username)]


def test_who_accepts_an_offer_is_not_told_of_it_and_whose_seat_it_was_is():
    game = make_game(2)
    substitute = make_member(game.club).user
    organiser = game.club.memberships.get(role="organiser").user
    sits, seat = names(game), 1 - player_seat(game)
    offer = offer_seat(organiser=organiser, game_id=game.pk, seat=seat, member=substitute, now=NOW)
    before = last_row()

    answer_offer(member=substitute, offer_id=offer.pk, accept=True, now=NOW)

    game.refresh_from_db()
    assert new_mails(before) == [("replaced", f"{game.version}:{'AB'[seat]}", sits[seat])]


def test_an_organiser_who_takes_over_the_seat_of_a_bot_tells_nobody():
    club = make_club(organiser=make_user())
    member = make_member(club).user
    game = proposing.propose_game(proposer=member, club=club, seats=3, bots=[1, 2], now=NOW)
    before = last_row()
    seat = next(seat for seat in (1, 2) if seat != game.turn_seat)

    rule(game, "replace", seat="ABC"[seat], substitute=club.memberships.get(role="organiser").user)

    assert new_mails(before) == []


def test_who_is_on_turn_is_told_that_the_clock_stands_and_that_it_runs():
    game = make_game(2)
    before, sits, seat = last_row(), names(game), player_seat(game)

    rule(game, "pause", reason="Storm.")
    rule(game, "resume", reason="It is over.")

    game.refresh_from_db()
    assert new_mails(before) == [
        ("paused", f"{version}:{'AB'[seat]}", sits[seat]) for version in (game.version - 1, game.version)
    ]


def test_each_member_for_whom_a_seat_is_kept_is_asked():
    club = make_club(organiser=make_user())
    anna, bo, cleo = (make_member(club).user for _ in range(3))

    game = proposing.propose_game(
        proposer=anna, club=club, seats=4, teams=2, invited={1: bo, 2: cleo}, now=NOW
    )

    assert new_mails() == [
        ("kept", f"B:{bo.uuid}", bo.username),
        ("kept", f"C:{cleo.uuid}", cleo.username),
    ]
    refs = Mail.objects.get(member=bo).refs
    assert refs == {"game": game.pk, "seat": 1, "version": game.version, "by": anna.pk}


def test_a_seat_that_is_kept_again_asks_once_and_one_kept_for_oneself_nobody():
    club = make_club(organiser=make_user())
    anna, bo = (make_member(club).user for _ in range(2))
    game = proposing.propose_game(proposer=anna, club=club, seats=2, own_seat=None, now=NOW)

    for invited in (bo, None, bo, anna):
        proposing.invite_to_seat(inviter=anna, game_id=game.pk, seat=1, invited=invited, now=NOW)

    assert new_mails() == [("kept", f"B:{bo.uuid}", bo.username)]


def test_nobody_is_asked_to_more_kept_seats_in_a_day_than_they_can_mean():
    club = make_club(organiser=make_user())
    anna, bo, cleo = (make_member(club).user for _ in range(3))

    for number in range(12):
        game = proposing.propose_game(
            proposer=anna, club=club, seats=2, name=str(number), invited={1: bo}, now=NOW
        )
    proposing.propose_game(proposer=anna, club=club, seats=2, invited={1: cleo}, now=NOW)

    assert game.places.get(number=1).invited == bo
    assert Mail.objects.filter(kind="kept", member=bo).count() == 10
    assert Mail.objects.filter(kind="kept", member=cleo).count() == 1
    proposing.propose_game(
        proposer=anna, club=club, seats=2, invited={1: bo}, now=NOW + timedelta(days=1, seconds=1)
    )
    assert Mail.objects.filter(kind="kept", member=bo).count() == 11


def test_bots_are_not_written_to():
    club = make_club(organiser=make_user())
    member = make_member(club).user
    game = proposing.propose_game(proposer=member, club=club, seats=2, bots=[1], now=NOW)

    assert {who for _, _, who in new_mails()} == {member.username}
    assert game.turn_seat is not None


def test_a_turn_whose_mail_cannot_be_written_did_not_happen():
    game = make_game(2)
    before, version = last_row(), game.version

    def refuse_mail(execute, sql, params, many, context):
        if "INSERT INTO mail_mail" in sql:
            raise DataError("no room in the outbox")
        return execute(sql, params, many, context)

    with pytest.raises(DataError), connection.execute_wrapper(refuse_mail):
        play_one(game)

    game.refresh_from_db()
    assert game.version == version
    assert new_mails(before) == []
