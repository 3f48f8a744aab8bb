"""Addresses that get nothing, what providers tell of bounces, and how mail comes again."""

import base64
import json
from datetime import timedelta
from typing import Any

import pytest
from anymail.signals import AnymailTrackingEvent, EventType, RejectReason, tracking
from django.test import Client
from django.urls import clear_url_caches, include, path

from games.accounts.models import CodeRequest, User
from games.accounts.services import request_codes
from games.mail.models import Mail, Suppression
from games.mail.queries import is_suppressed, mail_health, outbox_health, suppressed_members
from games.mail.services import deliver, lift_suppression, send_again, suppress
from sequence_site import urls
from tests.builders import NOW, make_user
from tests.mail.kinds import Board, queue, state

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=5)


def hear(event_type: str, reason: str | None, **esp_event: Any) -> None:
    event = AnymailTrackingEvent(
        event_type=event_type, reject_reason=reason, recipient="Anna@example.org", esp_event=esp_event
    )
    tracking.send(sender=None, event=event, esp_name="Any")


def test_nothing_is_sent_to_a_suppressed_address_whoever_has_it(mailoutbox: Any) -> None:
    anna = make_user("anna", cadence="daily")
    suppress(address="ANNA@example.org", reason="bounced", now=NOW)
    queue("to a member", anna)
    queue("for a digest", anna, "news")
    queue("to an address", address="Anna@Example.org")

    deliver(now=NOW)

    assert not mailoutbox
    assert set(Mail.objects.values_list("state", "last_error")) == {("failed", "suppressed")}
    assert is_suppressed("anna@EXAMPLE.org")


def test_codes_are_not_sent_there_either_and_the_request_is_forgotten(mailoutbox: Any) -> None:
    make_user("anna")
    suppress(address="anna@example.org", reason="bounced", now=NOW)
    request_codes(email="anna@example.org", now=NOW)

    deliver(now=NOW)

    assert not mailoutbox
    assert not CodeRequest.objects.exists()


def test_a_code_for_an_address_that_is_refused_suppresses_it(mailbox: Any) -> None:
    make_user("anna")
    request_codes(email="anna@example.org", now=NOW)
    mailbox.answers["anna@example.org"] = "550 5.1.1 no such user"

    deliver(now=NOW)

    assert is_suppressed("anna@example.org")
    assert not CodeRequest.objects.exists()


def test_lifting_sends_what_is_still_wanted(known_kinds: Board, mailoutbox: Any) -> None:
    anna = make_user("anna")
    suppress(address="anna@example.org", reason="refused", now=NOW)
    for key in ("played meanwhile", "still wanted"):
        queue(key, anna)
    queue("last month's", anna, now=NOW - timedelta(days=31))
    queue("invitation", address="anna@example.org")
    queue("another's", make_user("bo"))
    deliver(now=NOW)
    known_kinds.unwanted.add("played meanwhile")

    assert lift_suppression(address="Anna@example.org", now=LATER)
    deliver(now=LATER)

    assert not is_suppressed("anna@example.org")
    assert state("played meanwhile") == "dropped"
    assert (state("still wanted"), state("invitation"), state("last month's")) == ("sent", "sent", "failed")
    assert len(mailoutbox) == 3
    assert not lift_suppression(address="anna@example.org", now=LATER)


def test_a_corrected_address_gets_what_the_old_one_did_not(mailoutbox: Any) -> None:
    anna = make_user("anna")
    queue("may have come back", anna)
    queue("arrived for certain", anna, now=NOW - timedelta(days=3))
    deliver(now=NOW - timedelta(days=3))
    deliver(now=NOW)
    suppress(address="anna@example.org", reason="bounced", now=NOW + timedelta(minutes=1))
    queue("held up", anna, now=NOW + timedelta(minutes=2))
    deliver(now=NOW + timedelta(minutes=2))
    mailoutbox.clear()
    anna.email = "anna@new.example"
    anna.save()

    send_again(member=anna, old_address="Anna@example.org", now=LATER)
    deliver(now=LATER)

    assert {mail.to[0] for mail in mailoutbox} == {'"Anna" <anna@new.example>'}
    assert len(mailoutbox) == 2
    assert is_suppressed("anna@example.org")


def test_a_complaint_does_not_mean_that_mail_was_lost(mailoutbox: Any) -> None:
    queue("one", make_user("anna"))
    deliver(now=NOW)
    suppress(address="anna@example.org", reason="complaint", now=NOW)

    lift_suppression(address="anna@example.org", now=LATER)
    deliver(now=LATER)

    assert len(mailoutbox) == 1


@pytest.mark.parametrize(
    ("event_type", "reason", "told", "expected"),
    [
        (EventType.BOUNCED, RejectReason.BOUNCED, {"Type": "HardBounce"}, "bounced"),
        (EventType.BOUNCED, RejectReason.INVALID, {}, "bounced"),
        (EventType.BOUNCED, None, {"event": "hard_bounce"}, "bounced"),
        (EventType.BOUNCED, RejectReason.BOUNCED, {"bounce": {"bounceType": "Permanent"}}, "bounced"),
        (EventType.BOUNCED, RejectReason.BOUNCED, {"hard_bounce": True, "event": "bounce"}, "bounced"),
        (EventType.BOUNCED, RejectReason.BOUNCED, {"msys": {"e": {"bounce_class": "10"}}}, "bounced"),
        (EventType.COMPLAINED, RejectReason.SPAM, {"Type": "SpamComplaint"}, "complaint"),
        (EventType.REJECTED, RejectReason.BOUNCED, {}, "bounced"),
        (EventType.REJECTED, RejectReason.SPAM, {}, "complaint"),
        (EventType.BOUNCED, RejectReason.BOUNCED, {"Type": "SoftBounce"}, ""),
        (EventType.BOUNCED, RejectReason.BOUNCED, {"event": "soft_bounce"}, ""),
        (EventType.BOUNCED, RejectReason.BOUNCED, {"type": "activity.soft_bounced"}, ""),
        (EventType.BOUNCED, RejectReason.BOUNCED, {"bounce": {"bounceType": "Transient"}}, ""),
        (EventType.BOUNCED, RejectReason.BOUNCED, {"hard_bounce": False, "event": "bounce"}, ""),
        (EventType.BOUNCED, RejectReason.BOUNCED, {"msys": {"e": {"bounce_class": "22"}}}, ""),
        (EventType.BOUNCED, RejectReason.BLOCKED, {}, ""),
        (EventType.BOUNCED, RejectReason.SPAM, {}, ""),
        (EventType.REJECTED, RejectReason.BLOCKED, {}, ""),
        (EventType.DEFERRED, RejectReason.BOUNCED, {}, ""),
        (EventType.DELIVERED, None, {}, ""),
        (EventType.UNSUBSCRIBED, RejectReason.UNSUBSCRIBED, {}, ""),
    ],
)
def test_what_a_provider_tells_suppresses_only_what_will_not_get_better(
    event_type: str, reason: str | None, told: dict[str, Any], expected: str
) -> None:
    hear(event_type, reason, **told)

    assert list(Suppression.objects.values_list("reason", flat=True)) == ([expected] if expected else [])


def test_what_was_first_said_of_an_address_stays() -> None:
    hear(EventType.BOUNCED, RejectReason.INVALID)
    hear(EventType.COMPLAINED, RejectReason.SPAM)

    assert Suppression.objects.get().reason == "bounced"


class Urls:
    """The addresses of a site that has a secret for webhooks."""

    urlpatterns = [*urls.urlpatterns, path("anymail/", include("anymail.urls"))]
    handler400 = urls.handler400


def test_a_webhook_suppresses_only_with_the_secret(settings: Any) -> None:
    settings.ROOT_URLCONF = Urls
    settings.ANYMAIL = {"WEBHOOK_SECRET": "name:password"}
    clear_url_caches()
    body = json.dumps({"RecordType": "Bounce", "Type": "HardBounce", "Email": "anna@example.org"})
    right = base64.b64encode(b"name:password").decode()

    answers = []
    for credentials in (None, base64.b64encode(b"name:guess").decode(), right):
        headers = {"authorization": f"Basic {credentials}"} if credentials else {}
        answer = Client().post(
            "/anymail/postmark/tracking/", body, content_type="application/json", headers=headers
        )
        answers.append((answer.status_code, is_suppressed("anna@example.org")))

    assert answers == [(400, False), (400, False), (200, True)]


def test_without_a_secret_there_is_no_webhook(client: Client) -> None:
    assert (
        client.post("/anymail/postmark/tracking/", "{}", content_type="application/json").status_code == 404
    )


def test_the_health_of_a_members_mail(mailbox: Any) -> None:
    anna, bo = make_user("anna"), make_user("bo")
    queue("one", anna)
    deliver(now=NOW)
    well = mail_health(anna)
    mailbox.answers["anna@example.org"] = "550 5.1.1 gone"
    queue("two", anna, now=LATER)
    deliver(now=LATER)
    queue("three", anna, now=LATER)

    ill = mail_health(anna)

    assert (well.last_sent_at, well.waiting, well.failed, well.suppressed) == (NOW, 0, 0, "")
    assert well.is_well
    assert (ill.last_sent_at, ill.waiting, ill.failed) == (NOW, 1, 1)
    assert (ill.suppressed, ill.suppressed_since) == ("refused", LATER)
    assert not ill.is_well
    assert mail_health(bo).last_sent_at is None
    everybody = User.objects.all()
    assert list(suppressed_members(everybody)) == list(suppressed_members([anna.pk, bo.pk])) == [anna]


def test_the_health_of_the_outbox(known_kinds: Board, mailoutbox: Any) -> None:
    anna = make_user("anna")
    suppress(address="bo@example.org", reason="bounced", now=NOW)
    queue("held up", anna, now=NOW - timedelta(minutes=11))
    queue("new", anna)
    queue("failed", make_user("bo"))
    Mail.objects.filter(key="failed").update(state="failed")

    found = outbox_health(NOW)

    assert (found.waiting, found.overdue, found.failed_lately, found.suppressed) == (2, 1, 1, 1)


def test_who_called_our_mail_spam_still_gets_the_codes_they_ask_for(mailbox: Any) -> None:
    anna = make_user("anna")
    suppress(address="anna@example.org", reason="complaint", now=NOW)
    queue("a turn", anna)
    request_codes(email="anna@example.org", now=NOW)

    assert deliver(now=NOW) == 1
    assert state("a turn") == "failed"

    mailbox.answers["anna@example.org"] = "550 5.1.1 no such user"
    for _ in range(2):
        request_codes(email="anna@example.org", now=LATER)
        deliver(now=LATER)
    assert Suppression.objects.get().reason == "refused"
    assert len(mailbox.taken) == 1
