"""What is a member's own is stored by nobody, and no name or address turns the letters around it."""

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from games.accounts.models import one_row
from games.clubs.models import Invitation
from tests.builders import make_club, make_token, make_user

pytestmark = pytest.mark.django_db
BAD = ["\x01", "\x1f", "\x7f", "\u202a", "\u202e", "\u2066", "\u2069"]


@pytest.mark.parametrize("path", ["me", "me/leaves", "me/webhooks", "clubs", "auth/tokens", "nothing"])
def test_answers_of_the_api_to_a_member_are_private(path):
    member = make_user()
    signed = {"Authorization": f"Bearer {make_token(member)}"}
    browser = Client()
    browser.force_login(member)

    for answer in (Client().get(f"/api/v1/{path}", headers=signed), browser.get(f"/api/v1/{path}")):
        if answer.status_code != 404:
            assert answer["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("letter", BAD)
def test_no_name_has_signs_that_do_not_show(letter):
    with pytest.raises(ValidationError):
        one_row(f"Anna{letter}Berg")


@pytest.mark.parametrize("letter", BAD)
def test_no_invitation_goes_to_an_address_with_signs_that_do_not_show(letter):
    olga = make_user()
    club = make_club("tuesday", organiser=olga)
    address = f'"do{letter}ra"@example.org'
    browser = Client()
    browser.force_login(olga)

    page = browser.post(f"/clubs/{club.slug}/invitations", {"email": address, "role": "member"})
    answer = Client().post(
        f"/api/v1/clubs/{club.slug}/invitations",
        {"email": address},
        content_type="application/json",
        headers={"Authorization": f"Bearer {make_token(olga)}"},
    )

    assert (page.status_code, answer.status_code) == (422, 400)
    assert not Invitation.objects.exists()
