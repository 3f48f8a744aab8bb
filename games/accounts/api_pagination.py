"""Long collections in pages that stay whole while rows are added."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError
from django.utils.translation import gettext
from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor
from rest_framework.pagination import CursorPagination as FrameworkCursorPagination
from rest_framework.request import Request
from rest_framework.views import APIView

from games.accounts.api_problems import Problem, invalid

DEFAULT_LIMIT = 50
MAX_LIMIT = 200


class CursorPagination(FrameworkCursorPagination):
    """`?limit=` (1 to 200) and `?cursor=`; set `ordering` by subclassing, ending in a unique column."""

    page_size = DEFAULT_LIMIT
    page_size_query_param = "limit"
    max_page_size = MAX_LIMIT
    ordering: Any = ("-id",)

    def paginate_queryset(
        self, queryset: Any, request: Request, view: APIView | None = None
    ) -> list[Any] | None:
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValueError, TypeError, OverflowError, ValidationError, DataError) as error:
            # A cursor carries the value of a column, which a hand-made one gets wrong in any way.
            if self.cursor_query_param in request.query_params:
                raise _bad_cursor() from error
            raise

    def get_page_size(self, request: Request) -> int:
        text = request.query_params.get(self.page_size_query_param)
        if text is None:
            return DEFAULT_LIMIT
        if not (text.isascii() and text.isdigit() and len(text) <= 3 and 1 <= int(text) <= MAX_LIMIT):
            raise invalid("limit", gettext("Give a number from 1 to %(most)s.") % {"most": str(MAX_LIMIT)})
        return int(text)

    def decode_cursor(self, request: Request) -> Cursor | None:
        try:
            return super().decode_cursor(request)
        except NotFound as error:
            raise _bad_cursor() from error

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        parameters = super().get_schema_operation_parameters(view)
        for parameter in parameters:
            if parameter["name"] == self.page_size_query_param:
                parameter["schema"] = {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": MAX_LIMIT,
                    "default": DEFAULT_LIMIT,
                }
        return parameters


def _bad_cursor() -> Problem:
    return invalid("cursor", gettext("Use the address given as next or previous."))
