"""Who reads in which language, and at which hours."""

import re
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone, translation

from tests.api.builders import client_of
from tests.builders import NOW, make_club, make_user
from tests.play.builders import make_game, player_on_turn

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english_afterwards() -> Any:
    yield
    translation.activate("en")


def language_of(answer: Any) -> tuple[str, str]:
    """Return the language of a page as it says itself, and as its header says."""
    (said,) = re.findall(r'<html lang="(\w+)"', answer.content.decode())
    return said, answer["Content-Language"]


def browser_of(user: Any) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def test_a_member_reads_in_their_own_language_whatever_the_browser_asks_for(client: Client) -> None:
    client.force_login(make_user(language="da"))
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "nl"

    answer = client.get("/", headers={"Accept-Language": "sv"})

    assert language_of(answer) == ("da", "da")


@pytest.mark.parametrize(
    ("asked", "got"),
    [("sv", "sv"), ("nl-BE, en;q=0.5", "nl"), ("fr, da;q=0.3", "da"), ("fr", "en"), ("", "en")],
)
def test_a_passer_by_reads_what_the_browser_asks_for(client: Client, asked: str, got: str) -> None:
    answer = client.get("/", headers={"Accept-Language": asked})

    assert language_of(answer) == (got, got)


def test_a_passer_by_chooses_a_language_and_stays_where_they_were() -> None:
    browser = Client(enforce_csrf_checks=True)

    answer = browser.post("/language", {"language": "nl", "next": "/rules"})

    assert (answer.status_code, answer["Location"]) == (302, "/rules")
    assert language_of(browser.get("/", headers={"Accept-Language": "sv"})) == ("nl", "nl")


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example"])
def test_choosing_a_language_never_leads_off_the_site(client: Client, elsewhere: str) -> None:
    answer = client.post("/language", {"language": "nl", "next": elsewhere})

    assert "evil" not in answer["Location"]


def test_looking_chooses_no_language_and_an_unknown_one_is_passed_over(client: Client) -> None:
    assert client.get("/language?language=nl").status_code == 405
    client.post("/language", {"language": "xx"})

    assert language_of(client.get("/")) == ("en", "en")


def test_the_page_of_a_passer_by_offers_every_language_in_its_own_words(client: Client) -> None:
    page = client.get("/rules").content.decode()

    offered = re.findall(r'name="language" value="(\w+)" lang="\1"[^>]*>(\w+)<', page)

    assert offered == [("en", "English"), ("nl", "Nederlands"), ("sv", "Svenska"), ("da", "Dansk")]


@pytest.mark.parametrize("path", ["/", "/rules", "/nothing-here", "/api/v1/games", "/api/v1/nothing"])
def test_no_cache_gives_one_reader_the_language_of_another(client: Client, path: str) -> None:
    answer = client.get(path)

    assert {"Accept-Language", "Cookie"} <= set(answer["Vary"].split(", "))


def test_a_refusal_before_the_session_is_not_in_the_language_of_the_request_before() -> None:
    browser_of(make_user(language="da")).get("/")

    answer = Client().get("/?a=%00")

    assert (answer.status_code, answer["Content-Language"]) == (400, "en")


def test_times_of_pages_are_those_of_the_members_clock() -> None:
    game = make_game(2)
    member = player_on_turn(game)
    member.zone = ZoneInfo("Asia/Tokyo")
    member.save()

    page = browser_of(member).get(f"/games/{game.pk}").content.decode()

    assert "1 December 2026 03:00" in page  # 30 November, 18:00 UTC
    assert timezone.get_current_timezone_name() == "UTC"


# The API -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "got"),
    [(None, "sv"), ("*", "sv"), ("fr", "sv"), ("da", "da"), ("en-GB", "en"), ("fr, nl", "nl")],
)
def test_the_bearer_of_a_token_is_answered_as_asked_or_else_in_their_language(
    asked: str | None, got: str
) -> None:
    headers = {} if asked is None else {"Accept-Language": asked}

    answer = client_of(make_user(language="sv")).get("/api/v1/games/999999", headers=headers)

    assert (answer.status_code, answer["Content-Language"]) == (404, got)
    assert answer.json()["code"] == "not_found"


def test_the_api_answers_a_session_in_the_members_language_with_times_in_utc() -> None:
    member = make_user(language="nl", zone="Asia/Tokyo")
    make_club(organiser=member, created_at=NOW + timedelta(minutes=1))

    answer = browser_of(member).get("/api/v1/clubs", headers={"Accept-Language": "sv"})

    assert answer["Content-Language"] == "nl"
    assert answer.json()["results"][0]["created_at"] == "2026-11-30T18:01:00Z"


def test_health_is_told_without_looking_who_asks(django_assert_num_queries: Any) -> None:
    browser = browser_of(make_user(language="nl"))

    with django_assert_num_queries(0):
        assert browser.get("/healthz/live").status_code == 200
