"""The calendar of deadlines, at a private address."""

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.urls import reverse
from icalendar import Calendar

from games.accounts.models import User
from games.play.models import Game
from games.play.pages.calendar import feed_url
from games.play.services.feed import close_feed, renew_feed
from tests.builders import NOW, make_user
from tests.play.builders import make_game, play_one, player_on_turn

pytestmark = pytest.mark.django_db

DEADLINE = datetime(2026, 12, 3, 19, 0, tzinfo=UTC)


def path_of(member: User) -> str:
    return feed_url(member).removeprefix(settings.PUBLIC_URL)


def game_due(deadline: datetime | None = DEADLINE, **fields) -> tuple[Game, User]:
    """Make a game whose turn runs out at `deadline`; return it with the member on turn, who has a feed."""
    game = make_game()
    Game.objects.filter(pk=game.pk).update(deadline=deadline, **fields)
    game.refresh_from_db()
    member = player_on_turn(game)
    renew_feed(member=member)
    return game, member


def read(client, path: str) -> Calendar:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return Calendar.from_ical(answer.content)


def test_each_turn_that_can_run_out_is_an_entry_that_ends_at_its_deadline(client):
    game, member = game_due(name="Thursday game")

    (entry,) = read(client, path_of(member)).walk("VEVENT")

    letter = game.places.get(member=member).letter
    assert entry.decoded("dtstart") == DEADLINE - timedelta(minutes=30)
    assert entry.decoded("dtend") == DEADLINE
    assert str(entry["uid"]) == f"turn-{game.uuid}-{letter}-1@localhost"
    assert str(entry["summary"]) == "Your turn ends: Thursday game"
    assert str(entry["url"]) == f"{settings.PUBLIC_URL}/games/{game.pk}"
    assert str(entry["transp"]) == "TRANSPARENT"


def test_the_entry_stays_the_same_until_the_turn_is_taken(client):
    game, member = game_due()
    first = client.get(path_of(member)).content

    again = client.get(path_of(member)).content
    play_one(game)
    Game.objects.filter(pk=game.pk).update(deadline=DEADLINE)
    after = read(client, path_of(member))
    other = player_on_turn(game)
    renew_feed(member=other)
    (entry,) = read(client, path_of(other)).walk("VEVENT")

    assert again == first
    assert after.walk("VEVENT") == []
    assert str(entry["uid"]).split("@")[0].endswith("-2")


def test_a_game_without_a_clock_and_a_game_that_is_over_are_no_entries(client):
    game, member = game_due(deadline=None)
    assert read(client, path_of(member)).walk("VEVENT") == []

    Game.objects.filter(pk=game.pk).update(
        status="finished", end="agreed", turn_seat=None, deadline=DEADLINE, finished_at=NOW
    )
    assert read(client, path_of(member)).walk("VEVENT") == []


def test_programs_are_told_to_look_every_hour(client):
    _, member = game_due()

    calendar = read(client, path_of(member))

    assert calendar.decoded("refresh-interval") == timedelta(hours=1)
    assert str(calendar["x-published-ttl"]) == "PT1H"
    assert str(calendar["version"]) == "2.0"


def test_the_answer_is_private_and_tells_no_card(client):
    _, member = game_due()

    answer = client.get(path_of(member))

    assert "private" in answer["Cache-Control"]
    assert "no-cache" in answer["Cache-Control"]
    assert answer["X-Robots-Tag"] == "noindex"
    assert "Set-Cookie" not in answer
    for word in ("♠", "♣", "♥", "♦", "hand", member.email, member.feed_nonce):
        assert word not in answer.content.decode()


@pytest.mark.parametrize("method", ["get", "head"])
def test_looking_changes_nothing(client, method, django_assert_num_queries):
    _, member = game_due()
    path = path_of(member)

    with django_assert_num_queries(2) as queries:
        assert getattr(client, method)(path).status_code == 200

    assert all(query["sql"].startswith("SELECT") for query in queries.captured_queries)
    assert client.post(path).status_code == 405


def test_a_new_address_ends_the_old_one(client):
    _, member = game_due()
    old = path_of(member)

    renew_feed(member=member)

    assert client.get(old).status_code == 404
    assert client.get(path_of(member)).status_code == 200

    new = path_of(member)
    close_feed(member=member)

    assert client.get(new).status_code == 404
    assert feed_url(member) == ""


def test_addresses_that_were_guessed_changed_or_cut_show_nothing(client):
    _, member = game_due()
    other = make_user()
    token = path_of(member).removeprefix("/calendar/").removesuffix(".ics")
    uuid, signature = token.split(".")

    for wrong in (
        uuid,
        f"{uuid}.",
        f"{uuid}.{signature[:-1]}",
        f"{uuid}.{'A' * len(signature)}",
        f"{other.uuid.hex}.{signature}",
        "no-uuid.x",
        "é.ü",
    ):
        assert client.get(reverse("calendar", args=[wrong])).status_code == 404

    member.is_active = False
    member.save()
    assert client.get(path_of(member)).status_code == 404


def test_the_address_tells_neither_the_name_nor_the_nonce():
    _, member = game_due()

    assert member.username not in feed_url(member)
    assert member.feed_nonce not in feed_url(member)
