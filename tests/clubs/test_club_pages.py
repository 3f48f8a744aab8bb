"""The pages that found a club and invite into it."""

import pytest
from django.test import Client
from django.utils import timezone

from games.accounts.models import User
from games.clubs import services
from games.clubs.models import Club, Invitation, Membership, Role
from games.mail.models import Mail
from tests.builders import NOW, make_club, make_member, make_user

pytestmark = pytest.mark.django_db


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def alice():
    return make_user("alice")


@pytest.fixture
def club(alice):
    return make_club("tuesday", name="Tuesday", organiser=alice)


def test_an_organiser_invites_by_mail_from_the_page_of_the_club(club, alice):
    client = signed_in(alice)

    answer = client.post(
        "/clubs/tuesday/invitations", {"email": "dora@example.org", "role": "organiser"}, follow=True
    )

    assert answer.redirect_chain == [("/clubs/tuesday/", 302)]
    assert "An invitation is on its way to dora@example.org." in answer.text
    assert "Not accepted yet" in answer.text
    assert Invitation.objects.get().role == Role.ORGANISER
    assert [mail.address for mail in Mail.objects.all()] == ["dora@example.org"]


def test_invitations_that_are_too_old_are_not_listed(club, alice):
    services.invite(club=club, by=alice, email="late@example.org", role="member", now=NOW)
    Invitation.objects.update(expires_at=NOW.replace(year=2020))

    assert "late@example.org" not in signed_in(alice).get("/clubs/tuesday/").text


@pytest.mark.parametrize("data", [{"email": "dora"}, {"email": ""}, {"email": "a@b.org", "role": "king"}])
def test_a_malformed_invitation_is_shown_again_with_its_fault(club, alice, data):
    answer = signed_in(alice).post("/clubs/tuesday/invitations", {"role": "member"} | data)

    assert answer.status_code == 422
    assert "errorlist" in answer.text
    assert not Invitation.objects.exists()
    assert not Mail.objects.exists()


def test_only_organisers_invite(club):
    member, stranger = signed_in(make_member(club).user), signed_in(make_user())
    data = {"email": "dora@example.org", "role": "member"}

    assert "Invite by mail" not in member.get("/clubs/tuesday/").text
    assert member.post("/clubs/tuesday/invitations", data).status_code == 403
    assert stranger.post("/clubs/tuesday/invitations", data).status_code == 404
    assert Client().post("/clubs/tuesday/invitations", data)["Location"] == "/sign-in?next=/clubs/tuesday/"
    assert member.get("/clubs/tuesday/invitations").status_code == 405
    assert not Mail.objects.exists()


def test_a_member_founds_a_club_and_organises_it():
    bob = make_user("bob")
    client = signed_in(bob)
    assert 'href="/clubs/new"' in client.get("/").text

    answer = client.post("/clubs/new", {"name": "Île d'Été", "slug": "", "is_open": "open"}, follow=True)

    founded = Club.objects.get()
    assert (founded.slug, founded.name, founded.is_open) == ("ile-dete", "Île d'Été", True)
    assert Membership.objects.get().role == Role.ORGANISER
    assert answer.redirect_chain[-1][0] == "/clubs/ile-dete/"
    assert "is founded" in answer.text


@pytest.mark.parametrize(
    ("slug", "words"),
    [
        ("tuesday", "Another club has the address"),
        ("", "Another club has the address"),
        ("A B", "Only the small"),
    ],
)
def test_an_address_that_cannot_be_had_is_refused_at_its_field(club, slug, words):
    answer = signed_in(make_user()).post("/clubs/new", {"name": "Tuesday", "slug": slug})

    assert answer.status_code == 422
    assert words in " ".join(answer.context["form"].errors["slug"])
    assert Club.objects.count() == 1


def test_a_name_without_letters_asks_for_an_address():
    answer = signed_in(make_user()).post("/clubs/new", {"name": "♥♥"})

    assert answer.status_code == 422
    assert "choose one" in " ".join(answer.context["form"].errors["slug"])


def test_founding_a_club_asks_to_sign_in():
    assert Client().get("/clubs/new")["Location"] == "/sign-in?next=/clubs/new"


def test_who_joins_lives_by_the_clock_that_was_chosen_else_by_that_of_who_invites(club, alice):
    User.objects.filter(pk=alice.pk).update(zone="Europe/Amsterdam")
    alice.refresh_from_db()
    emails = [f"{number}@example.org" for number in range(3)]
    sent = [
        services.invite(club=club, by=alice, email=email, role="member", now=timezone.now())
        for email in emails
    ]
    links = [f"/invitations/{invitation.code}" for invitation in sent]
    shown = Client().get(links[0]).text
    assert '<option value="Europe/Amsterdam" selected>' in shown

    Client().post(links[0], {"name": "Dora", "username": "dora"})
    Client().post(links[1], {"name": "Elsa", "username": "elsa", "zone": "Europe/Helsinki"})
    refused = Client().post(links[2], {"name": "Fay", "username": "fay", "zone": "Mars/Olympus"})

    zones = {user.username: str(user.zone) for user in User.objects.exclude(pk=alice.pk)}
    assert zones == {"dora": "Europe/Amsterdam", "elsa": "Europe/Helsinki"}
    assert "Choose a city in the list" in refused.text
    assert 'value="Fay"' in refused.text


def test_who_invites_from_the_page_of_organisers_stays_there(club, alice):
    client = signed_in(alice)
    assert '<input type="hidden" name="from" value="organise">' in client.get("/clubs/tuesday/organise").text

    form = {"email": "dora@example.org", "role": "member", "from": "organise"}
    answer = client.post("/clubs/tuesday/invitations", form, follow=True)

    assert answer.redirect_chain == [("/clubs/tuesday/organise#invite", 302)]
    assert answer.text.count("An invitation is on its way to dora@example.org.") == 1


def test_a_member_leaves_the_club_by_its_page(club):
    bob = make_member(club, make_user("bob")).user
    client = signed_in(bob)
    assert "Yes, leave Tuesday" in client.get("/clubs/tuesday/").text

    answer = client.post("/clubs/tuesday/leave", follow=True)

    assert "You have left Tuesday." in answer.text
    assert Membership.objects.get(user=bob).left_at is not None
    assert client.post("/clubs/tuesday/leave").status_code == 404


def test_the_last_organiser_cannot_leave_and_a_stranger_is_asked_to_sign_in(club, alice):
    answer = signed_in(alice).post("/clubs/tuesday/leave", follow=True)

    assert "A club needs an organiser." in answer.text
    assert Membership.objects.get(user=alice).left_at is None
    assert Client().post("/clubs/tuesday/leave")["Location"].startswith("/sign-in")
    assert signed_in(alice).get("/clubs/tuesday/leave").status_code == 405
