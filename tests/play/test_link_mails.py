"""Turn links by mail on request: who gets one, who is told what, and how often."""

from datetime import timedelta

import pytest
import time_machine

from games.accounts.attempts import TooManyAttempts
from games.mail.models import Mail
from games.play.models import LinkRequest
from games.play.services.link_mails import mail_links, meet_requests, request_links
from games.play.tasks import meet_link_requests
from tests.builders import NOW, make_user

pytestmark = pytest.mark.django_db


def mailed() -> list[str]:
    return [mail.member.username for mail in Mail.objects.filter(kind="links").order_by("pk") if mail.member]


@pytest.mark.parametrize("who", ["anna", " Anna ", "anna@example.org", "ANNA@example.org "])
def test_a_wish_by_name_or_address_becomes_a_mail(who: str) -> None:
    anna = make_user("anna")
    make_user("bo")

    request_links(who=who, now=NOW)
    assert mailed() == []
    with time_machine.travel(NOW, tick=False):
        meet_link_requests()

    assert mailed() == ["anna"]
    assert Mail.objects.get().key.startswith(f"links:{anna.uuid}:")
    assert Mail.objects.get().refs == {}
    assert not LinkRequest.objects.exists()


def test_each_of_a_couple_at_one_address_gets_theirs() -> None:
    make_user("anna", email="home@example.org")
    make_user("bo", email="home@example.org")
    make_user("cy", email="home@example.org", is_active=False)

    request_links(who="home@example.org", now=NOW)

    assert meet_requests(now=NOW)
    assert sorted(mailed()) == ["anna", "bo"]
    assert not meet_requests(now=NOW)


def test_a_wish_of_nobody_asks_the_database_for_the_same(django_assert_num_queries: object) -> None:
    make_user("anna")

    for who in ("anna", "nobody"):
        with django_assert_num_queries(2 + 2):  # type: ignore[operator]
            request_links(who=who, now=NOW)

    assert meet_requests(now=NOW)
    assert not meet_requests(now=NOW)
    assert mailed() == ["anna"]


def test_what_is_typed_is_counted_by_the_hour_whether_or_not_it_names_anybody() -> None:
    make_user("anna")

    for who in ("anna", "nobody"):
        for _ in range(5):
            request_links(who=who, now=NOW)
        with pytest.raises(TooManyAttempts):
            request_links(who=who, now=NOW)
        request_links(who=who, now=NOW + timedelta(hours=1))


def test_a_member_is_mailed_links_five_times_an_hour_at_most_by_whatever_name() -> None:
    anna = make_user("anna")
    for minute in range(3):
        mail_links(member=anna, now=NOW + timedelta(minutes=minute))
    for minute, who in enumerate(["anna", "anna@example.org", "anna", "anna@example.org"], 10):
        request_links(who=who, now=NOW)
        assert meet_requests(now=NOW + timedelta(minutes=minute))

    assert mailed() == ["anna"] * 5
    with pytest.raises(TooManyAttempts):
        mail_links(member=anna, now=NOW + timedelta(minutes=30))


def test_nobody_uses_up_the_count_of_a_member_by_typing_their_id() -> None:
    anna = make_user("anna")
    for _ in range(5):
        request_links(who=f"member:{anna.uuid}", now=NOW)

    mail_links(member=anna, now=NOW)

    assert mailed() == ["anna"]


def test_thousands_of_names_of_nobody_cost_a_few_queries_and_no_time(
    django_assert_max_num_queries: object,
) -> None:
    anna = make_user("anna")
    strangers = [LinkRequest(who=f"nobody{number}@example.org", requested_at=NOW) for number in range(900)]
    LinkRequest.objects.bulk_create(strangers)
    request_links(who="anna", now=NOW)

    with django_assert_max_num_queries(12):  # type: ignore[operator]
        assert meet_requests(now=NOW)

    assert mailed() == ["anna"]
    assert Mail.objects.get().member == anna
    assert not LinkRequest.objects.exists()


def test_a_wish_nobody_waits_for_any_more_is_forgotten() -> None:
    make_user("anna")
    request_links(who="anna", now=NOW)

    assert meet_requests(now=NOW + timedelta(minutes=15))

    assert mailed() == []
    assert not LinkRequest.objects.exists()


def test_who_is_meant_by_several_wishes_gets_one_mail_and_letters_that_look_alike_mean_nobody() -> None:
    make_user("anna")
    make_user("ida", email="ida@example.org")
    for who in ("anna", "anna@example.org", "ıda@example.org"):
        request_links(who=who, now=NOW)

    meet_requests(now=NOW)

    assert mailed() == ["anna"]
