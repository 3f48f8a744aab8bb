"""Fewer mails with one click, never with none, and never by a page that is only looked at."""

from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core import signing
from django.test import Client

from games.mail import kinds
from games.mail.unsubscribing import unsubscribe_url
from games.play.models import GameCadence
from tests.builders import make_user
from tests.play.builders import make_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def quietened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    calls: list[Any] = []
    monkeypatch.setattr(kinds, "_QUIETEN", [lambda member, game_id: calls.append((member, game_id))])
    return calls


@pytest.fixture
def strict() -> Client:
    return Client(enforce_csrf_checks=True)


def address_of(url: str) -> str:
    assert url.startswith("http://localhost:8000/mail/unsubscribe/")
    return url.removeprefix("http://localhost:8000")


@pytest.mark.parametrize("method", ["get", "head"])
def test_looking_changes_nothing_and_makes_no_session(
    strict: Client, quietened: list[Any], method: str
) -> None:
    anna = make_user("anna")

    for game_id in (7, None):
        answer = getattr(strict, method)(address_of(unsubscribe_url(anna, game_id)))
        assert answer.status_code == 200
        assert "no-store" in answer.headers["Cache-Control"]
        assert not answer.cookies

    anna.refresh_from_db()
    assert anna.cadence == "at_once"
    assert not quietened
    assert not Session.objects.exists()


def test_one_click_makes_the_mails_of_a_game_come_once_a_day(strict: Client, quietened: list[Any]) -> None:
    anna = make_user("anna")

    answer = strict.post(
        address_of(unsubscribe_url(anna, 7)),
        "List-Unsubscribe=One-Click",
        content_type="application/x-www-form-urlencoded",
    )

    assert answer.status_code == 200
    assert quietened == [(anna, 7)]
    anna.refresh_from_db()
    assert anna.cadence == "at_once"
    page = answer.content.decode()
    assert "18:00" in page
    assert "/settings" in page
    assert "/games/7" in page
    assert "substitute" in page


def test_one_click_makes_all_mails_come_once_a_day(strict: Client, quietened: list[Any]) -> None:
    anna = make_user("anna", language="sv")

    assert strict.post(address_of(unsubscribe_url(anna))).status_code == 200

    anna.refresh_from_db()
    assert anna.cadence == "daily"
    assert quietened == [(anna, None)]


def test_another_page_of_the_site_cannot_be_posted_without_a_secret(
    strict: Client, quietened: list[Any]
) -> None:
    anna = make_user("anna")
    foreign = signing.Signer(salt="something else").sign_object([anna.uuid.hex, None])
    good = address_of(unsubscribe_url(anna))
    forged = [f"/mail/unsubscribe/{foreign}", good[:-1], good + "x", "/mail/unsubscribe/x", good.upper()]

    assert [strict.post(address).status_code for address in forged] == [404] * 5

    assert not quietened


def test_a_member_who_is_gone_gets_a_page_that_is_not_found(strict: Client) -> None:
    anna = make_user("anna")
    address = address_of(unsubscribe_url(anna))
    anna.delete()

    assert strict.get(address).status_code == 404


def test_the_address_stays_the_same() -> None:
    anna = make_user("anna")

    assert unsubscribe_url(anna, 7) == unsubscribe_url(anna, 7)
    assert len({unsubscribe_url(anna, 7), unsubscribe_url(anna, 8), unsubscribe_url(anna)}) == 3


def test_the_rooms_that_send_mail_have_said_how_to_send_less() -> None:
    assert kinds._QUIETEN


def test_the_page_names_the_game_and_undoes_without_signing_in(strict: Client) -> None:
    game = make_game(2)
    game.name = "Four by post"
    game.save()
    anna = game.places.first().member
    address = address_of(unsubscribe_url(anna, game.pk))

    assert "Four by post" in strict.get(address).text
    done = strict.post(address)
    assert "Four by post" in done.text
    assert GameCadence.objects.get(member=anna, game=game).cadence == "daily"
    assert 'name="undo" value="usual"' in done.text

    undone = strict.post(address, {"undo": "usual"})
    assert "comes as usual again" in undone.text
    assert not GameCadence.objects.exists()


def test_fewer_mails_of_all_games_are_undone_to_what_was_before(strict: Client) -> None:
    anna = make_user("anna", cadence="coalesced")
    address = address_of(unsubscribe_url(anna))

    done = strict.post(address)
    assert 'name="undo" value="coalesced"' in done.text
    assert 'name="undo"' not in strict.post(address).text  # nothing has changed by the second
    for wish, cadence in (("never", "daily"), ("coalesced", "coalesced")):
        assert strict.post(address, {"undo": wish}).status_code == 200
        anna.refresh_from_db()
        assert anna.cadence == cadence
