"""The outbox, and addresses to which nothing is sent any more."""

from django.conf import settings
from django.db import models


class Mail(models.Model):
    """A mail that is to be sent once: what it is about as ids only; it is rendered when it is sent.

    `within` is the digest that carries it. `due_at` is when it may be taken up; whoever does moves it on
    first, past the time that sending takes.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "to be sent"
        CARRIED = "carried", "part of a digest"
        SENT = "sent", "taken by the mail server"
        DROPPED = "dropped", "not wanted any more when it was to be sent"
        FAILED = "failed", "given up"

    key = models.CharField(max_length=120, unique=True)
    kind = models.CharField(max_length=20)
    member = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="mails"
    )
    # Of somebody who is no member yet; a member's is read when the mail is sent.
    address = models.EmailField(max_length=254, blank=True)
    refs = models.JSONField(default=dict)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    within = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="parts")
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    # Where the last attempt failed: a kind of error and the server's code, never its words.
    last_error = models.CharField(max_length=80, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["waiting", "carried", "sent", "dropped", "failed"]),
                name="mail_state_known",
            ),
            models.CheckConstraint(
                condition=models.Q(member__isnull=False) | ~models.Q(address=""), name="mail_goes_somewhere"
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(state="waiting"), name="mail_waiting"),
            models.Index(fields=["member", "-created_at"], name="mail_of_member"),
        ]

    def __str__(self) -> str:
        return self.key


class Suppression(models.Model):
    """An address, in lower case, to which nothing is sent: its mail came back, or was called spam."""

    address = models.CharField(max_length=254, unique=True)
    reason = models.CharField(max_length=20)
    since = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.reason} at {self.address}"
