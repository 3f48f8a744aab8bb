"""The one layout of all mails: a template for each of the two parts, within the frame."""

import re
import textwrap
from collections.abc import Mapping
from typing import Any

import css_inline
from django.conf import settings
from django.template import Context, Engine

from games.mail.kinds import Content, Picture

COLUMNS = 72
SETTINGS_PATH = "/settings"

# What Outlook and Gmail read stands in `style` attributes; only the rules for small screens and the dark
# stay where they are.
_INLINER = css_inline.CSSInliner(load_remote_stylesheets=False, keep_at_rules=True)


def compose(
    name: str,
    context: Mapping[str, Any],
    *,
    subject: str,
    why: str,
    unsubscribe_url: str = "",
    pictures: tuple[Picture, ...] = (),
    thread: str = "",
    list_id: str = "",
) -> Content:
    """Render `mail/{name}.html` and `mail/{name}.txt` in the language that is active.

    They extend `mail/frame.html` and `mail/frame.txt`, and fill `body`, the first also `preheader`. `why` is
    one sentence that tells the reader why this mail came. In the text a line that begins with a space is
    left as it is; others are wrapped to 72 columns.
    """
    shown = {
        "subject": subject,
        "site_name": settings.SITE_NAME,
        "site_url": settings.PUBLIC_URL,
        "settings_url": settings.PUBLIC_URL + SETTINGS_PATH,
        "unsubscribe_url": unsubscribe_url,
        "why": why,
        **context,
    }
    engine = Engine.get_default()
    text = engine.get_template(f"mail/{name}.txt").render(Context(shown, autoescape=False))
    html = engine.get_template(f"mail/{name}.html").render(Context(shown))
    return Content(
        subject=subject,
        text=wrap(text),
        html=_INLINER.inline(html),
        pictures=pictures,
        thread=thread,
        list_id=list_id,
        unsubscribe=unsubscribe_url,
    )


def wrap(text: str) -> str:
    """Wrap lines to 72 columns, those that begin with a space excepted; one blank line at most in between."""
    wrapped = "\n".join(part for line in text.splitlines() for part in _wrap_line(line))
    return re.sub(r"\n{3,}", "\n\n", wrapped).strip("\n") + "\n"


def _wrap_line(line: str) -> list[str]:
    if not line.strip():
        return [""]
    if line.startswith(" ") or len(line) <= COLUMNS:
        # The two hyphens and a space that begin a signature keep their space.
        return [line if line == "-- " else line.rstrip()]
    return textwrap.wrap(
        line,
        COLUMNS,
        subsequent_indent="  " if line.startswith("- ") else "",
        break_long_words=False,
        break_on_hyphens=False,
    )
