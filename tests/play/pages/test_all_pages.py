"""What holds for every page."""

import re

import pytest

from games.accounts.models import User
from games.play.models import Game
from games.play.services.proposing import propose_game
from tests.builders import NOW, make_club, make_member
from tests.play.builders import make_game, player_on_turn
from tests.play.reading import signed_in, url

pytestmark = pytest.mark.django_db


def test_pages_hold_no_inline_script_or_style_and_load_nothing_from_elsewhere():
    club = make_club(is_open=True)
    game = make_game(2, club=club)
    host = make_member(club).user
    proposal = propose_game(proposer=host, club=club, seats=4, now=NOW)
    client = signed_in(host)

    for address in (
        "/",
        url(game),
        url(proposal),
        f"/clubs/{club.slug}/",
        f"/games/new?club={club.slug}",
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
