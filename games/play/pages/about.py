"""The page that tells the rules."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@never_cache
@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show the rules in short; every number of a rule on a page leads to its anchor here."""
    return render(request, "play/rules.html")
