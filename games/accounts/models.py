"""Members, their API tokens, and the counters that bound guessing."""

import datetime
import uuid
from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower, Upper
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken
from timezone_field import TimeZoneField

USERNAME_PATTERN = r"^[a-z0-9][a-z0-9_-]*\Z"
# Names also stand in the subject of mails, which are of one row; and no sign may turn the letters around it.
one_row = RegexValidator(r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*\Z", _("No control characters."))
SCOPES = ("read", "play", "organise")
SCOPES_PATTERN = r"^(read|play|organise)( (read|play|organise))*\Z"


class Language(models.TextChoices):
    ENGLISH = "en", "English"
    DUTCH = "nl", "Nederlands"
    SWEDISH = "sv", "Svenska"
    DANISH = "da", "Dansk"


class Cadence(models.TextChoices):
    """How often mail goes out."""

    AT_ONCE = "at_once", "at once"
    COALESCED = "coalesced", "coalesced"
    DAILY = "daily", "daily"


class User(AbstractUser):
    """Somebody who signs in; `username` is the name that records carry."""

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    username = models.CharField(
        max_length=40,
        unique=True,
        validators=[RegexValidator(USERNAME_PATTERN, _("Lower-case letters, digits, - and _ only."))],
    )
    name = models.CharField(max_length=80, blank=True)
    # Not unique: couples share an address. Looked up by `email__iexact`, which the index on UPPER serves.
    email = models.EmailField(max_length=254, blank=True)
    # When an organiser set the address, until the member proves to be the member: see `services.CODES_WAIT`.
    address_set_at = models.DateTimeField(null=True, blank=True)
    language = models.CharField(max_length=2, choices=Language, default=Language.ENGLISH)
    zone = TimeZoneField(default="UTC", use_pytz=False)
    cadence = models.CharField(max_length=10, choices=Cadence, default=Cadence.AT_ONCE)
    # The wall time, in the member's zone, at which a daily digest goes out.
    digest_at = models.TimeField(default=datetime.time(18, 0))
    wants_text_only = models.BooleanField(default=False)
    leaves_out_hands = models.BooleanField(default=False)
    takes_leave_automatically = models.BooleanField(default=False)
    # In the private address of the member's calendar; a new one ends the old address.
    feed_nonce = models.CharField(max_length=32, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("username"), name="user_username_unique"),
            models.CheckConstraint(
                condition=models.Q(username__regex=USERNAME_PATTERN), name="user_username_slug"
            ),
            models.CheckConstraint(
                condition=models.Q(language__in=Language.values), name="user_language_known"
            ),
            models.CheckConstraint(condition=models.Q(cadence__in=Cadence.values), name="user_cadence_known"),
        ]
        indexes = [models.Index(Upper("email"), name="user_email_upper")]

    def __str__(self) -> str:
        return self.username

    def get_full_name(self) -> str:
        return self.name or self.username

    def get_short_name(self) -> str:
        return self.get_full_name()


class Token(AbstractAuthToken):  # type: ignore[misc]
    """One named key to the API, stored as a digest; `scopes` are separated by spaces."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=80)
    scopes = models.CharField(max_length=40)
    last_used_at = models.DateTimeField(null=True, blank=True)
    # In place of knox's own, whose `create` returns a pair; `services.issue_token` makes tokens.
    objects: ClassVar[models.Manager["Token"]] = models.Manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(scopes__regex=SCOPES_PATTERN), name="token_scopes_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.scopes})"

    @property
    def scope_list(self) -> list[str]:
        return self.scopes.split()


class SignInCode(models.Model):
    """A mailed code of six digits: one live code for each member, five guesses at it."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sign_in_codes")
    code_hash = models.CharField(max_length=64)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user"], condition=models.Q(used_at__isnull=True), name="signincode_one_live"
            ),
            models.CheckConstraint(condition=models.Q(attempts__lte=5), name="signincode_five_attempts"),
        ]

    def __str__(self) -> str:
        return f"code of {self.user_id}"


class CodeRequest(models.Model):
    """Somebody's wish for codes by mail, at an address of a member or of nobody; deleted when it is met."""

    address = models.CharField(max_length=254)
    requested_at = models.DateTimeField()
    # When it may be taken up; whoever does moves it on first, past the time that sending takes.
    due_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"codes for {self.address}"


class SignInAttempt(models.Model):
    """How often `key` was tried since `since`; unknown names count too, so that nothing is told."""

    class Kind(models.TextChoices):
        PASSWORD = "password", "a password guess, by the name that was typed"
        MEMBER = "member", "a password guess, by the member who was meant"
        CODE = "code", "a guess at a code, by the name that was typed"
        CODE_REQUEST = "code_request", "a request for codes"
        INVITATION = "invitation", "an invitation that a member mails"
        LINKS = "links", "a request for turn links"

    kind = models.CharField(max_length=12, choices=Kind)
    key = models.CharField(max_length=254)
    since = models.DateTimeField()
    count = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "key"], name="signinattempt_kind_key"),
            models.CheckConstraint(
                condition=models.Q(
                    kind__in=["password", "member", "code", "code_request", "invitation", "links"]
                ),
                name="signinattempt_kind_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}: {self.count}"
