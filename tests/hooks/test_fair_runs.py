"""No receiver keeps mails or others' webhooks waiting, however slow it is and however many there are."""

import threading
import time
from datetime import timedelta

import pytest
from django.db import connection

from games.accounts.attempts import TooManyAttempts
from games.hooks import addresses, delivering, posting
from games.hooks.addresses import NotReachable
from games.hooks.delivering import deliver_one, run
from games.hooks.models import Delivery, Webhook
from games.hooks.posting import post
from games.hooks.services import change_webhook, create_webhook, resend
from sequence_site import settings as given
from sequence_site.embedded.places import APP_ROLE
from sequence_site.management.commands.demo import QUEUES
from tests.builders import NOW, make_token, make_user
from tests.conftest import connected_as
from tests.hooks.receiver import receiving
from tests.play.builders import make_game, play_one, player_on_turn

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


def deliveries_for(member, url, *, hooks, now=NOW):
    """Let `hooks` webhooks of `member` have a delivery each that is true when it is posted."""
    made = [create_webhook(member=member, url=url, now=now - MINUTE) for _ in range(hooks)]
    delivering.pull_news(now=now)
    return made


def waiting_member():
    """Return a member whose turn has just come."""
    game = make_game()
    other = game.places.exclude(member=player_on_turn(game)).get().member
    play_one(game, now=NOW)
    return other


def test_webhooks_have_a_queue_of_their_own_that_the_demo_works_off():
    assert given.CELERY_TASK_ROUTES["games.hooks.*"] == {"queue": "hooks"}
    assert "hooks" in QUEUES.split(",")


@pytest.mark.django_db(transaction=True)
def test_only_one_run_lasts_at_a_time(receiver):
    deliveries_for(waiting_member(), receiver.url, hooks=1)
    with connected_as(APP_ROLE) as other:
        other.execute("SELECT pg_advisory_lock(%s)", [delivering._LOCK_OF_RUNS])

        assert run(now=lambda: NOW) == 0

    deadline = time.monotonic() + 10
    while not (posted := run(now=lambda: NOW)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert posted == 1
    assert len(receiver.bodies) == 1


@pytest.mark.django_db(transaction=True)
def test_a_run_of_silent_receivers_ends_and_others_are_served_in_between(receiver, monkeypatch):
    monkeypatch.setattr(posting, "TIMEOUT", 0.2)
    monkeypatch.setattr(delivering, "RUN_SECONDS", 0.3)
    with receiving() as slow:
        slow.silent.clear()
        deliveries_for(waiting_member(), slow.url, hooks=10)
        honest = deliveries_for(waiting_member(), receiver.url, hooks=1, now=NOW + SECOND)

        started = time.monotonic()
        count = run(now=lambda: NOW + SECOND)
        took = time.monotonic() - started

    assert took < 1.5
    assert count < 10
    assert honest[0].deliveries.get().state == "delivered"


@pytest.mark.django_db
def test_members_are_served_in_turn_whoever_has_more_waiting(receiver):
    greedy, modest = waiting_member(), waiting_member()
    many = deliveries_for(greedy, receiver.url, hooks=5)
    few = deliveries_for(modest, receiver.url, hooks=2, now=NOW + SECOND)

    order = []
    for second in range(7):
        before = set(Delivery.objects.filter(state="delivered").values_list("webhook_id", flat=True))
        deliver_one(now=NOW + (2 + second) * SECOND)
        after = set(Delivery.objects.filter(state="delivered").values_list("webhook_id", flat=True))
        order.append("few" if (after - before) <= {hook.pk for hook in few} else "many")

    assert len(many) == 5
    assert order == ["many", "few", "many", "few", "many", "many", "many"]


@pytest.mark.django_db
class TestResending:
    def test_it_is_possible_once_a_minute_over_all_webhooks(self, receiver):
        first, second = deliveries_for(waiting_member(), receiver.url, hooks=2)
        while deliver_one(now=NOW):
            pass

        resend(webhook=first, uuid=first.deliveries.get().uuid, now=NOW)
        with pytest.raises(TooManyAttempts) as refusal:
            resend(webhook=second, uuid=second.deliveries.get().uuid, now=NOW + SECOND)
        resend(webhook=second, uuid=second.deliveries.get().uuid, now=NOW + MINUTE)

        assert refusal.value.retry_seconds == 59

    def test_it_does_not_cancel_the_rest_after_a_failure(self, receiver, client):
        member = waiting_member()
        [hook] = deliveries_for(member, receiver.url, hooks=1)
        receiver.statuses = [500]
        deliver_one(now=NOW)
        hook.refresh_from_db()
        Webhook.objects.update(rests_until=NOW + timedelta(days=3650))
        uuid = hook.deliveries.get().uuid

        answer = client.post(
            f"/api/v1/me/webhooks/{hook.uuid}/deliveries/{uuid}/resend",
            headers={"Authorization": f"Bearer {make_token(member)}"},
        )

        assert hook.rests_until == NOW + MINUTE
        assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
        assert int(answer.headers["Retry-After"]) > 60
        assert hook.deliveries.get().due_at == NOW + MINUTE

    def test_who_has_mended_the_receiver_waits_a_minute_at_most(self, receiver):
        [hook] = deliveries_for(waiting_member(), receiver.url, hooks=1)
        Webhook.objects.update(rests_until=NOW + timedelta(hours=6))

        hook = change_webhook(webhook=hook, now=NOW, url=receiver.url)

        assert hook.rests_until == NOW + MINUTE
        resend(webhook=hook, uuid=hook.deliveries.get().uuid, now=NOW + MINUTE)


def test_the_time_out_is_five_seconds_and_a_silent_name_server_counts(monkeypatch):
    assert (posting.TIMEOUT, delivering.RUN_SECONDS) == (5, 5.0)
    answered = threading.Event()
    monkeypatch.setattr(posting, "TIMEOUT", 0.2)
    monkeypatch.setattr(addresses, "getaddrinfo", lambda *_, **__: answered.wait(10))

    started = time.monotonic()
    with pytest.raises(NotReachable, match="timeout"):
        post("https://hooks.test/", b"{}", {})
    took = time.monotonic() - started
    answered.set()

    assert took < 2


@pytest.mark.django_db
def test_the_lock_of_runs_is_given_back(receiver):
    make_user()
    run(now=lambda: NOW)

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
        assert cursor.fetchone()[0] == 0
