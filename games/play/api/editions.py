"""What a game can be played with, and by which house rules, over the API."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.accounts.api_permissions import HasScope
from games.play.api.serializers import EditionSerializer, EditionsSerializer
from games.rules.editions import Edition, edition_names, load_edition
from games.rules.ruleset import CHOICES, NONE, OPTION_NAMES, SWITCHES, UNLIMITED

NUMBERS: dict[str, tuple[str, int, int | None, Any, tuple[str, ...]]] = {
    "hand_size": ("R5", 1, None, None, ()),
    "lines_to_win": ("R7", 1, 20, None, ()),
    "line_length": ("R9", 2, None, None, ()),
    "max_shared": ("R10", 0, 4, 1, ()),
    "collinear_shared": ("R10", 0, 4, NONE, (NONE,)),
    "dead_swaps_per_turn": ("R13", 0, 104, None, (UNLIMITED,)),
    "idle_rounds": ("R15", 1, 100, NONE, (NONE,)),
    "hand_floor": ("R17", 0, 20, 1, ()),
}
"""Options that are numbers: rule, least, most (None: as the table allows), default (None: follows from
the seats or the edition), and the words that may stand instead."""


class Editions(APIView):
    permission_classes = [HasScope("read", anyone_reads=True)]

    @extend_schema(operation_id="editions_list", responses=EditionsSerializer, tags=["editions"])
    def get(self, request: Request) -> Response:
        """List the editions that games can be played with."""
        editions = [load_edition(name) for name in edition_names()]
        return Response({"results": [{"name": each.name, "title": each.title} for each in editions]})


class EditionDetail(APIView):
    permission_classes = [HasScope("read", anyone_reads=True)]

    @extend_schema(responses=EditionSerializer, tags=["editions"])
    def get(self, request: Request, name: str) -> Response:
        """Return the board, the cards and the options of one edition."""
        if name not in edition_names():
            raise NotFound
        return Response(edition_data(load_edition(name)))


def edition_data(edition: Edition) -> dict[str, Any]:
    """Return an edition as plain data, with every option that a game may set."""
    printed = [card or "**" for card in edition.printed]
    return {
        "name": edition.name,
        "title": edition.title,
        "board": [printed[row : row + edition.width] for row in range(0, len(printed), edition.width)],
        "cards": list(edition.codes),
        "packs": edition.packs,
        "two_eyed_jacks": _in_order(edition, edition.wild),
        "one_eyed_jacks": _in_order(edition, edition.anti),
        "tables": [
            {"seats": seats, "teams": list(table.teams), "hand_size": table.hand_size}
            for seats, table in sorted(edition.tables.items())
        ],
        "options": [_option(edition, name) for name in OPTION_NAMES],
    }


def _in_order(edition: Edition, cards: frozenset[str]) -> list[str]:
    return [code for code in edition.codes if code in cards]


def _option(edition: Edition, name: str) -> dict[str, Any]:
    least = most = None
    values: list[Any]
    if name in CHOICES:
        rule, words = CHOICES[name]
        values, default = list(words), words[0]
    elif name in SWITCHES:
        rule, default = SWITCHES[name]  # type: ignore[assignment]
        values = [default, not default]
    elif name in NUMBERS:
        rule, least, most, default, words = NUMBERS[name]
        values = list(words)
    else:
        rule, values, default = _of_cards_and_chips(edition, name)
    return {
        "name": name,
        "rule": rule,
        "default": default,
        "values": values,
        "least": least,
        "most": most,
    }


def _of_cards_and_chips(edition: Edition, name: str) -> tuple[str, list[Any], Any]:
    if name == "chip_limit":
        return "R3", [NONE, "box"], NONE
    cards = edition.wild if name == "wild" else edition.anti
    return "R2", [], _in_order(edition, cards)
