"""A member's webhooks over the API."""

from uuid import uuid4

import pytest

from games.hooks.delivering import deliver_one, pull_news
from games.hooks.models import Delivery, Webhook
from games.hooks.services import MOST_WEBHOOKS, create_webhook
from tests.api.builders import API, client_of, code_of
from tests.builders import NOW, make_user
from tests.hooks.test_delivering import rung_game

pytestmark = pytest.mark.django_db

HOOKS = f"{API}/me/webhooks"


def test_the_secret_is_shown_once(receiver):
    client = client_of(make_user())

    made = client.post(HOOKS, {"url": receiver.url})
    listed = client.get(HOOKS).json()["results"]

    assert made.status_code == 201
    assert made.json()["secret"].startswith("whsec_")
    (shown,) = listed
    assert "secret" not in shown
    assert shown == {name: value for name, value in made.json().items() if name != "secret"}
    assert shown["url"] == receiver.url
    assert shown["is_active"]
    assert shown["failing_since"] is shown["stopped_at"] is None


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"url": ""},
        {"url": "x"},
        {"url": "https://a@b.example/"},
        {"url": 7},
        {"url": "https://e.org/", "x": 1},
    ],
)
def test_what_is_no_address_is_refused(body):
    assert code_of(client_of(make_user()).post(HOOKS, body)) == (400, "invalid")
    assert not Webhook.objects.exists()


def test_a_member_has_ten_webhooks_at_most(receiver):
    member = make_user()
    client = client_of(member)
    for _ in range(MOST_WEBHOOKS):
        create_webhook(member=member, url=receiver.url, now=NOW)

    assert code_of(client.post(HOOKS, {"url": receiver.url})) == (409, "too_many_webhooks")
    client.delete(f"{HOOKS}/{member.webhooks.first().uuid}")
    assert client.post(HOOKS, {"url": receiver.url}).status_code == 201


def test_a_webhook_is_changed_switched_off_and_on_and_deleted(receiver):
    member = make_user()
    client = client_of(member)
    hook = create_webhook(member=member, url=receiver.url, now=NOW)
    address = f"{HOOKS}/{hook.uuid}"

    assert client.patch(address, {"is_active": False}).json()["is_active"] is False
    moved = client.patch(address, {"url": "https://example.org/ring", "is_active": True}).json()
    assert (moved["url"], moved["is_active"]) == ("https://example.org/ring", True)
    assert code_of(client.patch(address, {"url": "nonsense"})) == (400, "invalid")
    hook.refresh_from_db()
    assert hook.url == "https://example.org/ring"
    assert hook.active_since > NOW
    assert client.delete(address).status_code == 204
    assert code_of(client.delete(address)) == (404, "not_found")


def test_deliveries_are_listed_without_what_was_said(receiver):
    _, hook = rung_game(receiver)
    receiver.statuses = [503]
    pull_news(now=NOW)
    deliver_one(now=NOW)

    (shown,) = client_of(hook.member).get(f"{HOOKS}/{hook.uuid}/deliveries").json()["results"]

    delivery = Delivery.objects.get()
    assert shown == {
        "uuid": str(delivery.uuid),
        "webhook_id": delivery.message_id,
        "type": "turn.started",
        "state": "waiting",
        "attempts": 1,
        "created_at": "2026-11-30T18:00:00Z",
        "next_attempt_at": "2026-11-30T18:01:00Z",
        "last_status": 503,
        "last_error": "",
        "delivered_at": None,
    }
    assert receiver.ids == [shown["webhook_id"]]


def test_a_delivery_is_posted_once_more_on_request(receiver):
    _, hook = rung_game(receiver)
    client = client_of(hook.member)
    pull_news(now=NOW)
    deliver_one(now=NOW)
    delivery = Delivery.objects.get()
    address = f"{HOOKS}/{hook.uuid}/deliveries/{delivery.uuid}/resend"

    answer = client.post(address)

    assert answer.status_code == 202
    assert answer.json()["state"] == "waiting"
    delivery.refresh_from_db()
    assert deliver_one(now=delivery.due_at)
    assert receiver.ids == [delivery.message_id] * 2
    client.patch(f"{HOOKS}/{hook.uuid}", {"is_active": False})
    assert code_of(client.post(address)) == (409, "webhook_off")
    assert code_of(client.post(address.replace(str(delivery.uuid), str(uuid4())))) == (404, "not_found")


def test_other_members_webhooks_are_not_there(receiver):
    _, hook = rung_game(receiver)
    pull_news(now=NOW)
    delivery = Delivery.objects.get()
    stranger = client_of(make_user())
    address = f"{HOOKS}/{hook.uuid}"

    answers = [
        stranger.patch(address, {"is_active": False}),
        stranger.delete(address),
        stranger.get(f"{address}/deliveries"),
        stranger.post(f"{address}/deliveries/{delivery.uuid}/resend"),
    ]

    assert [code_of(answer) for answer in answers] == [(404, "not_found")] * 4
    assert stranger.get(HOOKS).json()["results"] == []
    hook.refresh_from_db()
    assert hook.is_active


def test_a_delivery_of_another_webhook_is_not_found_by_this_ones_address(receiver):
    _, hook = rung_game(receiver)
    pull_news(now=NOW)
    other = create_webhook(member=hook.member, url=receiver.url, now=NOW)
    delivery = hook.deliveries.get()

    answer = client_of(hook.member).post(f"{HOOKS}/{other.uuid}/deliveries/{delivery.uuid}/resend")

    assert code_of(answer) == (404, "not_found")
