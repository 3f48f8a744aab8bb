"""The page of a club, to its members and to others."""

import pytest
from django.test import Client

from tests.builders import make_club, make_member, make_user
from tests.play.reading import signed_in

pytestmark = pytest.mark.django_db


def test_a_club_shows_its_members_to_members_only():
    club = make_club(is_open=True)
    member = make_member(club, make_user("berta")).user

    assert "berta" in signed_in(member).get(f"/clubs/{club.slug}/").content.decode()
    assert "berta" not in Client().get(f"/clubs/{club.slug}/").content.decode()
    assert "Propose a game" not in Client().get(f"/clubs/{club.slug}/").content.decode()
    assert Client().get(f"/clubs/{make_club().slug}/").status_code == 404
