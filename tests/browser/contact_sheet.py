"""Every mail and every page on sheets, in two languages: `uv run pytest -n 0 tests/browser/contact_sheet.py`.

Writes docs/contact-sheet/; not part of the tests, since pictures are for people to look at.
"""

import base64
import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Page

from games.play.mails.picture import board_png
from tests.browser.every_page import every_page, sign_in
from tests.every_mail import every_kind_of_mail, speak
from tests.journeys.post import Letter
from tests.mail.servers import Mailbox
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages(visit: Any, language: str) -> None:
    shown = every_page()
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
