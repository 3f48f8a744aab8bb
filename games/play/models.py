"""Games, seats and who held them: projections of the event log, and what is mutable beside it."""

import uuid

from django.conf import settings
from django.db import models

from games.accounts.models import Cadence
from games.clubs.models import Club
from games.rules.actions import EXPIRY_POLICIES
from games.rules.encoding import SEAT_LETTERS
from games.rules.events import ENDS
from games.rules.ruleset import TEAM_NAMES


class Status(models.TextChoices):
    PROPOSED = "proposed", "waiting for players"
    ACTIVE = "active", "running"
    FINISHED = "finished", "finished"
    UNFINISHED = "unfinished", "recorded without an end"
    ANNULLED = "annulled", "annulled"
    WITHDRAWN = "withdrawn", "withdrawn before the start"


class Source(models.TextChoices):
    PLAYED = "played", "played here"
    IMPORTED = "imported", "imported record"


class Game(models.Model):
    """A game of a club; all but its name follows from its events.

    `version` is the number of the last event, `head_hash` its hash. `turn_seat` counts seats from 0;
    `winner` is a team, None for a draw as for a running game.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="games")
    name = models.CharField(max_length=80, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.PROPOSED)
    source = models.CharField(max_length=8, choices=Source, default=Source.PLAYED)
    edition = models.CharField(max_length=40)
    seats = models.PositiveSmallIntegerField()
    teams = models.PositiveSmallIntegerField()
    house_rules = models.JSONField(default=dict)
    expiry = models.CharField(max_length=12, choices=[(p, p) for p in EXPIRY_POLICIES])
    rules_version = models.PositiveSmallIntegerField()
    seal = models.CharField(max_length=64, blank=True)
    version = models.PositiveIntegerField(default=0)
    head_hash = models.BinaryField(max_length=32)
    turn_seat = models.PositiveSmallIntegerField(null=True, blank=True)
    turns = models.PositiveIntegerField(default=0)
    turn_since = models.DateTimeField(null=True, blank=True)
    is_paused = models.BooleanField(default=False)
    bot_stands_in = models.BooleanField(default=False)
    # What was agreed about time (R22), in hours; without `turn_hours` nothing ever runs out.
    turn_hours = models.PositiveIntegerField(null=True, blank=True)
    bank_hours = models.PositiveIntegerField(default=0)
    increment_hours = models.PositiveIntegerField(default=0)
    cap_hours = models.PositiveIntegerField(default=0)
    rests_at_weekends = models.BooleanField(default=False)
    # The clock of the present turn: what was spent before `clock_since`, and what follows from both.
    clock_since = models.DateTimeField(null=True, blank=True)
    clock_spent_seconds = models.PositiveIntegerField(default=0)
    deadline = models.DateTimeField(null=True, blank=True)
    remind_at = models.DateTimeField(null=True, blank=True)
    offering_team = models.PositiveSmallIntegerField(null=True, blank=True)
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    end = models.CharField(max_length=12, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="games_proposed"
    )
    created_at = models.DateTimeField()
    rematch_of = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    request_key = models.CharField(max_length=200, blank=True)
    request_fingerprint = models.BinaryField(max_length=32, default=bytes)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["created_by", "request_key"],
                condition=~models.Q(request_key=""),
                name="game_request_key",
            ),
            models.CheckConstraint(condition=models.Q(status__in=Status.values), name="game_status_known"),
            models.CheckConstraint(condition=models.Q(source__in=Source.values), name="game_source_known"),
            models.CheckConstraint(condition=models.Q(expiry__in=EXPIRY_POLICIES), name="game_expiry_known"),
            models.CheckConstraint(condition=models.Q(end__in=["", *ENDS]), name="game_end_known"),
            models.CheckConstraint(
                condition=models.Q(status="active", turn_seat__isnull=False)
                | (~models.Q(status="active") & models.Q(turn_seat__isnull=True)),
                name="game_active_has_turn",
            ),
        ]
        indexes = [
            models.Index(fields=["club", "status", "-id"], name="game_club_status"),
            models.Index(fields=["-finished_at"], name="game_finished"),
            models.Index(fields=["turn_since"], condition=models.Q(status="active"), name="game_running"),
            models.Index(
                fields=["deadline"], condition=models.Q(deadline__isnull=False), name="game_deadline"
            ),
            models.Index(
                fields=["turn_since"], condition=models.Q(status="active", is_paused=True), name="game_paused"
            ),
            models.Index(
                fields=["remind_at"], condition=models.Q(remind_at__isnull=False), name="game_remind_at"
            ),
        ]

    def __str__(self) -> str:
        return self.name or f"game {self.pk}"

    @property
    def winner_name(self) -> str | None:
        """The winner as a colour, `draw`, or None while there is no result."""
        if self.winner is not None:
            return TEAM_NAMES[self.winner]
        return "draw" if self.status == Status.FINISHED else None


class Seat(models.Model):
    """A numbered place in a game and who holds it: a member, a bot, or a name in an imported record."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="places", db_index=False)
    number = models.PositiveSmallIntegerField()
    member = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="seats"
    )
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    is_bot = models.BooleanField(default=False)
    recorded_name = models.CharField(max_length=40, blank=True)
    taken_at = models.DateTimeField(null=True, blank=True)
    nonce = models.CharField(max_length=64, blank=True)
    is_active = models.BooleanField(default=True)
    cards_owed = models.PositiveSmallIntegerField(default=0)
    draws_due = models.PositiveSmallIntegerField(default=0)
    bank_seconds = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="seat_game_number"),
            models.UniqueConstraint(
                fields=["game", "member"],
                condition=models.Q(is_active=True),
                name="seat_one_a_member",
            ),
            models.CheckConstraint(
                condition=~models.Q(is_bot=True, member__isnull=False), name="seat_bot_or_member"
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.letter} of game {self.game_id}"

    @property
    def letter(self) -> str:
        """`A` for the first seat."""
        return SEAT_LETTERS[self.number]

    @property
    def is_taken(self) -> bool:
        """Whether somebody has agreed to play here, even if an erased member."""
        return self.taken_at is not None

    @property
    def player_name(self) -> str:
        """The name that records carry."""
        if self.member is not None:
            return self.member.username
        return self.recorded_name or ("bot" if self.is_bot else "")


class Tenure(models.Model):
    """Who held a seat from one event to another; `until_version` is None for the present holder."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="tenures")
    member = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="tenures"
    )
    from_version = models.PositiveIntegerField()
    until_version = models.PositiveIntegerField(null=True, blank=True)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["seat"], condition=models.Q(until_version__isnull=True), name="tenure_one_open"
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat_id} from event {self.from_version}"


class Receipt(models.Model):
    """That a request with an idempotency key was carried out; the answer is rendered again at `version`."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+", db_index=False)
    actor = models.UUIDField()
    key = models.CharField(max_length=200)
    fingerprint = models.BinaryField(max_length=32)
    version = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "actor", "key"], name="receipt_key"),
        ]

    def __str__(self) -> str:
        return f"{self.key} at version {self.version}"


class TurnLink(models.Model):
    """The capability that a mail carries: one member may act for one seat, for one purpose, once.

    `number` is the turn for `turn`, and for the others the event that gave reason to the mail. It opens
    as long as `member` holds the seat, and acts until that turn is over. Only the hash of its token is here
    (capabilities).
    """

    class Purpose(models.TextChoices):
        TURN = "turn", "take a turn"
        DRAW = "draw", "draw a card"
        PAY = "pay", "pay a card for table talk"
        ANSWER = "answer", "answer an offer of a draw"
        OFFER = "offer", "take over a seat"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField()
    member = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    purpose = models.CharField(max_length=6, choices=Purpose)
    number = models.PositiveIntegerField()
    nonce = models.CharField(max_length=32)
    key_id = models.CharField(max_length=20)
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "seat", "member", "purpose", "number"], name="turnlink_one_each"
            ),
            models.CheckConstraint(
                condition=models.Q(purpose__in=["turn", "draw", "pay", "answer", "offer"]),
                name="turnlink_purpose_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.number} of game {self.game_id}"


class LinkRequest(models.Model):
    """Somebody's wish for turn links by mail, under a name of a member or of nobody; deleted when met."""

    who = models.CharField(max_length=254)
    requested_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"links for {self.who}"


class SeatOffer(models.Model):
    """A seat that a club member is asked to take over (R21); answered once."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="offers")
    seat = models.PositiveSmallIntegerField()
    member = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    offered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    offered_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    is_accepted = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "seat", "member"],
                condition=models.Q(answered_at__isnull=True),
                name="seatoffer_one_open",
            ),
        ]

    def __str__(self) -> str:
        return f"seat {SEAT_LETTERS[self.seat]} of game {self.game_id} to {self.member_id}"


class Leave(models.Model):
    """Days on which a member's clocks rest, the last one included, in the member's zone."""

    member = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="leaves")
    starts_on = models.DateField()
    ends_on = models.DateField()
    is_automatic = models.BooleanField(default=False)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_on__gte=models.F("starts_on")), name="leave_ends_after_start"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member_id}, {self.starts_on} to {self.ends_on}"


class GameCadence(models.Model):
    """How often a member wants mail about one game, where it differs from their usual cadence."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+", db_index=False)
    member = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    cadence = models.CharField(max_length=10, choices=Cadence)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "member"], name="gamecadence_one_each"),
            models.CheckConstraint(condition=models.Q(cadence__in=Cadence.values), name="gamecadence_known"),
        ]

    def __str__(self) -> str:
        return f"{self.cadence} for {self.member_id} in game {self.game_id}"


class Note(models.Model):
    """A short note of a player to the whole table; no part of the log."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="notes")
    seat = models.PositiveSmallIntegerField()
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.CharField(max_length=280)
    written_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.text


class Reason(models.Model):
    """The words with which an organiser ruled; the event holds only `hash` (ADR 6)."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="reasons")
    hash = models.CharField(max_length=64, unique=True)
    nonce = models.CharField(max_length=32)
    text = models.TextField(max_length=2000)
    given_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    given_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.text


# Django finds models through this module; these two stay in rooms that only services and queries may enter.
from games.play import log as _log  # noqa: E402, F401
from games.play import vault as _vault  # noqa: E402, F401
