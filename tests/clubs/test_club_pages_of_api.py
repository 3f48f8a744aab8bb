"""Collections in pages: limits, cursors, and what is wrong with either."""

from base64 import b64encode
from urllib.parse import urlencode

import pytest
from rest_framework.test import APIClient

from tests.builders import make_club, make_user

pytestmark = pytest.mark.django_db

CLUBS = "/api/v1/clubs"


def test_the_pages_hold_every_club_once_in_order_and_lead_back():
    names = sorted(
        make_club(f"club{number}", name=f"Club {number}", is_open=True).name for number in range(7)
    )
    client = APIClient()
    seen, address = [], f"{CLUBS}?limit=3"
    while address:
        page = client.get(address).json()
        seen.append([club["name"] for club in page["results"]])
        last, address = page, page["next"]

    assert seen == [names[:3], names[3:6], names[6:]]
    assert [club["name"] for club in client.get(last["previous"]).json()["results"]] == names[3:6]


def test_a_club_founded_meanwhile_does_not_shift_the_next_page():
    for name in "bcde":
        make_club(name, name=name, is_open=True)
    client = APIClient()
    first = client.get(f"{CLUBS}?limit=2").json()

    make_club("a", name="a", is_open=True)

    assert [club["name"] for club in client.get(first["next"]).json()["results"]] == ["d", "e"]


def test_equal_names_do_not_hide_a_club():
    for number in range(5):
        make_club(f"club{number}", name="Same", is_open=True)
    client, seen, address = APIClient(), [], f"{CLUBS}?limit=2"
    while address:
        page = client.get(address).json()
        seen += [club["slug"] for club in page["results"]]
        address = page["next"]

    assert sorted(seen) == [f"club{number}" for number in range(5)]


@pytest.mark.parametrize("limit", ["0", "201", "-1", "1.5", "x", "", "٣", "9" * 5000, "1 ", "+5"])
def test_a_bad_limit_is_refused_with_its_field(limit):
    answer = APIClient().get(CLUBS, {"limit": limit})

    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == ["limit"]


def position(address: str, **cursor: str) -> str:
    return f"{address}?cursor={b64encode(urlencode(cursor).encode()).decode()}"


@pytest.mark.parametrize("cursor", ["x", "abcde", "é", "bz14"])
def test_a_bad_cursor_is_refused_with_its_field(cursor):
    answer = APIClient().get(CLUBS, {"cursor": cursor})

    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == ["cursor"]


@pytest.mark.parametrize("value", ["nonsense", "9" * 40, "1\0"])
def test_a_cursor_made_by_hand_gives_no_fault(value):
    anna = make_user("anna")
    make_club("owls", organiser=anna)
    client = APIClient()
    client.force_login(anna)

    for address in (f"{CLUBS}/owls/members", f"{CLUBS}/owls/invitations", "/api/v1/auth/tokens", CLUBS):
        answer = client.get(position(address, p=value))
        assert answer.status_code in {200, 400}
        if answer.status_code == 400:
            assert answer.json()["errors"][0]["field"] == "cursor"
