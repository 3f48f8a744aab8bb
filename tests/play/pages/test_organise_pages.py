"""The pages of organisers: the club, and a game."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.clubs.models import Holiday
from games.mail.services import suppress
from games.play.models import Game, Status
from tests.builders import NOW, make_club, make_member, make_user
from tests.play.builders import make_game
from tests.play.reading import section, signed_in

pytestmark = pytest.mark.django_db


def pages_of(club, game):
    member = game.places.first().member
    return (
        "/clubs/tuesday/organise",
        f"/clubs/tuesday/organise/games/{game.pk}",
        f"/clubs/tuesday/organise/members/{member.uuid}",
    )


def test_only_organisers_of_the_club_see_its_pages(club, game, organiser):
    member, foreigner = signed_in(make_member(club).user), signed_in(make_user())
    of_another = make_user()
    make_club(organiser=of_another)

    for address in pages_of(club, game):
        for data in (None, {"deed": "annul", "reason": "x", "confirmed": "yes"}):
            statuses = [
                (client.get(address) if data is None else client.post(address, data)).status_code
                for client in (Client(), member, foreigner, signed_in(of_another))
            ]
            assert statuses == [302, 403, 403, 403]
        assert organiser.get(address).status_code == 200
    game.refresh_from_db()
    assert game.status == Status.ACTIVE


def test_a_closed_club_is_not_there_for_others(game, club, organiser):
    club.is_open = False
    club.save()

    for address in pages_of(club, game):
        assert signed_in(make_user()).get(address).status_code == 404


def test_games_and_members_of_other_clubs_are_not_there(club, organiser):
    elsewhere = make_club(is_open=True)
    game, member = make_game(2, club=elsewhere), make_member(elsewhere).user

    assert organiser.get(f"/clubs/tuesday/organise/games/{game.pk}").status_code == 404
    assert organiser.get(f"/clubs/tuesday/organise/members/{member.uuid}").status_code == 404
    assert organiser.get("/clubs/tuesday/organise/games/999999999999").status_code == 404


# The club


def test_games_that_stand_still_or_end_soonest_come_first(club, organiser):
    usual, soon, late, stopped = (make_game(2, club=club) for _ in range(4))
    now = timezone.now()
    Game.objects.filter(pk=soon.pk).update(deadline=now + timedelta(days=1))
    Game.objects.filter(pk=late.pk).update(deadline=now - timedelta(days=1))
    Game.objects.filter(pk=stopped.pk).update(is_paused=True)

    shown = section(organiser.get("/clubs/tuesday/organise"), "running")

    order = sorted((usual, soon, late, stopped), key=lambda game: shown.index(f"games/{game.pk}"))
    assert order == [stopped, late, soon, usual]
    assert shown.count("late</span>") == 1
    assert shown.count("clock stopped</span>") == 1
    assert shown.count("On turn since:") == 4
    assert shown.count("Time until:") == 2


def test_whose_mail_comes_back_is_marked(club, organiser):
    anna = make_member(club, make_user("anna")).user
    suppress(address=anna.email, reason="bounced", now=NOW)

    assert section(organiser.get("/clubs/tuesday/organise"), "members").count(">mail comes back<") == 1


def test_the_settings_of_the_club_are_changed(club, organiser):
    answer = organiser.post("/clubs/tuesday/organise", {"deed": "club", "name": "Wednesday", "is_open": ""})

    club.refresh_from_db()
    assert answer.status_code == 302
    assert (club.name, club.is_open, club.has_notes) == ("Wednesday", False, False)


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"name": "x" * 81}, {"name": "a\0b"}, {"name": "a\nb"}, {"is_open": "perhaps"}]
)
def test_settings_of_the_club_that_cannot_be_are_refused(club, organiser, wrong):
    answer = organiser.post("/clubs/tuesday/organise", {"deed": "club", "name": "Wednesday"} | wrong)

    club.refresh_from_db()
    assert answer.status_code == 422
    assert list(answer.context["club_form"].errors) == list(wrong)
    assert club.name == "Tuesday"
    assert organiser.post("/clubs/tuesday/organise", {"deed": "dance"}).status_code == 400


def test_holidays_are_added_once_and_taken_away(club, organiser):
    first = timezone.now().date() + timedelta(days=20)
    days = {"deed": "holiday", "name": "Winter", "starts_on": first, "ends_on": first + timedelta(days=3)}

    for _ in range(2):
        assert organiser.post("/clubs/tuesday/organise", days).status_code == 302
    holiday = Holiday.objects.get()
    assert "Winter" in section(organiser.get("/clubs/tuesday/organise"), "holidays")
    assert "Winter" in section(Client().get("/clubs/tuesday/"), "holidays")
    for _ in range(2):
        data = {"deed": "holiday_off", "holiday": str(holiday.pk)}
        assert organiser.post("/clubs/tuesday/organise", data).status_code == 302
    assert not Holiday.objects.exists()


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"starts_on": "2020-01-01"}, {"ends_on": "2020-01-01"}, {"ends_on": "whenever"}]
)
def test_holidays_that_cannot_be_are_refused_and_nothing_typed_is_lost(club, organiser, wrong):
    first = timezone.now().date() + timedelta(days=20)
    days = {"name": "Winter", "starts_on": first.isoformat(), "ends_on": first.isoformat()} | wrong

    answer = organiser.post("/clubs/tuesday/organise", {"deed": "holiday"} | days)

    assert answer.status_code == 422
    assert list(answer.context["holiday_form"].errors) == list(wrong)
    assert not Holiday.objects.exists()


def test_the_page_of_the_club_leads_organisers_on(club, organiser):
    assert 'href="/clubs/tuesday/organise"' in organiser.get("/clubs/tuesday/").text
    assert (
        'href="/clubs/tuesday/organise"' not in signed_in(make_member(club).user).get("/clubs/tuesday/").text
    )


def test_the_page_needs_the_same_queries_for_many(club, organiser, django_assert_max_num_queries):
    for _ in range(5):
        make_game(2, club=club)

    with django_assert_max_num_queries(18):
        assert organiser.get("/clubs/tuesday/organise").status_code == 200
    with django_assert_max_num_queries(18):
        assert organiser.get("/clubs/tuesday/").status_code == 200
