"""Invitations: mailed links that are good once and change nothing until posted."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from games.accounts.models import User
from games.clubs import services
from games.clubs.models import Invitation, Membership, Role
from games.mail.models import Mail
from tests.builders import NOW, make_club, make_member, make_token, make_user
from tests.mails import letter, rendered, waiting

pytestmark = pytest.mark.django_db

ACCEPT = "/api/v1/invitations/accept"


@pytest.fixture
def alice():
    return make_user("alice")


@pytest.fixture
def club(alice):
    return make_club("tuesday", name="Tuesday", organiser=alice)


@pytest.fixture
def code(club, alice):
    answer = api(alice).post("/api/v1/clubs/tuesday/invitations", {"email": "dora@example.org"})
    assert answer.status_code == 201
    return mailed_code()


def mailed_code() -> str:
    """Return the code in the mail of the last invitation."""
    text = letter(waiting("invitation")[-1], timezone.now()).text
    return re.search(r"/invitations/(\S+)", text)[1]


def api(user: User) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(user)}")
    return client


def test_an_invitation_is_mailed_with_a_link_to_the_public_address(code):
    (mail,) = waiting("invitation")

    shown = letter(mail, timezone.now())

    assert mail.address == "dora@example.org"
    assert shown.subject == "Come and play in Tuesday"
    assert f" http://localhost:8000/invitations/{code}\n" in shown.text
    assert f'href="http://localhost:8000/invitations/{code}"' in shown.html
    assert "Alice invites you" in shown.text
    assert "Alice invites you" in shown.html
    assert "settings" not in shown.text


def test_the_code_has_256_bits_and_is_not_stored(code):
    invitation = Invitation.objects.get()

    assert len(code) == 43
    assert code not in str(invitation.__dict__)
    assert code not in str(list(Mail.objects.values()))


def test_the_same_mail_is_rendered_again_with_the_same_link(code):
    assert mailed_code() == code


def test_an_invitation_is_in_the_language_and_zone_of_who_invites(club):
    bob = make_user("bob", language="en", zone="Pacific/Auckland")
    services.invite(club=club, by=bob, email="dora@example.org", role="member", now=NOW)

    # 14 days after 30 November, 18:00 UTC; in Auckland it is the next day by then.
    assert "until 15 December 2026" in letter(waiting("invitation")[0]).text


@pytest.mark.parametrize("language", ["en", "nl", "sv", "da"])
def test_an_invitation_can_be_told_in_every_language(club, language):
    bob = make_user("bob", language=language)
    services.invite(club=club, by=bob, email="dora@example.org", role="member", now=NOW)

    shown = letter(waiting("invitation")[0])

    assert f'<html lang="{language}"' in shown.html
    assert "Tuesday" in shown.subject


def test_an_invitation_that_was_accepted_or_is_too_old_is_not_mailed_any_more(code, club):
    (mail,) = waiting("invitation")

    assert rendered(mail, timezone.now() + timedelta(days=15)) is None
    api(make_user("dora")).post(ACCEPT, {"code": code})
    assert rendered(mail, timezone.now()) is None


def test_an_invitation_of_before_links_were_derived_stays_good(club, alice):
    Invitation.objects.create(
        club=club,
        email="dora@example.org",
        code_hash=Invitation.hash_of("of-old"),
        invited_by=alice,
        created_at=timezone.now(),
        expires_at=timezone.now() + timedelta(days=1),
    )

    assert api(make_user("dora")).post(ACCEPT, {"code": "of-old"}).status_code == 200


def test_the_host_of_a_request_does_not_get_into_the_link(club, alice, settings):
    settings.ALLOWED_HOSTS = ["*"]

    api(alice).post(
        "/api/v1/clubs/tuesday/invitations", {"email": "dora@example.org"}, headers={"host": "evil.example"}
    )

    shown = letter(waiting("invitation")[0], timezone.now())
    assert "evil.example" not in shown.text + shown.html


def test_a_member_joins_with_the_code_once(code, club):
    dora, eve = make_user("dora"), make_user("eve")

    first = api(dora).post(ACCEPT, {"code": code})
    second = api(eve).post(ACCEPT, {"code": code})

    assert first.json().items() >= {"club": "tuesday", "role": "member"}.items()
    assert (second.status_code, second.json()["code"]) == (404, "invitation_not_valid")
    assert Membership.objects.filter(club=club, role=Role.MEMBER).get().user == dora


@pytest.mark.parametrize("bad", ["x", "A" * 43, "é"])
def test_an_unknown_code_lets_nobody_in(bad, club):
    answer = api(make_user()).post(ACCEPT, {"code": bad})

    assert (answer.status_code, answer.json()["code"]) == (404, "invitation_not_valid")


def test_an_invitation_of_two_weeks_ago_is_too_old(club, alice):
    invited = services.invite(club=club, by=alice, email="dora@example.org", role="member", now=NOW)

    with pytest.raises(services.InvitationNotValid):
        services.accept_invitation(code=invited.code, user=make_user(), now=NOW + timedelta(days=14))


def test_a_member_of_the_club_does_not_use_an_invitation_up(code, club, alice):
    refused = api(alice).post(ACCEPT, {"code": code})

    assert (refused.status_code, refused.json()["code"]) == (409, "already_member")
    assert api(make_user("dora")).post(ACCEPT, {"code": code}).status_code == 200


def test_who_left_may_come_back_by_invitation(code, club):
    bob = make_user("bob")
    make_member(club, bob, left_at=NOW + timedelta(days=1))

    assert api(bob).post(ACCEPT, {"code": code}).status_code == 200
    assert Membership.objects.filter(user=bob).count() == 2


def test_an_invited_organiser_becomes_one(club, alice):
    api(alice).post("/api/v1/clubs/tuesday/invitations", {"email": "dora@example.org", "role": "organiser"})

    assert api(make_user("dora")).post(ACCEPT, {"code": mailed_code()}).json()["role"] == "organiser"


def test_organisers_list_the_invitations_that_are_open(code, club, alice):
    listed = api(alice).get("/api/v1/clubs/tuesday/invitations")

    assert [one["email"] for one in listed.json()["results"]] == ["dora@example.org"]
    assert listed.json()["results"][0]["invited_by"] == "alice"
    assert code not in listed.text
    api(make_user("dora")).post(ACCEPT, {"code": code})
    assert api(alice).get("/api/v1/clubs/tuesday/invitations").json()["results"] == []


def test_opening_the_link_changes_nothing(code, club):
    client = Client()
    before = list(Invitation.objects.values()), Membership.objects.count(), User.objects.count()

    for method in ("get", "head", "get"):
        assert getattr(client, method)(f"/invitations/{code}").status_code == 200
    client.force_login(make_user("dora"))
    client.get(f"/invitations/{code}")

    assert (list(Invitation.objects.values()), Membership.objects.count()) == before[:2]
    assert User.objects.count() == before[2] + 1


def test_somebody_signed_in_joins_by_the_page(code, club):
    dora, client = make_user("dora"), Client()
    client.force_login(dora)

    assert "Join as Dora" in client.get(f"/invitations/{code}").text
    assert client.post(f"/invitations/{code}").status_code == 302
    assert Membership.objects.filter(club=club, user=dora, left_at=None).exists()


def test_somebody_new_joins_by_the_page_and_is_signed_in(code, club):
    client = Client()

    answer = client.post(
        f"/invitations/{code}", {"username": "dora", "name": "Dora"}, headers={"accept-language": "nl"}
    )

    assert answer.status_code == 302
    dora = User.objects.get(username="dora")
    assert (dora.email, dora.language, dora.has_usable_password()) == ("dora@example.org", "nl", False)
    assert client.session["_auth_user_id"] == str(dora.pk)
    assert Membership.objects.filter(club=club, user=dora).exists()


@pytest.mark.parametrize(
    ("username", "suggestion"),
    [
        ("alice", "alice-2"),
        ("Alice", "alice-2"),
        ("dora x", "dora-x"),
        ("Zoë Øst", "zoe-ost"),
        ("-dora", "dora"),
        ("d" * 41, "d" * 40),
        ("♥", "Choose a sign-in name"),
    ],
)
def test_a_name_that_is_taken_or_malformed_uses_nothing_up(code, club, username, suggestion):
    answer = Client().post(f"/invitations/{code}", {"username": username, "name": "Dora Berg"})

    assert answer.status_code == 200
    assert "errorlist" in answer.text
    assert f'value="{suggestion}"' in answer.text or suggestion in answer.text
    assert Invitation.objects.get().accepted_at is None
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "others", "username"),
    [
        ("Dora Berg", [], "dora-berg"),
        ("Zoë Ångström", [], "zoe-angstrom"),
        ("Dora Berg", ["dora-berg", "dora-berg-2"], "dora-berg-3"),
        ("D" * 60, ["d" * 40], f"{'d' * 37}-2"),
    ],
)
def test_who_leaves_the_sign_in_name_empty_joins_with_one_made_from_the_name(
    code, club, name, others, username
):
    for other in others:
        make_user(other)
    client = Client()

    answer = client.post(f"/invitations/{code}", {"username": "", "name": name})

    assert answer.status_code == 302
    dora = User.objects.get(username=username)
    assert (dora.name, dora.email) == (name, "dora@example.org")
    assert client.session["_auth_user_id"] == str(dora.pk)


def test_a_name_without_letters_of_the_alphabet_needs_a_sign_in_name(code, club):
    answer = Client().post(f"/invitations/{code}", {"username": "", "name": "Дора"})

    assert "Choose a sign-in name" in answer.text
    assert User.objects.count() == 1


def test_capitals_in_a_sign_in_name_become_small_letters(code, club):
    client = Client()

    answer = client.post(f"/invitations/{code}", {"username": "Dora_B", "name": "Dora"}, follow=True)

    assert User.objects.get(name="Dora").username == "dora_b"
    assert "Welcome to Tuesday, Dora." in answer.text
    assert "mailed to dora@example.org" in answer.text
    assert answer.redirect_chain[-1][0] == "/clubs/tuesday/"


def test_a_live_code_does_not_get_into_the_logs(code, caplog):
    Client().get(f"/invitations/{code}")
    Client().post(f"/invitations/{code}", {"username": "Not a slug"})

    assert code not in caplog.text


def test_a_used_link_leads_to_signing_in(code, club):
    api(make_user("dora")).post(ACCEPT, {"code": code})

    for answer in (Client().get(f"/invitations/{code}"), Client().post(f"/invitations/{code}")):
        assert answer.status_code == 404
        assert "has been used already" in answer.text
        assert 'href="/sign-in"' in answer.text.split("<main")[1]


def test_an_old_link_and_one_that_never_was_say_so(code, club):
    Invitation.objects.update(expires_at=NOW - timedelta(days=1))

    old, unknown = Client().get(f"/invitations/{code}"), Client().get("/invitations/x")

    assert (old.status_code, unknown.status_code) == (404, 404)
    assert "too old" in old.text
    assert "Ask an organiser of Tuesday" in old.text
    assert "no such invitation" in unknown.text


@pytest.mark.parametrize("is_used", [False, True])
def test_a_member_of_the_club_is_told_that_they_are_in_it_already(code, club, alice, is_used):
    if is_used:
        api(make_user("dora")).post(ACCEPT, {"code": code})
    client = Client()
    client.force_login(alice)
    before = list(Invitation.objects.values())

    for answer in (client.get(f"/invitations/{code}"), client.post(f"/invitations/{code}")):
        assert answer.status_code == 200
        assert "You are already in Tuesday" in answer.text
        assert 'href="/clubs/tuesday/"' in answer.text
    assert list(Invitation.objects.values()) == before


def test_a_member_mails_a_hundred_invitations_a_day(club, alice):
    other, now = make_club(organiser=alice), timezone.now()
    for number in range(100):
        services.invite(club=club, by=alice, email=f"guest{number}@example.org", role="member", now=now)

    answer = api(alice).post(f"/api/v1/clubs/{other.slug}/invitations", {"email": "one@example.org"})
    client = Client()
    client.force_login(alice)
    page = client.post(f"/clubs/{other.slug}/invitations", {"email": "one@example.org", "role": "member"})

    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
    assert int(answer.headers["Retry-After"]) > 3600
    assert page.status_code == 429
    assert Mail.objects.count() == 100
    tomorrow = now + timedelta(days=1, seconds=1)
    services.invite(club=other, by=alice, email="one@example.org", role="member", now=tomorrow)
