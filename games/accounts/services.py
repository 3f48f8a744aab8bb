"""Signing in, tokens and what members change about themselves."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, connection, transaction
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Upper
from django.utils.crypto import constant_time_compare, salted_hmac
from knox.models import get_digest_token
from knox.settings import CONSTANTS

from games.accounts.attempts import TooManyAttempts, forget_attempts, give_back_attempt, take_attempt
from games.accounts.models import SCOPES, CodeRequest, SignInAttempt, SignInCode, Token, User

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
# Of all counts, that of the invitations to an address.
LONGEST_WINDOW = timedelta(days=7)
# Above the time limit of the task that sends: who took a request up and is not heard of for longer is dead.
SENDING_TIME = timedelta(minutes=2)
# A mail that failed is tried again soon, while the wish is fresh.
CODE_PAUSE = timedelta(seconds=30)
# An address that an organiser set gets no codes for so long: time to hear of it and to object.
CODES_WAIT = timedelta(hours=24)
REQUESTS_AT_ONCE = 500

NOBODY = User(pk=0)
"""Somebody who has no code, to ask as much of the database for a name that is not known."""

_GUESS = """
UPDATE accounts_signincode SET attempts = attempts + 1
WHERE user_id = %s AND used_at IS NULL AND expires_at > %s AND attempts < %s
RETURNING id, code_hash
"""


class SignInRefused(Exception):
    """Wrong name, password or code: which of them is not told."""


class SeveralFit(SignInRefused):
    """The password is that of several `members` at one address: only the name tells which is meant."""

    def __init__(self, members: list[User]) -> None:
        super().__init__()
        self.members = members


class UsernameTaken(Exception):
    """Somebody else has this name."""


@dataclass(frozen=True, slots=True)
class WantedCodes:
    """A request that was taken up, and the codes to be mailed: one for each member at its address."""

    request: CodeRequest
    codes: tuple[tuple[User, str], ...]


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
    """Note that codes are wanted at this address, of a member or of nobody; `games.mail` does the rest.

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


def take_code_request(*, now: datetime) -> WantedCodes | None:
    """Take up the oldest request that waits and store its codes; None if none of the oldest 500 gives any.

    The request is put off past the time that sending takes; it is to be ended, or put back, afterwards. Those
    at addresses of nobody, or of members whose address an organiser has just set, end here, all at once.
    Taken up again it gives the same codes: its mail may have arrived.
    """
    with transaction.atomic(durable=True):
        waiting = CodeRequest.objects.filter(due_at__lte=now, requested_at__gt=now - CODE_LIFE)
        locked = waiting.select_for_update(skip_locked=True).order_by("due_at", "pk")
        oldest = list(locked[:REQUESTS_AT_ONCE])
        reached = {user.email.lower() for user in _with_codes(oldest, now)}
        in_vain = [request.pk for request in oldest if request.address not in reached]
        CodeRequest.objects.filter(pk__in=in_vain).delete()
        request = next((request for request in oldest if request.address in reached), None)
        if request is None:
            return None
        there = _members_at(request.address, User.objects.select_for_update(no_key=True))
        codes = _store_codes(request, [user for user in there if _may_have_codes(user, now)], now)
        request.due_at = now + SENDING_TIME
        request.save(update_fields=["due_at"])
    return WantedCodes(request, codes)


def put_back_code_request(*, request: CodeRequest, now: datetime) -> None:
    """Let a request wait for another try, since its mail could not be sent."""
    CodeRequest.objects.filter(pk=request.pk, due_at=request.due_at).update(due_at=now + CODE_PAUSE)


def end_code_request(*, request: CodeRequest) -> None:
    """Forget a request: its mail is sent, or never will be."""
    CodeRequest.objects.filter(pk=request.pk).delete()


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
    Raises SeveralFit where a couple at one address has one password.
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
    if len(matches) > 1:
        raise SeveralFit(matches)
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
    old = SignInAttempt.objects.filter(since__lt=now - KEPT_AFTER_EXPIRY)
    lasting = Q(kind=SignInAttempt.Kind.INVITATION, since__gte=now - LONGEST_WINDOW)
    attempts, _ = old.exclude(lasting).delete()
    requests, _ = CodeRequest.objects.filter(requested_at__lte=now - CODE_LIFE).delete()
    return codes + attempts + requests


def as_typed(who: str) -> str:
    """Return a name or address as it is counted and looked up."""
    # A small letter can be longer than its capital, and the column is not.
    return who.strip().lower()[:254]


def members_called_any(names: Iterable[str]) -> list[User]:
    """Return the members whom these names or addresses mean, each once, in the order of their ids."""
    wanted = set(names)
    called = User.objects.filter(username__in=[name for name in wanted if "@" not in name], is_active=True)
    there = members_at_any(name for name in wanted if "@" in name)
    found = {user.pk: user for user in [*called, *there] if {user.username, user.email.lower()} & wanted}
    return [found[key] for key in sorted(found)]


def members_at_any(addresses: Iterable[str]) -> list[User]:
    """Return the members at these addresses, given as `as_typed` does, in one query; spelled by any letters.

    What the database takes for the same address may differ by a letter: compare `email.lower()`.
    """
    spelled = [Upper(Value(address)) for address in addresses if address]
    if not spelled:
        return []
    found = User.objects.alias(upper=Upper("email")).filter(upper__in=spelled, is_active=True)
    return list(found.exclude(email="").order_by("pk"))


def _with_codes(requests: Iterable[CodeRequest], now: datetime) -> list[User]:
    there = members_at_any({request.address for request in requests})
    return [user for user in there if _may_have_codes(user, now)]


def _may_have_codes(user: User, now: datetime) -> bool:
    return user.address_set_at is None or user.address_set_at <= now - CODES_WAIT


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


def _store_codes(request: CodeRequest, users: list[User], now: datetime) -> tuple[tuple[User, str], ...]:
    """Give each member the code of `request` in place of the live one; call it with the members locked."""
    codes: dict[str, User] = {}
    for user in users:
        code = _code_of(request, user, taken=codes)
        codes[code] = user
        own = SignInCode.objects.filter(user=user, code_hash=_code_hash(user, code))
        if own.exists():
            # Of an earlier try to send: neither used nor guessed-at codes become good again.
            own.filter(used_at__isnull=True).update(expires_at=now + CODE_LIFE)
            continue
        SignInCode.objects.filter(user=user, used_at__isnull=True).delete()
        SignInCode.objects.create(
            user=user, code_hash=_code_hash(user, code), created_at=now, expires_at=now + CODE_LIFE
        )
    return tuple((user, code) for code, user in codes.items())


def _code_of(request: CodeRequest, user: User, *, taken: Container[str]) -> str:
    """Return the code that follows from a request, its moment and the site's key, for one of its members.

    Codes of one address differ, so that an address and a code always mean one member.
    """
    number = 0
    while True:
        wish = f"{request.pk}:{request.requested_at.isoformat()}:{user.pk}:{number}"
        digest = salted_hmac("accounts.code-of-request", wish, algorithm="sha256").digest()
        code = f"{int.from_bytes(digest) % 10**CODE_DIGITS:0{CODE_DIGITS}}"
        if code not in taken:
            return code
        number += 1


def _code_hash(user: User, code: str) -> str:
    # Keyed, since a million codes are soon hashed by whoever reads a backup of the table.
    return salted_hmac("accounts.sign-in-code", f"{user.pk}:{code}", algorithm="sha256").hexdigest()
