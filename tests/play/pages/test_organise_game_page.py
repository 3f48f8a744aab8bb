"""The page on which an organiser settles what a game leaves open."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.mail.models import Mail
from games.mail.services import deliver
from games.play.log import Event
from games.play.models import Game, Reason, SeatOffer, Status
from games.play.services.expiring import sweep_clocks
from tests.builders import NOW, make_member, make_user
from tests.every_mail import timed_game
from tests.play.builders import make_game, play_one
from tests.play.reading import section, signed_in

pytestmark = pytest.mark.django_db


def rule(client, game, deed, **fields):
    """Choose a deed, confirm it, and return both answers."""
    address = f"/clubs/tuesday/organise/games/{game.pk}"
    version = client.get(address).context["version"]
    asked = client.post(address, {"deed": deed, "version": version} | fields)
    if asked.status_code != 200 or "key" not in asked.context:
        return asked, None
    sent = {"deed": deed, "version": version, "key": asked.context["key"], "confirmed": "yes"} | fields
    return asked, client.post(address, sent)


@pytest.mark.parametrize(
    ("deed", "fields", "event"),
    [
        ("table_talk", {"team": "green"}, "TableTalkCalled"),
        ("pause", {"reason": "Bo is ill"}, "ClockPaused"),
        ("rule", {"winner": "red", "reason": "as agreed"}, "ResultRuled"),
        ("rule", {"winner": "draw", "reason": "as agreed"}, "ResultRuled"),
        ("annul", {"reason": "wrong table"}, "GameAnnulled"),
    ],
)
def test_a_deed_is_asked_about_and_then_done_once(club, game, organiser, deed, fields, event):
    before = Event.objects.filter(game=game).count()

    asked, done = rule(organiser, game, deed, **fields)

    assert "Yes, " in asked.text
    assert all(value in asked.text for value in fields.values())
    assert done.status_code == 302
    stored = Event.objects.filter(game=game, type=event)
    assert stored.count() == 1
    assert Event.objects.filter(game=game).count() > before
    if "reason" in fields:
        assert Reason.objects.get().text == fields["reason"]


@pytest.mark.parametrize("policy", ["pass", "forfeit_seat", "bot"])
def test_a_turn_is_ended_as_the_table_agreed(game, organiser, policy):
    Game.objects.filter(pk=game.pk).update(expiry=policy)

    asked, done = rule(organiser, game, "expire")

    assert "Yes, end the turn" in asked.text
    assert done.status_code == 302
    assert Event.objects.filter(game=game, type="TurnExpired").count() == 1


def test_where_an_organiser_is_to_decide_no_turn_can_be_ended_that_would_only_stop_the_clock(game, organiser):
    assert game.expiry == "ask"
    assert "End the turn" not in organiser.get(f"/clubs/tuesday/organise/games/{game.pk}").text

    answer, _none = rule(organiser, game, "expire")

    assert answer.status_code == 409
    assert not Event.objects.filter(game=game, type="TurnExpired").exists()


def test_a_clock_that_an_organiser_stopped_is_not_called_late(game, organiser):
    rule(organiser, game, "pause", reason="holiday")

    for address in ("/clubs/tuesday/", "/clubs/tuesday/organise", f"/clubs/tuesday/organise/games/{game.pk}"):
        page = organiser.get(address).text
        assert ">clock stopped</span>" in page
        assert ">late</span>" not in page


def test_a_clock_that_stands_since_time_ran_out_is_late(club, organiser):
    game = timed_game(club, [make_member(club).user for _ in range(2)])
    deliver(now=NOW)
    sweep_clocks(now=NOW + timedelta(days=20))
    game.refresh_from_db()
    assert game.is_paused

    page = organiser.get("/clubs/tuesday/organise").text

    assert ">late</span>" in page
    assert ">clock stopped</span>" not in page


def test_the_reasons_of_an_organiser_are_read_by_members_and_players_and_by_nobody_else(
    club, game, organiser
):
    rule(organiser, game, "pause", reason="Bo is in hospital")
    rule(organiser, game, "resume", reason="Bo is back")

    own = section(organiser.get(f"/clubs/tuesday/organise/games/{game.pk}"), "reasons-title")
    player = section(signed_in(game.places.first().member).get(f"/games/{game.pk}"), "reasons-title")
    member = section(signed_in(make_member(club).user).get(f"/games/{game.pk}"), "reasons-title")

    for part in (own, player, member):
        assert "<strong>The clock was let go on</strong><br>Bo is back<br>" in part
        assert "<strong>The clock was stopped</strong><br>Bo is in hospital<br>" in part
    for other in (Client(), signed_in(make_user())):
        assert "in hospital" not in other.get(f"/games/{game.pk}").text


def test_what_is_told_stands_where_the_form_was(club, organiser):
    day = (timezone.now().date() + timedelta(days=20)).isoformat()
    holiday = {"deed": "holiday", "name": "Winter", "starts_on": day, "ends_on": day}

    page = organiser.post("/clubs/tuesday/organise", holiday, follow=True)

    assert "The clocks rest on these days." in section(page, "holidays")
    assert page.text.count("The clocks rest on these days.") == 1


def test_what_is_at_fault_is_a_link_away(club, game, organiser):
    page = organiser.post("/clubs/tuesday/organise", {"deed": "holiday", "name": "Winter"}).text
    assert '<a href="#holiday_starts_on">To the marked field</a>' in page
    assert 'id="holiday_starts_on"' in page

    address = f"/clubs/tuesday/organise/games/{game.pk}"
    page = organiser.post(address, {"deed": "annul", "version": str(game.version)}).text
    assert '<a href="#annul_reason">To the marked field</a>' in page


def test_asking_alone_changes_nothing_and_leads_back_with_what_was_typed(game, organiser):
    address = f"/clubs/tuesday/organise/games/{game.pk}"
    typed = {"deed": "annul", "reason": "a mistake", "version": str(game.version)}
    events = Event.objects.count()

    organiser.post(address, typed)
    back = organiser.post(address, typed | {"back": "yes"})

    assert Event.objects.count() == events
    assert ">\na mistake</textarea>" in back.text


def test_the_clock_is_stopped_and_goes_on(game, organiser):
    rule(organiser, game, "pause", reason="holiday")
    game.refresh_from_db()
    assert game.is_paused
    page = organiser.get(f"/clubs/tuesday/organise/games/{game.pk}")
    assert "The clock stands until an organiser lets it go on." in page.text
    assert "holiday" in section(page, "reasons-title")

    rule(organiser, game, "resume", reason="back again")

    game.refresh_from_db()
    assert not game.is_paused


def test_a_seat_is_given_to_another_member(club, game, organiser):
    bo = make_member(club, make_user("bo")).user

    _asked, done = rule(organiser, game, "replace", seat="B", member="bo")

    assert done.status_code == 302
    assert game.places.get(number=1).member == bo


def test_a_member_is_asked_by_mail_to_take_a_seat_over(club, game, organiser):
    bo = make_member(club, make_user("bo")).user

    rule(organiser, game, "offer", seat="C", member="bo")
    rule(organiser, game, "offer", seat="C", member="bo")

    offer = SeatOffer.objects.get()
    assert (offer.seat, offer.member) == (2, bo)
    assert Mail.objects.filter(kind="offer", member=bo).count() == 1


@pytest.mark.parametrize(
    ("deed", "fields", "field"),
    [
        ("annul", {}, "reason"),
        ("annul", {"reason": "  "}, "reason"),
        ("annul", {"reason": "x" * 2001}, "reason"),
        ("rule", {"reason": "x"}, "winner"),
        ("rule", {"reason": "x", "winner": "purple"}, "winner"),
        ("table_talk", {}, "team"),
        ("replace", {"seat": "B"}, "member"),
        ("replace", {"seat": "Z", "member": "bo"}, "seat"),
        ("replace", {"seat": "B", "member": "stranger"}, "member"),
        ("offer", {"member": "bo"}, "seat"),
    ],
)
def test_what_lacks_or_cannot_be_is_said_at_its_field(club, game, organiser, deed, fields, field):
    make_member(club, make_user("bo"))
    make_user("stranger")
    events = Event.objects.count()

    answer, _ = rule(organiser, game, deed, **fields)

    assert answer.status_code == 422
    form = next(each["form"] for each in answer.context["deeds"] if each["name"] == deed)
    assert list(form.errors) == [field]
    assert Event.objects.count() == events


def test_a_ruling_about_an_earlier_state_is_refused_and_what_was_typed_is_kept(game, organiser):
    address = f"/clubs/tuesday/organise/games/{game.pk}"
    typed = {
        "deed": "rule",
        "winner": "blue",
        "reason": "she asked",
        "version": str(game.version),
        "key": "k",
    }
    play_one(game)

    answer = organiser.post(address, typed | {"confirmed": "yes"})

    assert answer.status_code == 412
    assert "The game has moved on meanwhile" in answer.text
    assert ">\nshe asked</textarea>" in answer.text
    assert not Reason.objects.exists()


def test_a_second_click_rules_once(game, organiser):
    address = f"/clubs/tuesday/organise/games/{game.pk}"
    typed = {"deed": "pause", "reason": "ill", "version": str(game.version), "key": "k", "confirmed": "yes"}

    answers = [organiser.post(address, typed) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert Event.objects.filter(game=game, type="ClockPaused").count() == 1


@pytest.mark.parametrize(("deed", "status"), [("resume", 409), ("dance", 400), ("", 400)])
def test_what_cannot_be_done_now_is_refused(game, organiser, deed, status):
    answer = organiser.post(f"/clubs/tuesday/organise/games/{game.pk}", {"deed": deed})

    assert answer.status_code == status
    assert 'role="alert"' in answer.text


def test_table_talk_is_not_offered_where_it_is_free(club, organiser):
    game = make_game(2, club=club, table_talk="free")

    names = [
        each["name"] for each in organiser.get(f"/clubs/tuesday/organise/games/{game.pk}").context["deeds"]
    ]

    assert "table_talk" not in names
    assert "rule" in names


def test_a_finished_game_can_be_annulled_only_and_once(game, organiser):
    rule(organiser, game, "rule", winner="draw", reason="as agreed")
    address = f"/clubs/tuesday/organise/games/{game.pk}"
    assert [each["name"] for each in organiser.get(address).context["deeds"]] == ["annul"]

    rule(organiser, game, "annul", reason="wrong table")

    game.refresh_from_db()
    assert game.status == Status.ANNULLED
    assert organiser.get(address).context["deeds"] == []


def test_no_card_is_shown_to_an_organiser(game, organiser):
    assert "card-picture" not in organiser.get(f"/clubs/tuesday/organise/games/{game.pk}").text
