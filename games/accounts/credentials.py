"""The password of a member: set, changed, given up."""

from datetime import datetime, timedelta

from django.contrib.auth.password_validation import MinimumLengthValidator, validate_password
from django.db import transaction
from django.utils.translation import ngettext

from games.accounts.attempts import forget_attempts, take_attempt
from games.accounts.models import SignInAttempt, User
from games.accounts.services import PASSWORD_GUESSES, PASSWORD_WINDOW

# Whoever has just proved the address by a code may set a password without knowing the old one: unless an
# organiser set the address, who might be the one that reads the code.
PROVED_BY_CODE = timedelta(minutes=30)


class LongEnough(MinimumLengthValidator):
    """Django's own, in words that all our catalogues have: its Dutch lacks them."""

    def get_error_message(self) -> str:
        told = ngettext(
            "This password is too short: take %(count)s character at least.",
            "This password is too short: take %(count)s characters at least.",
            self.min_length,
        )
        return told % {"count": str(self.min_length)}


class WrongPassword(Exception):
    """The present password was asked for, and this is not it."""


def change_password(*, user: User, current: str | None, new: str, now: datetime) -> None:
    """Set the password of `user`; `current` is None where it need not be known.

    Whoever knows it stands by the address as well.

    Raises WrongPassword, TooManyAttempts (the guesses count with those of signing in), and Django's
    ValidationError for a password that is too easy to guess.
    """
    if current is not None:
        check_password(user=user, password=current, now=now)
    validate_password(new, user)
    user.set_password(new)
    _save(user, knew_it=current is not None)


def give_up_password(*, user: User, current: str | None, now: datetime) -> None:
    """Let only mailed codes sign `user` in from now on; raises WrongPassword, TooManyAttempts."""
    if current is not None:
        check_password(user=user, password=current, now=now)
    user.set_unusable_password()
    _save(user, knew_it=current is not None)


def _save(user: User, *, knew_it: bool) -> None:
    changed = ["password"]
    if knew_it:
        user.address_set_at = None
        changed.append("address_set_at")
    user.save(update_fields=changed)


def check_password(*, user: User, password: str, now: datetime) -> None:
    """Raise WrongPassword unless this is the password of `user`; TooManyAttempts after too many guesses."""
    with transaction.atomic(durable=True):
        take_attempt(
            kind=SignInAttempt.Kind.MEMBER,
            key=user.username,
            limit=PASSWORD_GUESSES,
            window=PASSWORD_WINDOW,
            now=now,
        )
    if not user.check_password(password):
        raise WrongPassword
    forget_attempts(kind=SignInAttempt.Kind.MEMBER, key=user.username)
