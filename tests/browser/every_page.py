"""Every page of the site: who looks at which address."""

import re
from typing import Any

from django.test import Client
from django.utils import timezone

from games.accounts.models import User
from games.clubs.own_address import ask_for_address, token_of
from games.clubs.services import invite
from games.mail.models import Mail
from games.mail.unsubscribing import unsubscribe_url
from games.play.models import Game
from games.play.services.feed import renew_feed
from games.play.services.proposing import propose_game
from tests.browser.conftest import PASSWORD
from tests.builders import NOW, make_club, make_member, make_user
from tests.every_mail import timed_game
from tests.play.builders import make_game, play_one, play_to_the_end, player_on_turn
from tests.play.links import make_case, make_link, path_of, rule

Shown = dict[str, tuple[User | None, str]]


def every_page() -> Shown:
    """Make a club with games in all states; return the reader, None for nobody, and address of each page."""
    organiser = make_user("olga")
    club = make_club("thursday", is_open=True, name="The Thursday Club", organiser=organiser)
    players = [make_member(club, make_user(name)).user for name in ("anna", "bo", "carla", "emil")]
    game = timed_game(club, players)
    for number in range(33):
        play_one(game, pick=number * 3)
    player = player_on_turn(game)
    renew_feed(member=player)
    shown = _of_the_site(player, organiser) | _of_a_club(club.slug, player, organiser, game)
    shown |= _of_games(club, game, player, organiser) | _of_links(game, player) | _of_mails(club, player)
    for member in User.objects.all():
        member.set_password(PASSWORD)
        member.save()
    return shown


def _of_the_site(player: User, organiser: User) -> Shown:
    return {
        "start, signed out": (None, "/"),
        "sign in": (None, "/sign-in"),
        "sign in by code": (None, "/sign-in/code"),
        "my turns": (player, "/"),
        "open games": (player, "/games/open"),
        "settings": (player, "/settings"),
        "rules": (None, "/rules"),
        "not found": (None, "/nothing-here"),
        "not allowed": (player, "/clubs/thursday/organise"),
    }


def _of_a_club(slug: str, player: User, organiser: User, game: Game) -> Shown:
    return {
        "club": (player, f"/clubs/{slug}/"),
        "new club": (player, "/clubs/new"),
        "organise": (organiser, f"/clubs/{slug}/organise"),
        "organise a game": (organiser, f"/clubs/{slug}/organise/games/{game.pk}"),
        "organise a member": (organiser, f"/clubs/{slug}/organise/members/{player.uuid}"),
    }


def _of_games(club: Any, game: Game, player: User, organiser: User) -> Shown:
    three_teams = {"name": "Three teams", "options": {"idle_rounds": 2}}
    proposal = propose_game(proposer=organiser, club=club, seats=6, teams=3, now=NOW, **three_teams)
    over = play_to_the_end(make_game(2, club=club, lines_to_win=1))
    card = re.findall(r"card=(\w+)", _page(game, player))[0]
    return {
        "choose a club": (player, "/games/new"),
        "new game": (player, f"/games/new?club={club.slug}"),
        "proposal": (player, f"/games/{proposal.pk}"),
        "game, on turn": (player, f"/games/{game.pk}"),
        "game, a card picked": (player, f"/games/{game.pk}?card={card}"),
        "game, watching": (None, f"/games/{game.pk}"),
        "game, over": (player, f"/games/{over.pk}"),
        "resign": (player, f"/games/{game.pk}/resign"),
    }


def _page(game: Game, player: User) -> str:
    client = Client()
    client.force_login(player)
    return client.get(f"/games/{game.pk}").content.decode()


def _of_links(game: Game, player: User) -> Shown:
    played = make_case("turn")
    play_one(played.game)
    stopped = make_case("turn")
    rule(stopped.game, {"act": "rule", "winner": "draw", "reason": "They had agreed."})
    links = {purpose: make_case(purpose).path for purpose in ("draw", "pay", "answer", "offer")}
    return {
        "turn link": (None, make_link(game, player)),
        "turn link, played": (None, played.path),
        "turn link, game over": (None, stopped.path),
        **{f"{purpose} link": (None, path) for purpose, path in links.items()},
        "link not known": (None, f"/t/{'x' * 43}"),
        "a fresh link": (None, "/links"),
    }


def _of_mails(club: Any, player: User) -> Shown:
    now = timezone.now()
    invitation = invite(club=club, by=player, email="newcomer@example.org", role="member", now=now)
    ask_for_address(member=player, email="anna@example.net", now=now)
    token = token_of(Mail.objects.get(kind="confirm"), player)
    return {
        "invitation": (None, f"/invitations/{invitation.code}"),
        "invitation, not good": (None, "/invitations/none"),
        "fewer mails": (None, path_of(unsubscribe_url(player))),
        "a new address": (None, f"/settings/confirm/{token}"),
    }


def sign_in(visitor: Any, member: User) -> None:
    visitor.page.goto(f"{visitor.address}/sign-in")
    form = visitor.page.locator("form").filter(has=visitor.page.locator('input[type="password"]'))
    form.locator('input[name="who"]').fill(member.username)
    form.locator('input[type="password"]').fill(PASSWORD)
    form.locator('button[type="submit"]').click()
    visitor.page.wait_for_load_state()
