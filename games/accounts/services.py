"""Signing in, tokens and what members change about themselves."""

import logging
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.mail import send_mail
from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils.crypto import constant_time_compare, salted_hmac
from knox.models import get_digest_token
from knox.settings import CONSTANTS

from games.accounts.attempts import TooManyAttempts, forget_attempts, give_back_attempt, take_attempt
from games.accounts.models import SCOPES, CodeRequest, SignInAttempt, SignInCode, Token, User

logger = logging.getLogger(__name__)

CODE_DIGITS = 6
CODE_GUESSES = 5
CODE_LIFE = timedelta(minutes=15)
CODE_TRIES = 30
CODE_TRIES_WINDOW = timedelta(minutes=15)
CODE_REQUESTS = 5
CODE_REQUESTS_WINDOW = timedelta(hours=1)
PASSWORD_GUESSES = 10
PASSWORD_WINDOW = timedelta(minutes=15)
# So many passwords are compared at an address at least, lest the time tell one of a couple from nobody's.
COMPARED_AT_AN_ADDRESS = 2
KEPT_AFTER_EXPIRY = timedelta(days=1)
# Above the time that sending takes; a mail that failed is tried again after it, while the wish is fresh.
SENDING_TIME = timedelta(minutes=1)
SEND_CODES = "games.accounts.tasks.send_codes"

NOBODY = User(pk=0)
"""Somebody who has no code, to ask as much of the database for a name that is not known."""

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
    """Note that codes are wanted at this address, of a member or of nobody; `send_codes` does the rest.

    Nothing here looks for members, so that neither the answer nor its time can tell of any. Raises
    TooManyAttempts for the sixth request of an address within an hour.
    """
    typed = as_typed(email)
    with transaction.atomic(durable=True):
        take_attempt(
            kind=SignInAttempt.Kind.CODE_REQUEST,
            key=typed,
            limit=CODE_REQUESTS,
            window=CODE_REQUESTS_WINDOW,
            now=now,
        )
        CodeRequest.objects.create(address=typed, requested_at=now, due_at=now)
    try:
        current_app.send_task(SEND_CODES, expires=5, retry_policy={"max_retries": 0})
    except Exception as error:  # any broker, any fault: the sweep sends the mail
        logger.warning("The broker is away, so a mail with codes waits: %s", type(error).__name__)


def send_codes(*, now: datetime) -> bool:
    """Mail fresh codes for the oldest request that waits: one mail, a code for each member at its address.

    Returns False if no request waits, or its mail failed: then it waits again. The request is put off
    before the mail goes out and deleted after it, so that no request is lost and none is met twice at once.
    """
    with transaction.atomic(durable=True):
        waiting = CodeRequest.objects.filter(due_at__lte=now, requested_at__gt=now - CODE_LIFE)
        request = waiting.select_for_update(skip_locked=True).order_by("due_at", "pk").first()
        if request is None:
            return False
        users = _members_at(request.address, User.objects.select_for_update(no_key=True))
        if not users:
            request.delete()
            return True
        codes = _store_fresh_codes(users, now)
        request.due_at = now + SENDING_TIME
        request.save(update_fields=["due_at"])
    context = {"codes": codes, "minutes": CODE_LIFE // timedelta(minutes=1), "site_name": settings.SITE_NAME}
    text = render_to_string("accounts/code_mail.txt", context)
    try:
        send_mail(f"Your sign-in code for {settings.SITE_NAME}", text, None, [users[0].email])
    except OSError:  # what smtplib and sockets raise
        logger.exception("A mail with sign-in codes could not be sent")
        return False
    request.delete()
    return True


def sign_in_with_code(*, who: str, code: str, now: datetime) -> User:
    """Return the member whose live code this is; `who` is a username or an address.

    A guess is counted before it is compared, in the same statement that checks the count, and committed
    whatever comes of it: no number of parallel guesses gets a sixth comparison. Raises SignInRefused, and
    TooManyAttempts from the 31st try of a name on, known or not.
    """
    typed = as_typed(who)
    users = members_called(typed)
    with transaction.atomic(durable=True):
        # Also lets a guess at nobody's code write and commit, as one at a live code does.
        take_attempt(
            kind=SignInAttempt.Kind.CODE, key=typed, limit=CODE_TRIES, window=CODE_TRIES_WINDOW, now=now
        )
        matches = []
        for user in users or [NOBODY]:
            with connection.cursor() as cursor:
                cursor.execute(_GUESS, [user.pk, now, CODE_GUESSES])
                row = cursor.fetchone()
            if row is not None and constant_time_compare(row[1], _code_hash(user, code)):
                matches.append((row[0], user))
        if len(matches) == 1:
            # The row is locked by the statement above, so a code signs in once.
            SignInCode.objects.filter(pk=matches[0][0]).update(used_at=now)
            give_back_attempt(kind=SignInAttempt.Kind.CODE, key=typed)
    if len(matches) != 1:
        raise SignInRefused
    return matches[0][1]


def sign_in_with_password(*, who: str, password: str, now: datetime) -> User:
    """Return the member with this password; `who` is a username or an address.

    What was typed is counted, whether or not it names anybody: TooManyAttempts is raised from its eleventh
    try on. Each member meant is counted too, and from the eleventh try on, by whatever name, no password
    is right any more; that is refused like a wrong one (SignInRefused), lest a name tell its address.
    """
    typed = as_typed(who)
    users = members_called(typed)
    with transaction.atomic(durable=True):
        _take_password_attempt(SignInAttempt.Kind.PASSWORD, typed, now)
        guessed = [user for user in users if _may_be_guessed(user, now)]
    matches = [user for user in guessed if user.check_password(password)]
    comparisons = max(len(users), COMPARED_AT_AN_ADDRESS if "@" in typed else 1)
    for _ in range(len(guessed), comparisons):
        make_password(password)  # takes the time that a comparison takes
    if len(matches) != 1:
        raise SignInRefused
    # Not forgotten as a whole: that would tell a stranger who types it that its owner was here.
    give_back_attempt(kind=SignInAttempt.Kind.PASSWORD, key=typed)
    forget_attempts(kind=SignInAttempt.Kind.MEMBER, key=matches[0].username)
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
    """Delete codes, counts and requests that can no longer matter; return how many rows went."""
    codes, _ = SignInCode.objects.filter(expires_at__lt=now - KEPT_AFTER_EXPIRY).delete()
    attempts, _ = SignInAttempt.objects.filter(since__lt=now - KEPT_AFTER_EXPIRY).delete()
    requests, _ = CodeRequest.objects.filter(requested_at__lte=now - CODE_LIFE).delete()
    return codes + attempts + requests


def as_typed(who: str) -> str:
    """Return a name or address as it is counted and looked up."""
    # A small letter can be longer than its capital, and the column is not.
    return who.strip().lower()[:254]


def _members_at(address: str, users: QuerySet[User] | None = None) -> list[User]:
    if users is None:
        users = User.objects.all()
    found = users.filter(email__iexact=address, is_active=True).exclude(email="").order_by("pk")
    # To the database the dotless i is an I as well, and one member would have as many counts as spellings.
    return [user for user in found if user.email.lower() == address]


def members_called(typed: str) -> list[User]:
    """Return the members with this username or address, as `as_typed` gives it."""
    if "@" in typed:
        return _members_at(typed)
    return list(User.objects.filter(username=typed, is_active=True))


def _take_password_attempt(kind: SignInAttempt.Kind, key: str, now: datetime) -> None:
    take_attempt(kind=kind, key=key, limit=PASSWORD_GUESSES, window=PASSWORD_WINDOW, now=now)


def _may_be_guessed(user: User, now: datetime) -> bool:
    try:
        _take_password_attempt(SignInAttempt.Kind.MEMBER, user.username, now)
    except TooManyAttempts:
        return False
    return True


def _store_fresh_codes(users: list[User], now: datetime) -> list[tuple[User, str]]:
    """Give each member a code in place of the live one; call it with the members locked."""
    codes = list(zip(users, _fresh_codes(len(users)), strict=True))
    SignInCode.objects.filter(user__in=users, used_at__isnull=True).delete()
    SignInCode.objects.bulk_create(
        SignInCode(user=user, code_hash=_code_hash(user, code), created_at=now, expires_at=now + CODE_LIFE)
        for user, code in codes
    )
    return codes


def _fresh_codes(number: int) -> list[str]:
    """Return codes that differ, so that an address and a code always mean one member."""
    codes: dict[str, None] = {}
    while len(codes) < number:
        codes[f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"] = None
    return list(codes)


def _code_hash(user: User, code: str) -> str:
    # Keyed, since a million codes are soon hashed by whoever reads a backup of the table.
    return salted_hmac("accounts.sign-in-code", f"{user.pk}:{code}", algorithm="sha256").hexdigest()
