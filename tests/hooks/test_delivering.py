"""News of turns, posted to a real server."""

import json
from datetime import datetime, timedelta

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from games.accounts.models import User
from games.hooks import delivering, posting, tasks
from games.hooks.addresses import NotReachable
from games.hooks.delivering import delete_old, deliver_one, pull_news
from games.hooks.models import Delivery, Webhook
from games.hooks.services import change_webhook, create_webhook, resend
from games.mail.models import Mail
from games.play.models import Game
from tests.builders import NOW, make_user
from tests.conftest import running
from tests.hooks.receiver import Receiver
from tests.play.builders import make_game, play_one, player_on_turn

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
BEFORE = NOW - HOUR


def hook_for(member: User, receiver: Receiver, now: datetime = BEFORE) -> Webhook:
    return create_webhook(member=member, url=receiver.url, now=now)


def rung_game(receiver: Receiver) -> tuple[Game, Webhook]:
    """Make a game of two and a webhook of the member whose turn comes next; then that turn comes."""
    game = make_game()
    first = player_on_turn(game)
    other = game.places.exclude(member=first).get().member
    hook = hook_for(other, receiver)
    play_one(game, now=NOW)
    game.refresh_from_db()
    return game, hook


def run(now: datetime = NOW) -> int:
    """Do what the task does; return how many were posted or dropped."""
    pull_news(now=now)
    count = 0
    while deliver_one(now=now):
        count += 1
    return count


def only(hook: Webhook) -> Delivery:
    return hook.deliveries.get()


@pytest.mark.django_db
class TestNews:
    def test_a_turn_rings_its_member_once_signed_and_without_cards(self, receiver):
        game, hook = rung_game(receiver)
        Game.objects.filter(pk=game.pk).update(deadline=NOW + DAY, name="Tuesday")

        with time_machine.travel(NOW, tick=False):
            posted = [run(), run(), run(NOW + MINUTE)]
            told = Verifier(hook.secret).verify(receiver.bodies[0], receiver.headers[0])

        assert posted == [1, 0, 0]
        assert told == {
            "type": "turn.started",
            "timestamp": "2026-11-30T18:00:00+00:00",
            "data": {
                "game": {
                    "id": game.pk,
                    "uuid": str(game.uuid),
                    "name": "Tuesday",
                    "club": game.club.slug,
                    "url": f"{settings.PUBLIC_URL}/games/{game.pk}",
                },
                "seat": "AB"[game.turn_seat],
                "turn": 2,
                "version": game.version,
                "deadline": "2026-12-01T18:00:00+00:00",
            },
        }
        assert receiver.headers[0]["path"] == "/ring?who=me"
        assert receiver.headers[0]["Content-Type"] == "application/json"
        assert receiver.headers[0]["Host"] == f"127.0.0.1:{receiver.port}"
        delivery = only(hook)
        assert (delivery.state, delivery.last_status, delivery.delivered_at) == ("delivered", 200, NOW)
        assert receiver.ids == [f"msg_{delivery.uuid.hex}"]

    def test_a_changed_body_or_another_secret_does_not_verify(self, receiver):
        _, hook = rung_game(receiver)
        other = hook_for(make_user(), receiver)

        with time_machine.travel(NOW, tick=False):
            run()
            with pytest.raises(WebhookVerificationError):
                Verifier(hook.secret).verify(receiver.bodies[0] + b" ", receiver.headers[0])
            with pytest.raises(WebhookVerificationError):
                Verifier(other.secret).verify(receiver.bodies[0], receiver.headers[0])

    def test_nothing_is_told_to_others_or_to_a_webhook_that_is_off(self, receiver):
        game = make_game()
        member = player_on_turn(game)
        hook_for(make_user(), receiver)
        off = hook_for(game.places.exclude(member=member).get().member, receiver)
        change_webhook(webhook=off, is_active=False, now=BEFORE)
        play_one(game)

        assert run() == 0
        assert receiver.bodies == []

    def test_what_happened_before_a_webhook_was_switched_on_is_not_told(self, receiver):
        game, hook = rung_game(receiver)
        change_webhook(webhook=hook, is_active=False, now=NOW)
        hook_for(player_on_turn(game), receiver, now=NOW + MINUTE)
        change_webhook(webhook=hook, is_active=True, now=NOW + MINUTE)

        assert run(NOW + 2 * MINUTE) == 0

    def test_a_turn_that_was_stored_late_is_not_passed_over(self, receiver):
        """The row of an earlier turn becomes visible after a later one was told."""
        game, hook = rung_game(receiver)
        late = Mail.objects.get(key__startswith=f"turn:{game.uuid}:2:")
        kept = {field.attname: getattr(late, field.attname) for field in Mail._meta.fields}
        late.delete()
        assert run() == 0

        Mail.objects.create(**kept)

        assert run(NOW + HOUR) == 1
        assert only(hook).state == "delivered"

    def test_each_webhook_of_a_member_is_told_and_two_sweeps_tell_once(self, receiver):
        game = make_game()
        other = game.places.exclude(member=player_on_turn(game)).get().member
        hooks = [hook_for(other, receiver) for _ in range(3)]
        play_one(game)

        assert pull_news(now=NOW) == 3
        assert pull_news(now=NOW) == 0
        assert run() == 3
        assert len(set(receiver.ids)) == 3
        assert all(only(hook).state == "delivered" for hook in hooks)

    def test_a_turn_that_was_taken_meanwhile_is_not_told(self, receiver):
        game, hook = rung_game(receiver)
        pull_news(now=NOW)
        play_one(game, now=NOW)

        run()

        assert only(hook).state == "dropped"
        assert receiver.bodies == []

    def test_a_seat_that_another_holds_by_now_is_not_told(self, receiver):
        game, hook = rung_game(receiver)
        pull_news(now=NOW)
        game.places.filter(number=game.turn_seat).update(member=make_user())

        run()

        assert only(hook).state == "dropped"

    def test_a_webhook_of_a_member_who_may_not_sign_in_is_not_told(self, receiver):
        _, hook = rung_game(receiver)
        User.objects.filter(pk=hook.member_id).update(is_active=False)

        assert run() == 0


@pytest.mark.django_db
class TestFailures:
    @pytest.mark.parametrize("status", [301, 302, 307, 400, 404, 429, 500, 503])
    def test_any_answer_but_2xx_is_tried_again_under_the_same_name(self, receiver, status):
        _, hook = rung_game(receiver)
        receiver.statuses = [status]

        run()
        failed = only(hook)
        early = run(NOW + timedelta(seconds=59))
        run(NOW + MINUTE)

        assert (failed.state, failed.last_status, failed.due_at) == (
            "waiting",
            status,
            NOW + MINUTE,
        )
        assert early == 0
        assert receiver.ids == [failed.message_id] * 2
        assert only(hook).state == "delivered"

    def test_a_redirect_is_not_followed(self, receiver):
        _, hook = rung_game(receiver)
        receiver.statuses = [307]
        receiver.location = receiver.url

        run()

        assert len(receiver.bodies) == 1
        assert (only(hook).state, only(hook).last_status) == ("waiting", 307)

    def test_pauses_double_from_a_minute_to_six_hours_for_three_days(self, receiver):
        _, hook = rung_game(receiver)
        receiver.statuses = [500] * 100
        now, pauses = NOW, []

        while only_waits(hook) and len(pauses) < 50:
            run(now)
            due = only(hook).due_at
            pauses.append(due - now)
            now = due

        doubled = [MINUTE * 2**n for n in range(9)]
        assert pauses[:9] == doubled
        assert set(pauses[9:]) == {6 * HOUR}
        last = only(hook)
        assert (last.state, last.last_status) == ("failed", 500)
        assert NOW + 2.7 * DAY < now - pauses[-1] <= NOW + 3 * DAY
        assert len(receiver.ids) == len(pauses) == last.attempts
        assert len(set(receiver.ids)) == 1

    def test_a_webhook_that_only_fails_for_a_week_is_switched_off(self, receiver):
        _, hook = rung_game(receiver)
        receiver.statuses = [500, 500, 500]
        run()
        hook.refresh_from_db()
        assert (hook.failing_since, hook.is_active) == (NOW, True)

        Delivery.objects.update(until=NOW + 30 * DAY)
        run(NOW + 7 * DAY)
        hook.refresh_from_db()
        assert hook.is_active
        run(NOW + 8 * DAY)

        hook.refresh_from_db()
        assert (hook.is_active, hook.stopped_at) == (False, NOW + 8 * DAY)
        assert run(NOW + 9 * DAY) == 1
        assert only(hook).state == "dropped"

    def test_one_success_ends_the_count_of_failures(self, receiver):
        _, hook = rung_game(receiver)
        receiver.statuses = [500, 200]

        run()
        run(NOW + MINUTE)

        hook.refresh_from_db()
        assert hook.failing_since is None

    def test_a_receiver_that_is_gone_for_good_is_switched_off_at_once(self, receiver):
        _, hook = rung_game(receiver)
        receiver.statuses = [410]

        run()

        hook.refresh_from_db()
        assert not hook.is_active

    def test_one_receiver_that_fails_is_asked_once_a_minute_however_much_waits(self, receiver):
        game = make_game()
        member = game.places.exclude(member=player_on_turn(game)).get().member
        hooks = [hook_for(member, receiver)]
        play_one(game)
        pull_news(now=NOW)
        for number in range(5):
            Delivery.objects.create(
                webhook=hooks[0], key=f"more {number}", kind="turn.started", refs=only_refs(hooks[0]),
                happened_at=NOW, created_at=NOW, due_at=NOW, until=NOW + DAY,
            )  # fmt: skip
        receiver.statuses = [500] * 100

        while deliver_one(now=NOW):
            pass

        assert len(receiver.bodies) == 1
        for seconds, posts in ((59, 0), (60, 1), (61, 0), (119, 0), (120, 1), (239, 0), (240, 1)):
            before = len(receiver.bodies)
            while deliver_one(now=NOW + timedelta(seconds=seconds)):
                pass
            assert (seconds, len(receiver.bodies) - before) == (seconds, posts)

    def test_nothing_that_a_receiver_says_is_kept(self, receiver):
        rung_game(receiver)
        receiver.statuses = [500]

        run()

        with connection.cursor() as cursor:
            cursor.execute("SELECT to_jsonb(hooks_delivery)::text FROM hooks_delivery")
            assert "secret" not in str(cursor.fetchall())

    def test_a_key_that_was_taken_away_makes_a_failure_not_a_crash(self, receiver, settings):
        _, hook = rung_game(receiver)
        settings.LINK_KEYS = {"another": "key"}

        run()

        assert (only(hook).state, only(hook).last_error) == ("waiting", "key_forgotten")

    def test_a_receiver_that_does_not_answer_or_a_byte_at_a_time_ends_in_time(self, receiver, monkeypatch):
        monkeypatch.setattr(posting, "TIMEOUT", 0.5)
        _, hook = rung_game(receiver)
        receiver.drips = True
        run()
        assert only(hook).last_error == "timeout"

        receiver.drips = False
        receiver.silent.clear()
        run(NOW + MINUTE)

        assert only(hook).last_error == "timeout"
        assert only(hook).attempts == 2

    def test_nobody_at_the_address_is_a_failure(self, receiver):
        _, hook = rung_game(receiver)
        Webhook.objects.update(url="http://127.0.0.1:1/")

        run()

        assert (only(hook).last_status, only(hook).last_error) == (None, "no_answer")

    def test_resending_posts_again_under_the_same_name(self, receiver):
        _, hook = rung_game(receiver)
        run()
        delivery = only(hook)

        again = resend(webhook=hook, uuid=delivery.uuid, now=NOW + DAY)
        run(NOW + DAY)

        assert again is not None
        assert receiver.ids == [delivery.message_id] * 2

    def test_old_deliveries_go_and_are_not_told_again(self, receiver):
        rung_game(receiver)
        run()

        assert delete_old(now=NOW + 30 * DAY) == 0
        assert delete_old(now=NOW + 31 * DAY) == 1
        assert run(NOW + 31 * DAY) == 0


def only_waits(hook: Webhook) -> bool:
    return not hook.deliveries.exists() or only(hook).state == "waiting"


def only_refs(hook: Webhook) -> dict[str, int]:
    return hook.deliveries.values_list("refs", flat=True)[0]


def test_the_stored_row_signs_nothing_by_itself(settings, db):
    hook = create_webhook(member=make_user(), url="http://127.0.0.1:9/", now=NOW)
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_jsonb(hooks_webhook)::text FROM hooks_webhook")
        stored = cursor.fetchone()[0]
    secret = hook.secret

    settings.LINK_KEYS = {hook.key_id: "of another site"}

    assert secret.startswith("whsec_")
    assert len(secret) == 6 + 44
    assert secret[6:] not in stored
    assert hook.secret != secret


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_killed_while_posting_costs_a_repeat_under_the_same_name(receiver):
    _, hook = rung_game(receiver)
    pull_news(now=NOW)
    receiver.silent.clear()

    with running("tests.hooks.one_delivery") as process:
        assert receiver.came.wait(30)
        process.kill()
        process.wait()
    receiver.silent.set()
    meanwhile = deliver_one(now=NOW + MINUTE)
    after = deliver_one(now=NOW + 2 * MINUTE)

    delivery = only(hook)
    assert (meanwhile, after) == (False, True)
    assert receiver.ids == [delivery.message_id] * 2
    assert (delivery.state, delivery.attempts) == ("delivered", 2)


@pytest.mark.django_db
def test_whoever_held_a_delivery_too_long_does_not_undo_what_the_next_did(receiver, monkeypatch):
    _, hook = rung_game(receiver)
    pull_news(now=NOW)
    receiver.statuses = [200]
    real = delivering.post

    def slow(*given):
        monkeypatch.setattr(delivering, "post", real)
        assert deliver_one(now=NOW + 2 * MINUTE)
        raise NotReachable("timeout")

    monkeypatch.setattr(delivering, "post", slow)
    deliver_one(now=NOW)

    assert (only(hook).state, only(hook).attempts) == ("delivered", 2)


@pytest.mark.django_db
def test_no_message_holds_an_address_of_a_turn_link(receiver):
    rung_game(receiver)

    run()

    assert "/t/" not in receiver.bodies[0].decode()
    assert set(json.loads(receiver.bodies[0])["data"]) == {"game", "seat", "turn", "version", "deadline"}


@pytest.mark.django_db
def test_the_task_pulls_and_posts_whatever_is_due(receiver):
    _, hook = rung_game(receiver)

    with time_machine.travel(NOW, tick=False):
        tasks.deliver()

    assert only(hook).state == "delivered"
    with time_machine.travel(NOW + 31 * DAY, tick=False):
        tasks.delete_old()
    assert not hook.deliveries.exists()
