"""What holds for every page."""

import re

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation

from games.accounts.models import User
from games.clubs.models import Role
from games.play.models import Game
from games.play.services.proposing import propose_game
from tests.builders import NOW, make_club, make_member, make_user
from tests.play.builders import make_game, player_on_turn
from tests.play.reading import signed_in, url

pytestmark = pytest.mark.django_db


def test_pages_hold_no_inline_script_or_style_and_load_nothing_from_elsewhere():
    club = make_club(is_open=True)
    game = make_game(2, club=club)
    host = make_member(club, role=Role.ORGANISER).user
    proposal = propose_game(proposer=host, club=club, seats=4, now=NOW)
    client = signed_in(host)

    for address in (
        "/",
        url(game),
        url(proposal),
        f"/clubs/{club.slug}/",
        f"/games/new?club={club.slug}",
        "/games/open",
        "/settings",
        f"/clubs/{club.slug}/organise",
        f"/clubs/{club.slug}/organise/games/{game.pk}",
        f"/clubs/{club.slug}/organise/members/{host.uuid}",
        "/sign-in",
        "/nowhere",
    ):
        text = client.get(address).content.decode()
        assert not re.search(r"<script(?! src=\"/)", text)
        assert "<style" not in text
        assert not re.search(r"\s(style|on\w+)=", text), address
        assert not re.search(r'(src|href)="(https?:)?//', text), address


def test_a_name_with_markup_stays_text():
    club = make_club()
    game = make_game(2, club=club)
    Game.objects.filter(pk=game.pk).update(name="<b>&\"'")
    User.objects.filter(pk=game.places.first().member_id).update(name="<script>alert(1)</script>")

    for address in ("/", url(game), f"/clubs/{club.slug}/"):
        text = signed_in(player_on_turn(game)).get(address).content.decode()
        assert "<b>" not in text
        assert "<script>" not in text


@pytest.mark.parametrize("name", ["400", "403_csrf", "500", "503"])
@pytest.mark.parametrize("language", ["en", "nl", "sv", "da"])
def test_pages_of_faults_need_no_request_and_lead_on(name, language):
    with translation.override(language):
        text = render_to_string(f"{name}.html")

    assert f'<html lang="{language}">' in text
    assert 'href="/"' in text
    assert 'href="/links"' in text
    assert "<h1>" in text


def test_what_is_not_there_leads_to_signing_in_and_to_a_fresh_link():
    stranger, member = Client().get("/games/999999"), signed_in(make_user()).get("/games/999999")

    assert 'href="/sign-in?next=/games/999999"' in stranger.text
    assert 'href="/links"' in stranger.text
    assert "sign in first" not in member.text
    assert (stranger.status_code, member.status_code) == (404, 404)


def test_who_may_not_is_told_whom_to_ask():
    club = make_club(is_open=True)

    answer = signed_in(make_member(club).user).get(f"/clubs/{club.slug}/organise")

    assert answer.status_code == 403
    assert "ask one of them" in answer.text
