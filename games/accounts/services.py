"""Signing in, tokens and what members change about themselves."""

import logging
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.mail import send_mail
from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils.crypto import constant_time_compare, salted_hmac
from knox.models import get_digest_token
from knox.settings import CONSTANTS

from games.accounts.attempts import forget_attempts, take_attempt
from games.accounts.models import SCOPES, SignInAttempt, SignInCode, Token, User

logger = logging.getLogger(__name__)

CODE_DIGITS = 6
CODE_GUESSES = 5
CODE_LIFE = timedelta(minutes=15)
CODE_REQUESTS = 5
CODE_REQUESTS_WINDOW = timedelta(hours=1)
PASSWORD_GUESSES = 10
PASSWORD_WINDOW = timedelta(minutes=15)
KEPT_AFTER_EXPIRY = timedelta(days=1)

_GUESS = """
UPDATE accounts_signincode SET attempts = attempts + 1
WHERE user_id = %s AND used_at IS NULL AND expires_at > %s AND attempts < %s
RETURNING id, code_hash
"""


class SignInRefused(Exception):
    """Wrong name, password or code: which of them is not told."""


class UsernameTaken(Exception):
    """Somebody else has this name."""


def create_member(*, username: str, name: str, email: str, **preferences: Any) -> User:
    """Make a member who signs in by mailed codes until a password is set."""
    user = User(username=username, name=name, email=email, password=make_password(None), **preferences)
    try:
        with transaction.atomic():
            user.save(force_insert=True)
    except IntegrityError as error:
        if User.objects.filter(username=username).exists():
            raise UsernameTaken(username) from error
        raise
    return user


def request_codes(*, email: str, now: datetime) -> None:
    """Mail a fresh code for each member with this address, in one mail; unknown addresses look the same.

    Raises TooManyAttempts for the sixth request of an address, known or not, within an hour.
    """
    address = email.strip().lower()
    with transaction.atomic(durable=True):
        take_attempt(
            kind=SignInAttempt.Kind.CODE_REQUEST,
            key=address,
            limit=CODE_REQUESTS,
            window=CODE_REQUESTS_WINDOW,
            now=now,
        )
    with transaction.atomic(durable=True):
        users = list(_members_at(address).select_for_update(no_key=True))
        if not users:
            return
        codes = list(zip(users, _fresh_codes(len(users)), strict=True))
        SignInCode.objects.filter(user__in=users, used_at__isnull=True).delete()
        SignInCode.objects.bulk_create(
            SignInCode(
                user=user, code_hash=_code_hash(user, code), created_at=now, expires_at=now + CODE_LIFE
            )
            for user, code in codes
        )
    context = {"codes": codes, "minutes": CODE_LIFE // timedelta(minutes=1), "site_name": settings.SITE_NAME}
    text = render_to_string("accounts/code_mail.txt", context)
    try:
        send_mail(f"Your sign-in code for {settings.SITE_NAME}", text, None, [users[0].email])
    except OSError:
        # An answer that differed would tell that the address is known.
        logger.exception("A mail with sign-in codes could not be sent")


def sign_in_with_code(*, who: str, code: str, now: datetime) -> User:
    """Return the member whose live code this is; `who` is a username or an address.

    A guess is counted before it is compared, in the same statement that checks the count, and committed
    whatever comes of it: no number of parallel guesses gets a sixth comparison. Raises SignInRefused.
    """
    with transaction.atomic(durable=True):
        matches = []
        for user in _members_called(who):
            with connection.cursor() as cursor:
                cursor.execute(_GUESS, [user.pk, now, CODE_GUESSES])
                row = cursor.fetchone()
            if row is not None and constant_time_compare(row[1], _code_hash(user, code)):
                matches.append((row[0], user))
        if len(matches) == 1:
            # The row is locked by the statement above, so a code signs in once.
            SignInCode.objects.filter(pk=matches[0][0]).update(used_at=now)
    if len(matches) != 1:
        raise SignInRefused
    return matches[0][1]


def sign_in_with_password(*, who: str, password: str, now: datetime) -> User:
    """Return the member with this password; `who` is a username or an address.

    Raises SignInRefused, and TooManyAttempts from the eleventh try of a name on: then the right password
    is refused as well.
    """
    users = list(_members_called(who))
    keys = sorted(user.username for user in users) or [who.strip().lower()]
    with transaction.atomic(durable=True):
        for key in keys:
            take_attempt(
                kind=SignInAttempt.Kind.PASSWORD,
                key=key,
                limit=PASSWORD_GUESSES,
                window=PASSWORD_WINDOW,
                now=now,
            )
    matches = [user for user in users if user.check_password(password)]
    if not users:
        make_password(password)  # takes the time that a comparison takes
    if len(matches) != 1:
        raise SignInRefused
    forget_attempts(kind=SignInAttempt.Kind.PASSWORD, keys=[matches[0].username])
    return matches[0]


def issue_token(*, user: User, name: str, scopes: Iterable[str]) -> tuple[Token, str]:
    """Make a token and return it with its text, which is not stored and cannot be shown again."""
    wanted = set(scopes)
    ordered = " ".join(scope for scope in SCOPES if scope in wanted)
    digest, text = get_digest_token()
    token = Token.objects.create(
        digest=digest, token_key=text[: CONSTANTS.TOKEN_KEY_LENGTH], user=user, name=name, scopes=ordered
    )
    return token, text


def revoke_token(*, user: User, public_id: UUID) -> bool:
    """Delete a token of `user`; tell whether there was one."""
    deleted, _ = Token.objects.filter(user=user, public_id=public_id).delete()
    return bool(deleted)


def change_preferences(*, user: User, **changes: Any) -> User:
    """Store the changed name, language, zone or cadence of `user`."""
    for field, value in changes.items():
        setattr(user, field, value)
    if changes:
        user.save(update_fields=list(changes))
    return user


def sweep_sign_in(*, now: datetime) -> int:
    """Delete codes and counts that can no longer matter; return how many rows went."""
    codes, _ = SignInCode.objects.filter(expires_at__lt=now - KEPT_AFTER_EXPIRY).delete()
    attempts, _ = SignInAttempt.objects.filter(since__lt=now - KEPT_AFTER_EXPIRY).delete()
    return codes + attempts


def _members_at(address: str) -> QuerySet[User]:
    return User.objects.filter(email__iexact=address, is_active=True).exclude(email="").order_by("pk")


def _members_called(who: str) -> QuerySet[User]:
    name = who.strip().lower()
    if "@" in name:
        return _members_at(name)
    return User.objects.filter(username=name, is_active=True)


def _fresh_codes(number: int) -> list[str]:
    """Return codes that differ, so that an address and a code always mean one member."""
    codes: dict[str, None] = {}
    while len(codes) < number:
        codes[f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"] = None
    return list(codes)


def _code_hash(user: User, code: str) -> str:
    # Keyed, since a million codes are soon hashed by whoever reads a backup of the table.
    return salted_hmac("accounts.sign-in-code", f"{user.pk}:{code}", algorithm="sha256").hexdigest()
