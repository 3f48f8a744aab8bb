"""Where each game's deal comes from, in a table of its own. Only services and queries may use it."""

import json
import secrets
from typing import Any

from django.db import models

from games.play.models import Game
from games.rules.deal import SECRET_BYTES, Deal, HiddenDeal, ListedDeal, SecretDeal


class DealSource(models.Model):
    """The secret of a deal, or the listed order of an imported record; neither for a record without one."""

    game = models.OneToOneField(Game, on_delete=models.PROTECT, primary_key=True, related_name="deal_source")
    secret = models.BinaryField(max_length=32, null=True)
    listed = models.TextField(blank=True)

    class Meta:
        app_label = "play"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(secret__isnull=True) | models.Q(listed=""), name="dealsource_one_kind"
            ),
        ]

    def __str__(self) -> str:
        return f"deal of game {self.game_id}"

    def deal(self, nonces: tuple[str, ...]) -> Deal:
        """Return the deal that the rules engine draws from."""
        if self.secret is not None:
            return SecretDeal(bytes(self.secret), nonces)
        if self.listed:
            listed: dict[str, Any] = json.loads(self.listed)
            return ListedDeal(listed["deck"], listed["reshuffles"])
        return HiddenDeal()


def new_secret() -> bytes:
    """Return 32 random bytes."""
    return secrets.token_bytes(SECRET_BYTES)
