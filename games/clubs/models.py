"""Clubs, who is in them, and invitations to join."""

import hashlib

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.accounts.capabilities import token_for


class Role(models.TextChoices):
    MEMBER = "member", _("member")
    ORGANISER = "organiser", _("organiser")


class Club(models.Model):
    """People who play together; the games of an open club are visible to everybody."""

    slug = models.SlugField(max_length=50, unique=True)
    name = models.CharField(max_length=80)
    is_open = models.BooleanField(default=False)
    # Whether players may write short notes to the whole table.
    has_notes = models.BooleanField(default=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(slug__regex=r"^[a-z0-9][a-z0-9-]*\Z"), name="club_slug_lower"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A member's time in a club; whoever comes back gets another row."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.MEMBER)
    joined_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "user"],
                condition=models.Q(left_at__isnull=True),
                name="membership_one_active",
            ),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_known"),
            models.CheckConstraint(
                condition=models.Q(left_at__isnull=True) | models.Q(left_at__gte=models.F("joined_at")),
                name="membership_left_after_joining",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.club_id} ({self.role})"


class Holiday(models.Model):
    """Days on which the clocks of a club's games rest, the last one included, in each player's own zone."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="holidays")
    name = models.CharField(max_length=80)
    starts_on = models.DateField()
    ends_on = models.DateField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_on__gte=models.F("starts_on")), name="holiday_ends_after_start"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.starts_on} to {self.ends_on}"


class Invitation(models.Model):
    """A mailed link into a club, good once; the code itself is stored as a hash only.

    It is derived from `nonce` and `key_id` when the mail is rendered; the oldest invitations have neither.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(max_length=254)
    role = models.CharField(max_length=10, choices=Role, default=Role.MEMBER)
    code_hash = models.CharField(max_length=64, unique=True)
    nonce = models.CharField(max_length=32, blank=True)
    key_id = models.CharField(max_length=20, blank=True)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="invitations_sent"
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="invitations_accepted",
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="invitation_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.email} to {self.club_id}"

    @property
    def code(self) -> str:
        """Return what the link of the mail carries; raises KeyForgotten."""
        return token_for("invitation/1", self.key_id, self.nonce, self.email)

    @staticmethod
    def hash_of(code: str) -> str:
        """Return what is stored of a code: of 256 bits, so a plain hash tells nothing."""
        return hashlib.sha256(code.encode()).hexdigest()
