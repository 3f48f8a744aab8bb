"""Clubs over the API: who sees what, and who may change what."""

import pytest
from rest_framework.test import APIClient

from games.clubs.models import Club, Membership, Role
from tests.builders import make_club, make_member, make_token, make_user

pytestmark = pytest.mark.django_db

CLUBS = "/api/v1/clubs"


class Cast:
    """Alice organises the closed club; Bob is in it; Charlie must see nothing of it."""

    def __init__(self) -> None:
        self.alice, self.bob, self.charlie = (make_user(name) for name in ("alice", "bob", "charlie"))
        self.club = make_club("tuesday", name="Tuesday", organiser=self.alice)
        make_member(self.club, self.bob)

    def client(self, who: str, scopes: str = "read play organise") -> APIClient:
        client = APIClient()
        if who != "nobody":
            client.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(getattr(self, who), scopes)}")
        return client


@pytest.fixture
def people() -> Cast:
    return Cast()


def test_anybody_signed_in_founds_a_club_and_organises_it(people):
    answer = people.client("charlie").post(CLUBS, {"slug": "owls", "name": "The Owls", "is_open": True})

    assert answer.status_code == 201
    assert (
        answer.json().items()
        >= {"slug": "owls", "name": "The Owls", "is_open": True, "role": "organiser"}.items()
    )
    assert Membership.objects.get(club__slug="owls").user == people.charlie


def test_a_slug_is_taken_once_even_by_a_closed_club(people):
    answer = people.client("charlie").post(CLUBS, {"slug": "tuesday", "name": "Mine"})

    assert (answer.status_code, answer.json()["code"]) == (409, "slug_taken")
    assert Club.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": "Owls"}, "slug"),
        ({"slug": "Owls", "name": "Owls"}, "slug"),
        ({"slug": "-owls", "name": "Owls"}, "slug"),
        ({"slug": "o" * 51, "name": "Owls"}, "slug"),
        ({"slug": "owls", "name": "a\r\nBcc: b"}, "name"),
        ({"slug": "owls", "name": "Owls", "is_open": "perhaps"}, "is_open"),
        ({"slug": "owls", "name": "Owls", "created_at": "2020-01-01"}, "created_at"),
    ],
)
def test_a_malformed_club_names_the_field(people, body, field):
    answer = people.client("alice").post(CLUBS, body)

    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_lists_hold_the_open_clubs_and_ones_own(people):
    make_club("owls", name="Owls", is_open=True)

    def seen_by(who):
        return {club["slug"]: club["role"] for club in people.client(who).get(CLUBS).json()["results"]}

    assert seen_by("nobody") == seen_by("charlie") == {"owls": None}
    assert seen_by("bob") == {"owls": None, "tuesday": "member"}
    assert seen_by("alice") == {"owls": None, "tuesday": "organiser"}


@pytest.mark.parametrize(
    ("who", "club", "members", "invitations", "change"),
    [
        ("nobody", 404, 401, 401, 401),
        ("charlie", 404, 404, 404, 404),
        ("bob", 200, 200, 403, 403),
        ("alice", 200, 200, 200, 200),
    ],
)
def test_who_sees_and_changes_a_closed_club(people, who, club, members, invitations, change):
    client = people.client(who)

    assert client.get(f"{CLUBS}/tuesday").status_code == club
    assert client.get(f"{CLUBS}/tuesday/members").status_code == members
    assert client.get(f"{CLUBS}/tuesday/invitations").status_code == invitations
    assert client.patch(f"{CLUBS}/tuesday", {"name": "Wednesday"}).status_code == change
    assert Club.objects.get().name == ("Wednesday" if change == 200 else "Tuesday")


@pytest.mark.parametrize(("who", "members", "change"), [("nobody", 401, 401), ("charlie", 403, 403)])
def test_an_open_club_shows_its_name_but_not_its_members(people, who, members, change):
    Club.objects.update(is_open=True)
    client = people.client(who)

    assert client.get(f"{CLUBS}/tuesday").json()["name"] == "Tuesday"
    assert client.get(f"{CLUBS}/tuesday/members").status_code == members
    assert client.get(f"{CLUBS}/tuesday/invitations").status_code == members
    assert client.patch(f"{CLUBS}/tuesday", {"name": "Mine"}).status_code == change


def test_a_closed_club_looks_like_none_at_all(people):
    client = people.client("charlie")

    closed, absent = client.get(f"{CLUBS}/tuesday"), client.get(f"{CLUBS}/nothing")

    assert (closed.status_code, closed.json()) == (absent.status_code, absent.json())


def test_who_has_left_sees_a_closed_club_no_more(people):
    client = people.client("bob")

    assert client.delete(f"{CLUBS}/tuesday/members/{people.bob.uuid}").status_code == 204

    assert client.get(f"{CLUBS}/tuesday").status_code == 404
    assert Membership.objects.get(user=people.bob).left_at is not None


def test_addresses_are_for_organisers_only(people):
    for_alice = people.client("alice").get(f"{CLUBS}/tuesday/members").json()["results"]
    for_bob = people.client("bob").get(f"{CLUBS}/tuesday/members")

    assert [member["email"] for member in for_alice] == ["alice@example.org", "bob@example.org"]
    assert [member["username"] for member in for_bob.json()["results"]] == ["alice", "bob"]
    assert "@" not in for_bob.text.replace("testserver", "")


def test_an_organiser_changes_roles(people):
    address = f"{CLUBS}/tuesday/members/{people.bob.uuid}"

    answer = people.client("alice").patch(address, {"role": "organiser"})

    assert (answer.status_code, answer.json()["role"]) == (200, "organiser")
    assert Membership.objects.get(user=people.bob).role == Role.ORGANISER


def test_a_member_cannot_promote_anybody_or_put_anybody_out(people):
    client = people.client("bob")

    promoted = client.patch(f"{CLUBS}/tuesday/members/{people.bob.uuid}", {"role": "organiser"})
    removed = client.delete(f"{CLUBS}/tuesday/members/{people.alice.uuid}")

    assert (promoted.status_code, removed.status_code) == (403, 403)
    assert Membership.objects.filter(left_at=None).count() == 2


def test_an_organiser_of_another_club_is_an_outsider_here(people):
    make_club("owls", organiser=people.charlie)

    answer = people.client("charlie").delete(f"{CLUBS}/tuesday/members/{people.bob.uuid}")

    assert answer.status_code == 404
    assert Membership.objects.get(user=people.bob).left_at is None


def test_the_last_organiser_can_neither_leave_nor_step_down(people):
    client, address = people.client("alice"), f"{CLUBS}/tuesday/members/{people.alice.uuid}"

    left = client.delete(address)
    stepped_down = client.patch(address, {"role": "member"})

    assert [(answer.status_code, answer.json()["code"]) for answer in (left, stepped_down)] == [
        (409, "last_organiser")
    ] * 2
    assert Membership.objects.get(user=people.alice, left_at=None).role == Role.ORGANISER


def test_one_of_two_organisers_may_leave(people):
    Membership.objects.update(role=Role.ORGANISER)

    assert people.client("alice").delete(f"{CLUBS}/tuesday/members/{people.alice.uuid}").status_code == 204


@pytest.mark.parametrize("scopes", ["read", "read play"])
def test_a_token_without_the_scope_organises_nothing(people, scopes):
    client = people.client("alice", scopes)

    answers = [
        client.post(CLUBS, {"slug": "owls", "name": "Owls"}),
        client.patch(f"{CLUBS}/tuesday", {"name": "Mine"}),
        client.patch(f"{CLUBS}/tuesday/members/{people.bob.uuid}", {"role": "organiser"}),
        client.delete(f"{CLUBS}/tuesday/members/{people.bob.uuid}"),
        client.post(f"{CLUBS}/tuesday/invitations", {"email": "dora@example.org"}),
    ]

    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(403, "missing_scope")] * 5


def test_somebody_who_is_not_in_the_club_cannot_be_changed(people):
    client = people.client("alice")

    for member in (people.charlie.uuid, "00000000-0000-0000-0000-000000000000"):
        assert client.patch(f"{CLUBS}/tuesday/members/{member}", {"role": "member"}).status_code == 404
        assert client.delete(f"{CLUBS}/tuesday/members/{member}").status_code == 404


def test_a_club_and_its_role_are_read_with_one_query(people, django_assert_num_queries):
    client = people.client("bob")
    client.get(CLUBS)

    with django_assert_num_queries(2):  # the token, the clubs
        client.get(CLUBS)
    with django_assert_num_queries(2):
        client.get(f"{CLUBS}/tuesday")
