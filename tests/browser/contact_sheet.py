"""Every mail and every page on sheets, in two languages: `uv run pytest -n 0 tests/browser/contact_sheet.py`.

Writes docs/contact-sheet/; not part of the tests, since pictures are for people to look at.
"""

import base64
import io
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Page

from games.accounts.models import User
from games.clubs.models import Club
from games.play.mails.picture import board_png
from games.play.models import Game
from games.play.services.feed import renew_feed
from games.play.services.proposing import propose_game
from tests.browser.conftest import PASSWORD
from tests.builders import NOW, make_club, make_member, make_user
from tests.every_mail import every_kind_of_mail, speak, timed_game
from tests.journeys.post import Letter
from tests.mail.servers import Mailbox
from tests.play.builders import make_game, play_one, play_to_the_end, player_on_turn
from tests.play.links import make_link
from tests.play.mails.boards import busy_view
from tests.play.mails.colour_blindness import KINDS as BLINDNESSES
from tests.play.mails.colour_blindness import simulate

pytestmark = pytest.mark.django_db(transaction=True)

SHEETS = Path(__file__).resolve().parents[2] / "docs" / "contact-sheet"
LANGUAGES = ("en", "sv")
NARROW, WIDE, TALLEST = 360, 1280, 1500
FONT = Path(__file__).resolve().parents[2] / "games" / "play" / "mails" / "fonts"


class Sheet:
    """Pictures side by side, each below its name."""

    def __init__(self, name: str, across: int) -> None:
        self.name, self.across = name, across
        self.pictures: list[tuple[str, Image.Image]] = []

    def add(self, name: str, png: bytes) -> None:
        picture = Image.open(io.BytesIO(png)).convert("RGB")
        self.pictures.append((name, picture.crop((0, 0, picture.width, min(picture.height, TALLEST)))))

    def save(self, scale: float = 1.0) -> None:
        gap, head = 16, 28
        shrunk = [
            (name, picture.resize((int(picture.width * scale), int(picture.height * scale))))
            for name, picture in self.pictures
        ]
        rows = [shrunk[at : at + self.across] for at in range(0, len(shrunk), self.across)]
        heights = [max(picture.height for _, picture in row) + head + gap for row in rows]
        width = max(sum(picture.width + gap for _, picture in row) for row in rows) + gap
        sheet = Image.new("RGB", (width, sum(heights) + gap), "#8a8f98")
        draw = ImageDraw.Draw(sheet)
        font = ImageFont.load_default(18)
        top = gap
        for row, height in zip(rows, heights, strict=True):
            left = gap
            for name, picture in row:
                draw.text((left, top), name, fill="#000", font=font)
                sheet.paste(picture, (left, top + head))
                left += picture.width + gap
            top += height
        SHEETS.mkdir(exist_ok=True)
        sheet.save(SHEETS / f"{self.name}.webp", quality=55, method=6)


def as_seen(raw: bytes) -> str:
    """Return the HTML part of a mail with its pictures in it."""
    letter = Letter(raw)
    html = letter.html
    for part in letter.message.walk():
        if part.get_content_type() == "image/png":
            data = base64.b64encode(part.get_payload(decode=True)).decode()
            name = str(part["Content-ID"]).strip("<>")
            html = html.replace(f"cid:{name}", f"data:image/png;base64,{data}")
    return html


@pytest.mark.parametrize("language", LANGUAGES)
def test_mails(page: Page, mailbox: Mailbox, language: str) -> None:
    found = every_kind_of_mail(mailbox, language)
    sheet = Sheet(f"mails-{language}", 6)
    for kind in sorted(found):
        page.set_viewport_size({"width": NARROW, "height": 640})
        page.set_content(as_seen(found[kind]))
        sheet.add(kind, page.screenshot(full_page=True))
    sheet.save(0.8)
    texts = "\n\n".join(f"======== {kind}\n\n{Letter(found[kind]).text}" for kind in sorted(found))
    (SHEETS / f"mails-{language}.txt").write_text(texts.replace("\r\n", "\n"), encoding="utf-8")
    if language == "en":
        show_blindness()
    write_page()


def show_blindness() -> None:
    picture = board_png(busy_view())
    sheet = Sheet("colour-blindness", 2)
    sheet.add("as drawn", picture)
    for kind in BLINDNESSES:
        sheet.add(kind, simulate(picture, kind))
    sheet.save(0.5)


def pages(club: Club, game: Game, player: User) -> dict[str, tuple[User | None, str]]:
    """Return who looks at which address, by the name of the page."""
    organiser = club.memberships.get(role="organiser").user
    proposal = propose_game(
        proposer=organiser,
        club=club,
        seats=6,
        teams=3,
        name="Three teams",
        options={"idle_rounds": 2},
        now=NOW,
    )
    over = play_to_the_end(make_game(2, club=club, lines_to_win=1))
    renew_feed(member=player)
    [card] = re.findall(r"card=(\w+)", _hand(game, player))[:1]
    return {
        "start, signed out": (None, "/"),
        "sign in": (None, "/sign-in"),
        "sign in by code": (None, "/sign-in/code"),
        "my turns": (player, "/"),
        "open games": (player, "/games/open"),
        "club": (player, f"/clubs/{club.slug}/"),
        "organise": (organiser, f"/clubs/{club.slug}/organise"),
        "new club": (player, "/clubs/new"),
        "choose a club": (player, "/games/new"),
        "new game": (player, f"/games/new?club={club.slug}"),
        "proposal": (player, f"/games/{proposal.pk}"),
        "game, on turn": (player, f"/games/{game.pk}"),
        "game, a card picked": (player, f"/games/{game.pk}?card={card}"),
        "game, watching": (None, f"/games/{game.pk}"),
        "game, over": (player, f"/games/{over.pk}"),
        "resign": (player, f"/games/{game.pk}/resign"),
        "turn link": (None, make_link(game, player)),
        "link not known": (None, f"/t/{'x' * 43}"),
        "a fresh link": (None, "/links"),
        "settings": (player, "/settings"),
        "rules": (None, "/rules"),
        "not found": (None, "/nothing-here"),
    }


def _hand(game: Game, player: User) -> str:
    from django.test import Client

    client = Client()
    client.force_login(player)
    return client.get(f"/games/{game.pk}").content.decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages(visit: Any, language: str) -> None:
    club = make_club("thursday", is_open=True, name="The Thursday Club", organiser=make_user("olga"))
    players = [make_member(club, make_user(name)).user for name in ("anna", "bo", "carla", "emil")]
    game = timed_game(club, players)
    for number in range(33):
        play_one(game, pick=number * 3)
    for member in User.objects.all():
        member.set_password(PASSWORD)
        member.save()
    player = player_on_turn(game)
    speak(language)
    shown = pages(club, game, player)
    speak(language)

    for width, across, scale in ((NARROW, 8, 0.8), (WIDE, 4, 0.4)):
        sheet = Sheet(f"pages-{language}-{width}", across)
        windows = {}
        for name, (who, address) in shown.items():
            if who not in windows:
                windows[who] = visit(width, locale=language)
                if who is not None:
                    sign_in(windows[who], who)
            visitor = windows[who]
            visitor.page.goto(f"{visitor.address}{address}")
            sheet.add(name, visitor.page.screenshot(full_page=True))
        sheet.save(scale)
    write_page()


def sign_in(visitor: Any, member: User) -> None:
    visitor.page.goto(f"{visitor.address}/sign-in")
    form = visitor.page.locator("form").filter(has=visitor.page.locator('input[type="password"]'))
    form.locator('input[name="who"]').fill(member.username)
    form.locator('input[type="password"]').fill(PASSWORD)
    form.locator('button[type="submit"]').click()
    visitor.page.wait_for_load_state()


def write_page() -> None:
    """Write the page of docs that shows the sheets."""
    names = {"en": "English", "sv": "Swedish"}
    parts = [
        "# Every mail and every page\n",
        "Made by `uv run pytest -n 0 tests/browser/contact_sheet.py`.\n",
    ]
    for language, name in names.items():
        parts += [
            f"## Mails in {name}\n",
            f"As HTML at {NARROW} px; [as text](mails-{language}.txt).\n",
            f"![Mails in {name}](mails-{language}.webp)\n",
        ]
    for language, name in names.items():
        for width in (NARROW, WIDE):
            parts += [
                f"## Pages in {name} at {width} px\n",
                f"![Pages in {name}](pages-{language}-{width}.webp)\n",
            ]
    parts += [
        "## The picture of a mail under simulated colour blindness\n",
        "![As drawn, protanopia, deuteranopia, tritanopia](colour-blindness.webp)\n",
    ]
    SHEETS.mkdir(exist_ok=True)
    (SHEETS / "README.md").write_text("\n".join(parts), encoding="utf-8")
