"""Plain functions that make what tests need, straight in the database."""

from datetime import UTC, datetime
from itertools import count
from typing import Any

from games.accounts.models import User
from games.accounts.services import issue_token
from games.clubs.models import Club, Membership, Role

NOW = datetime(2026, 11, 30, 18, 0, tzinfo=UTC)
_numbers = count(1)


def make_user(username: str | None = None, *, password: str | None = None, **fields: Any) -> User:
    """Make a member; without `password` only mailed codes sign in."""
    username = username or f"member{next(_numbers)}"
    fields.setdefault("name", username.title())
    fields.setdefault("email", f"{username}@example.org")
    user = User(username=username, **fields)
    if password is None:
        user.set_unusable_password()
    else:
        user.set_password(password)
    user.save(force_insert=True)
    return user


def make_token(user: User, scopes: str = "read play organise", name: str = "test") -> str:
    """Make a token and return what goes after `Bearer`."""
    return issue_token(user=user, name=name, scopes=scopes.split())[1]


def make_club(slug: str | None = None, *, organiser: User | None = None, **fields: Any) -> Club:
    """Make a club, closed unless `is_open=True`, with `organiser` in it if one is given."""
    slug = slug or f"club-{next(_numbers)}"
    fields.setdefault("name", slug.title())
    fields.setdefault("created_at", NOW)
    club = Club.objects.create(slug=slug, **fields)
    if organiser is not None:
        make_member(club, organiser, role=Role.ORGANISER)
    return club


def make_member(
    club: Club, user: User | None = None, *, role: str = Role.MEMBER, **fields: Any
) -> Membership:
    """Put `user` (or a new one) into `club`."""
    fields.setdefault("joined_at", NOW)
    return Membership.objects.create(club=club, user=user or make_user(), role=role, **fields)
