"""The settings of a member, each form by itself."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.accounts.models import Token
from games.mail.models import Suppression
from games.mail.services import deliver, suppress
from games.play.models import GameCadence, Leave
from tests.builders import make_user
from tests.play.builders import make_game, player_on_turn
from tests.play.reading import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna():
    return make_user("anna", password="correct horse", zone="Europe/Stockholm")


@pytest.fixture
def client(anna):
    return signed_in(anna)


def send(client, deed, **fields):
    return client.post("/settings", {"deed": deed} | fields)


def test_who_is_not_signed_in_is_asked_to():
    assert Client().get("/settings")["Location"] == "/sign-in?next=/settings"
    assert Client().post("/settings", {"deed": "me"}).status_code == 302


def test_name_language_and_zone_are_changed(client, anna):
    answer = send(client, "me", name="Anna Berg", language="sv", zone="Europe/Amsterdam")

    anna.refresh_from_db()
    assert answer["Location"] == "/settings#me"
    assert (anna.name, anna.language, str(anna.zone)) == ("Anna Berg", "sv", "Europe/Amsterdam")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "  "),
        ("name", "a\nb"),
        ("name", "a\0b"),
        ("name", "x" * 81),
        ("language", "de"),
        ("language", ""),
        ("zone", "Europe/Atlantis"),
        ("zone", "../../etc/passwd"),
        ("zone", "Europe/Amsterdam\0"),
        ("zone", ""),
    ],
)
def test_what_cannot_be_is_refused_at_its_field_and_the_rest_is_kept(client, anna, field, value):
    typed = {"name": "New name", "language": "nl", "zone": "Europe/Amsterdam"} | {field: value}

    answer = send(client, "me", **typed)

    assert answer.status_code == 422
    assert list(answer.context["me_form"].errors) == [field]
    if field != "name":
        assert 'value="New name"' in answer.text
    if field != "zone":
        assert '<option value="Europe/Amsterdam" selected>' in answer.text
    anna.refresh_from_db()
    assert (anna.name, anna.language) == ("Anna", "en")


def test_a_zone_that_the_list_lacks_stays_possible_for_who_has_it():
    bo = make_user("bo", zone="CET")
    page = signed_in(bo).get("/settings")

    assert '<option value="CET" selected>' in page.text
    assert send(signed_in(bo), "me", name="Bo", language="en", zone="CET").status_code == 302


def test_when_mail_comes_and_what_stands_in_it(client, anna):
    send(client, "mail", cadence="daily", digest_at="7.30", wants_text_only="on")

    anna.refresh_from_db()
    assert (anna.cadence, anna.digest_at.isoformat("minutes")) == ("daily", "07:30")
    assert (anna.wants_text_only, anna.leaves_out_hands) == (True, False)


@pytest.mark.parametrize(
    "wrong", [{"cadence": "never"}, {"cadence": ""}, {"digest_at": "25:00"}, {"digest_at": ""}]
)
def test_a_cadence_or_time_that_cannot_be_is_refused(client, anna, wrong):
    answer = send(client, "mail", **({"cadence": "coalesced", "digest_at": "18:00"} | wrong))

    assert answer.status_code == 422
    assert list(answer.context["mail_form"].errors) == list(wrong)
    anna.refresh_from_db()
    assert anna.cadence == "at_once"


def test_who_gets_no_mail_reads_so(client, anna):
    assert "does not reach you" not in client.get("/settings").text

    suppress(address=anna.email, reason="bounced", now=timezone.now())

    assert "Mail to anna@example.org does not reach you: mail comes back" in client.get("/settings").text


@pytest.mark.parametrize("data", [{}, {"deed": "dance"}, {"deed": "revoke"}, {"deed": "leave_back"}])
def test_a_form_that_is_not_known_changes_nothing(client, data):
    answer = client.post("/settings", data)

    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


# Password


def test_a_password_is_changed_by_who_knows_it_and_the_session_goes_on(client, anna):
    answer = send(client, "password", current="correct horse", new="battery staple lamp")

    assert answer.status_code == 302
    anna.refresh_from_db()
    assert anna.check_password("battery staple lamp")
    assert client.get("/settings").status_code == 200


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"current": "wrong", "new": "battery staple lamp"}, "current"),
        ({"new": "battery staple lamp"}, "current"),
        ({"current": "correct horse", "new": "short"}, "new"),
        ({"current": "correct horse", "new": "anna@example.org"}, "new"),
        ({"current": "correct horse", "new": "x" * 200}, "new"),
        ({"current": "correct horse"}, "new"),
    ],
)
def test_a_password_that_is_wrong_or_too_easy_is_refused_and_not_shown(client, anna, typed, field):
    answer = send(client, "password", **typed)

    assert answer.status_code == 422
    assert list(answer.context["password_form"].errors) == [field]
    assert "battery staple" not in answer.text
    anna.refresh_from_db()
    assert anna.check_password("correct horse")


def test_guesses_at_the_present_password_are_counted_with_those_of_signing_in(client, anna):
    for _ in range(10):
        send(client, "password", current="wrong", new="battery staple lamp")

    assert send(client, "password", current="correct horse", new="battery staple lamp").status_code == 429
    assert Client().post("/sign-in", {"who": "anna", "password": "correct horse"}).status_code == 403


def test_who_has_just_signed_in_by_a_code_need_not_know_the_old_password(anna, mailoutbox):
    client = Client()
    client.post("/sign-in/code", {"email": "anna@example.org"})
    deliver(now=timezone.now())
    code = next(word for word in mailoutbox[0].body.split() if word.isdecimal() and len(word) == 6)
    client.post("/sign-in/code", {"who": "anna", "code": code})

    assert send(client, "password", new="battery staple lamp").status_code == 302

    anna.refresh_from_db()
    assert anna.check_password("battery staple lamp")
    session = client.session
    session["address_proved_at"] = (timezone.now() - timedelta(minutes=31)).timestamp()
    session.save()
    assert send(client, "password", new="another long one").status_code == 422


def test_who_has_no_password_sets_one_and_gives_it_up_again():
    bo = make_user("bo")
    client = signed_in(bo)

    send(client, "password", new="battery staple lamp")
    bo.refresh_from_db()
    assert bo.check_password("battery staple lamp")
    assert send(client, "password_off", current="wrong").status_code == 422
    send(client, "password_off", current="battery staple lamp")

    bo.refresh_from_db()
    assert not bo.has_usable_password()
    assert client.get("/settings").status_code == 200


# Tokens


def test_a_token_is_shown_once_and_works_until_it_ends(client):
    answer = send(client, "token", name="My bot", scopes=["read", "play"], key="k")

    token = Token.objects.get()
    text = answer.context["token_text"]
    assert (answer.status_code, token.scopes) == (201, "read play")
    assert answer.headers["Cache-Control"].count("no-store") == 1
    assert text in answer.text
    assert text not in client.get("/settings").text
    bearer = {"Authorization": f"Bearer {text}"}
    assert Client().get("/api/v1/me", headers=bearer).status_code == 200
    send(client, "revoke", token=str(token.public_id))
    assert Client().get("/api/v1/me", headers=bearer).status_code == 401


def test_a_second_click_brings_a_token_in_place_of_the_first(client):
    answers = [send(client, "token", name="My bot", scopes="read", key="k") for _ in range(2)]

    assert Token.objects.count() == 1
    bearer = {"Authorization": f"Bearer {answers[1].context['token_text']}"}
    assert Client().get("/api/v1/me", headers=bearer).status_code == 200


@pytest.mark.parametrize(
    "typed",
    [
        {"scopes": "read"},
        {"name": "x"},
        {"name": "x", "scopes": "everything"},
        {"name": "a\0", "scopes": "read"},
    ],
)
def test_a_token_without_name_or_scopes_is_not_made(client, typed):
    assert send(client, "token", **typed).status_code == 422
    assert not Token.objects.exists()


def test_nobody_ends_the_token_of_another(client):
    other = signed_in(make_user("bo"))
    send(other, "token", name="x", scopes="read")

    send(client, "revoke", token=str(Token.objects.get().public_id))

    assert Token.objects.count() == 1


# Leave, calendar, games


def test_leave_is_taken_and_given_back(client, anna):
    first = timezone.now().date() + timedelta(days=10)
    days = {"starts_on": first.isoformat(), "ends_on": (first + timedelta(days=2)).isoformat()}

    assert send(client, "leave", **days)["Location"] == "/settings#leave"
    leave = Leave.objects.get()
    again = send(client, "leave", **days)

    assert (leave.member, leave.starts_on) == (anna, first)
    assert again.status_code == 422
    assert "You have leave on some of these days already." in again.text
    assert f'value="{days["ends_on"]}"' in again.text
    other = signed_in(make_user("bo"))
    send(other, "leave_back", leave=str(leave.pk))
    assert Leave.objects.count() == 1
    for _ in range(2):
        assert send(client, "leave_back", leave=str(leave.pk)).status_code == 302
    assert not Leave.objects.exists()


@pytest.mark.parametrize(
    ("starts_on", "ends_on", "field"),
    [
        ("2020-01-01", "2020-01-02", "starts_on"),
        ("soon", "2030-01-02", "starts_on"),
        ("", "2030-01-02", "starts_on"),
        ("9999-12-31", "9999-12-31", "ends_on"),
        ("2026-12-31", "2026-12-30", "ends_on"),
    ],
)
def test_leave_that_cannot_be_is_refused_at_its_field(client, starts_on, ends_on, field, monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 30, 12, tzinfo=UTC))

    answer = send(client, "leave", starts_on=starts_on, ends_on=ends_on)

    assert answer.status_code == 422
    assert list(answer.context["leave_form"].errors) == [field]
    assert not Leave.objects.exists()


def test_leave_is_taken_automatically_if_wished(client, anna):
    send(client, "leave_automatic", automatically="on")
    anna.refresh_from_db()
    assert anna.takes_leave_automatically

    send(client, "leave_automatic")
    anna.refresh_from_db()
    assert not anna.takes_leave_automatically


def test_a_calendar_gets_an_address_another_one_and_none(client):
    addresses = []
    for _ in range(2):
        send(client, "feed")
        addresses.append(client.get("/settings").context["feed_url"])
    assert addresses[0] != addresses[1]
    path = addresses[1].partition("://")[2].partition("/")[2]
    assert Client().get(f"/{path}").status_code == 200

    send(client, "feed_off")

    assert client.get("/settings").context["feed_url"] == ""
    assert Client().get(f"/{path}").status_code == 404


def test_mail_about_one_game_comes_otherwise_until_it_is_as_usual_again():
    game = make_game(2)
    member = player_on_turn(game)
    client = signed_in(member)

    send(client, "cadence", game=str(game.pk), cadence="daily")
    assert "once a day" in client.get("/settings").context["cadences"][0]["words"]
    send(client, "cadence", game=str(game.pk), cadence="")

    assert not GameCadence.objects.exists()


@pytest.mark.parametrize("cadence", ["never", "x" * 50])
def test_a_cadence_of_a_game_that_cannot_be_is_refused(cadence):
    game = make_game(2)

    assert (
        send(signed_in(player_on_turn(game)), "cadence", game=str(game.pk), cadence=cadence).status_code
        == 422
    )
    assert not GameCadence.objects.exists()


def test_the_cadence_of_a_game_of_others_cannot_be_set(client):
    game = make_game(2)

    assert send(client, "cadence", game=str(game.pk), cadence="daily").status_code == 422
    assert not GameCadence.objects.exists()


def test_the_page_needs_few_queries(anna, django_assert_max_num_queries):
    game = make_game(2)
    game.places.filter(number=0).update(member=anna)
    client = signed_in(anna)

    with django_assert_max_num_queries(16):
        assert client.get("/settings").status_code == 200


def test_the_cities_of_our_languages_come_first_and_no_old_names_of_cities(client):
    zones = client.get("/settings").context["me_form"]["zone"].field.choices

    assert [label for _name, label in zones[0][1]] == [
        "Amsterdam",
        "Brussels",
        "Copenhagen",
        "Helsinki",
        "London",
        "Stockholm",
    ]
    names = [name for _region, cities in zones for name, _label in cities]
    assert len(names) == len(set(names))
    assert "Asia/Kolkata" in names
    assert not {"Asia/Calcutta", "America/Buenos_Aires", "Europe/Belfast"} & set(names)


def test_the_calendar_opens_by_a_tap(client):
    send(client, "feed")

    page = client.get("/settings")

    assert page.context["webcal_url"].startswith("webcal://localhost:8000/calendar/")
    assert f'href="{page.context["webcal_url"]}"' in page.text


def test_who_once_called_our_mail_spam_has_it_sent_again_once_a_day(client, anna):
    assert "Send me mail again" not in client.get("/settings").text
    suppress(address=anna.email, reason="complaint", now=timezone.now())
    assert "Send me mail again" in client.get("/settings").text

    answer = send(client, "mail_again")

    assert answer["Location"] == "/settings#mail"
    assert not Suppression.objects.exists()
    suppress(address=anna.email, reason="bounced", now=timezone.now())
    assert send(client, "mail_again").status_code == 429
    assert Suppression.objects.exists()
