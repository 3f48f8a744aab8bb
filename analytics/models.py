"""What is known of finished games: derived from their events, never the truth itself."""

from django.db import models

from games.play.models import Game


class GameFacts(models.Model):
    """One row of figures for a finished game, derived from its events up to `version`."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="facts")
    version = models.PositiveIntegerField()
    derived_at = models.DateTimeField()
    turns = models.PositiveIntegerField()
    placements = models.PositiveIntegerField()
    removals = models.PositiveIntegerField()
    swaps = models.PositiveIntegerField()
    passes = models.PositiveIntegerField()
    two_eyed_jacks = models.PositiveIntegerField()
    one_eyed_jacks = models.PositiveIntegerField()
    reshuffles = models.PositiveIntegerField()
    lines = models.JSONField()
    first_line_turn = models.PositiveIntegerField(null=True)
    winner = models.CharField(max_length=5, blank=True)
    end = models.CharField(max_length=12, blank=True)

    class Meta:
        verbose_name_plural = "game facts"

    def __str__(self) -> str:
        return f"facts of game {self.game_id} at version {self.version}"
