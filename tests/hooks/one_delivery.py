"""`python -m tests.hooks.one_delivery`: post one delivery, at the hour the tests live in."""

import django

django.setup()

from games.hooks.delivering import deliver_one  # noqa: E402 - Django first
from tests.builders import NOW  # noqa: E402

deliver_one(now=NOW)
