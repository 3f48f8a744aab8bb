"""Letting everything happen of which somebody is told: one mail of each kind, as bytes."""

from datetime import timedelta
from typing import Any

import time_machine

from games.accounts.models import User
from games.accounts.services import request_codes
from games.clubs.addresses import correct_address
from games.clubs.models import Club
from games.clubs.own_address import ask_for_address
from games.clubs.services import invite
from games.mail.kinds import KINDS
from games.mail.message import _id_of
from games.mail.models import Mail
from games.mail.services import deliver, suppress
from games.play.clocks import Clock
from games.play.models import Game
from games.play.services.expiring import sweep_clocks
from games.play.services.link_mails import mail_links
from games.play.services.organising import rule_game
from games.play.services.proposing import propose_game, take_seat
from games.play.services.substituting import offer_seat
from tests.builders import NOW, make_club, make_member, make_user
from tests.journeys.post import Letter
from tests.mail.servers import Mailbox
from tests.play.builders import make_game, play_one, play_to_the_end, player_on_turn
from tests.play.links import call_table_talk, offer_draw

MAILED = {*KINDS, "digest", "code"}


def speak(language: str) -> None:
    User.objects.update(language=language, zone="Europe/Stockholm")


def timed_game(club: Club, players: list[User], expiry: str = "ask", **options: Any) -> Game:
    game = propose_game(
        proposer=players[0],
        club=club,
        seats=len(players),
        name="Four by post",
        options=options,
        expiry=expiry,
        clock=Clock(turn_hours=72),
        now=NOW,
    )
    for player in players[1:]:
        take_seat(member=player, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    return game


def every_kind_of_mail(mailbox: Mailbox, language: str) -> dict[str, bytes]:
    """Let everything happen of which somebody is told; return a mail of each kind, by its kind."""
    with time_machine.travel(NOW, tick=False):
        _give_reasons(language)
    keys = {_id_of(mail.key): mail.kind for mail in Mail.objects.all()}
    found = {keys.get(Letter(raw).id, "code"): raw for _, raw in mailbox.taken}
    assert set(found) == MAILED
    return found


def _give_reasons(language: str) -> None:
    organiser = make_user("olga")
    club = make_club("thursday", name="The Thursday Club", is_open=True, organiser=organiser)
    players = [make_member(club, make_user(name)).user for name in ("anna", "bo", "carla", "emil")]
    speak(language)
    first = timed_game(club, players)
    for number in range(14):
        play_one(first, pick=number * 5)
    speak(language)
    deliver(now=NOW)
    sweep_clocks(now=NOW + timedelta(hours=40))
    deliver(now=NOW + timedelta(hours=40))
    sweep_clocks(now=NOW + timedelta(hours=100))
    by_hand = make_game(4, club=club, draw_mode="manual")
    for number in range(6):
        play_one(by_hand, pick=number)
    speak(language)
    call_table_talk(by_hand, player_on_turn(by_hand))
    offer_draw(by_hand, player_on_turn(by_hand))
    speak(language)
    robin = make_member(club, make_user("robin")).user
    speak(language)
    offer_seat(organiser=organiser, game_id=by_hand.pk, seat=0, member=robin, now=NOW)
    by_hand.refresh_from_db()
    rule_game(
        game_id=by_hand.pk,
        organiser=organiser,
        data={"act": "pause", "reason": "Half the club is ill."},
        expected_version=by_hand.version,
        now=NOW,
    )
    by_hand.refresh_from_db()
    newest = make_member(club, make_user("femke")).user
    speak(language)
    rule_game(
        game_id=by_hand.pk,
        organiser=organiser,
        data={"act": "replace", "seat": "ABCD"[by_hand.turn_seat - 1]},
        substitute=newest,
        expected_version=by_hand.version,
        now=NOW,
    )
    propose_game(proposer=organiser, club=club, seats=2, name="Two by post", invited={1: players[1]}, now=NOW)
    mail_links(member=player_on_turn(by_hand), now=NOW)
    invite(club=club, by=organiser, email="newcomer@example.org", role="member", now=NOW)
    request_codes(email=players[0].email, now=NOW)
    ask_for_address(member=robin, email="robin@example.net", now=NOW)
    deliver(now=NOW)
    over = make_game(2, club=club, lines_to_win=1)
    play_to_the_end(over)
    away = timed_game(club, [robin, players[1]])
    suppress(address=player_on_turn(away).email, reason="bounced", now=NOW)
    sweep_clocks(now=NOW + timedelta(hours=1))
    speak(language)
    deliver(now=NOW + timedelta(hours=1))
    digested = make_user("dorte", cadence="daily")
    make_member(club, digested)
    for _ in range(2):
        timed_game(club, [digested, players[2]])
    User.objects.filter(pk=digested.pk).update(cadence="daily")
    speak(language)
    deliver(now=NOW + timedelta(hours=1))
    unreachable = player_on_turn(away)
    correct_address(
        organiser=organiser,
        club=club,
        member=unreachable,
        email="right@example.org",
        now=NOW + timedelta(hours=1),
    )
    for hours in range(2, 130):
        deliver(now=NOW + timedelta(hours=hours))
