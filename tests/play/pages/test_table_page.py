"""The table before a game starts: seats kept, given back, filled."""

import pytest

from games.play.models import Status
from games.play.services.proposing import propose_game
from tests.builders import NOW, make_club, make_member
from tests.play.reading import Page, signed_in, url

pytestmark = pytest.mark.django_db


def test_a_seat_is_kept_for_a_member_and_given_back():
    club = make_club()
    host, friend, other = (make_member(club).user for _ in range(3))
    game = propose_game(proposer=host, club=club, seats=2, now=NOW)
    hosting = signed_in(host)
    form = Page(hosting.get(url(game))).form_with("deed", "invite")
    assert friend.username in form.options["username"]

    hosting.post(form.action, form.fields | {"deed": "invite", "seat": "1", "username": friend.username})

    assert f"kept for {friend.get_full_name()}" in hosting.get(url(game)).content.decode()
    text = signed_in(other).get(url(game)).content.decode()
    assert "Join and agree" not in text
    refused = signed_in(other).post(f"{url(game)}/table", {"deed": "join"})
    assert refused.status_code == 409
    hosting.post(form.action, form.fields | {"deed": "give_back"})
    assert not game.places.get(number=0).is_taken


def test_a_host_fills_a_seat_with_a_bot():
    club = make_club()
    host = make_member(club).user
    game = propose_game(proposer=host, club=club, seats=2, now=NOW)
    client = signed_in(host)

    client.post(f"{url(game)}/table", {"deed": "fill", "seat": "1"})

    game.refresh_from_db()
    assert game.status == Status.ACTIVE


def test_a_host_withdraws_the_proposal_and_others_may_not():
    club = make_club()
    host, other = make_member(club).user, make_member(club).user
    game = propose_game(proposer=host, club=club, seats=2, now=NOW)

    refused = signed_in(other).post(f"{url(game)}/table", {"deed": "withdraw"})
    signed_in(host).post(f"{url(game)}/table", {"deed": "withdraw"})

    assert refused.status_code == 403
    assert "Withdrawn before the start" in signed_in(host).get(url(game)).content.decode()


@pytest.mark.parametrize("fields", [{}, {"deed": "dance"}, {"deed": "fill"}, {"deed": "fill", "seat": "99"}])
def test_a_malformed_change_of_the_table_is_refused(fields):
    club = make_club()
    host = make_member(club).user
    game = propose_game(proposer=host, club=club, seats=2, now=NOW)

    answer = signed_in(host).post(f"{url(game)}/table", fields)

    assert answer.status_code in (400, 409)
    game.refresh_from_db()
    assert game.status == Status.PROPOSED


def test_to_withdraw_a_proposal_is_asked_about_and_no_part_of_filling_seats():
    club = make_club()
    host = make_member(club).user
    game = propose_game(proposer=host, club=club, seats=2, now=NOW)

    page = signed_in(host).get(url(game))

    assert Page(page).form_with("deed", "withdraw") is not Page(page).form_with("deed", "invite")
    folded = page.text.split("<summary>Withdraw the proposal</summary>")[1].split("</details>")[0]
    assert "This cannot be taken back." in folded
    assert 'value="withdraw"' in folded
    assert page.text.count('value="withdraw"') == 1
