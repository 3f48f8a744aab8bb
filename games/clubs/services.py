"""Founding clubs, letting people in, changing roles, leaving."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import IntegrityError, transaction

from games.accounts.attempts import take_attempt
from games.accounts.capabilities import current_key_id, new_nonce
from games.accounts.models import SignInAttempt, User
from games.accounts.services import as_typed, create_member
from games.clubs.models import Club, Invitation, Membership, Role
from games.mail.outbox import Draft, enqueue

UTC = ZoneInfo("UTC")
INVITATION_LIFE = timedelta(days=14)
INVITATIONS_A_DAY = 100
MAILS_TO_AN_ADDRESS, MAILS_WINDOW = 3, timedelta(days=7)


class SlugTaken(Exception):
    """Another club has this slug."""


class AlreadyMember(Exception):
    """The member is in the club."""


class LastOrganiser(Exception):
    """The club would be left without an organiser."""


class InvitationNotValid(Exception):
    """The code is unknown, used or too old: which of them is not told."""


def create_club(*, organiser: User, slug: str, name: str, is_open: bool, now: datetime) -> Club:
    """Found a club with `organiser` as its first member, or raise SlugTaken."""
    try:
        with transaction.atomic():
            club = Club.objects.create(slug=slug, name=name, is_open=is_open, created_at=now)
            Membership.objects.create(club=club, user=organiser, role=Role.ORGANISER, joined_at=now)
    except IntegrityError as error:
        if Club.objects.filter(slug=slug).exists():
            raise SlugTaken(slug) from error
        raise
    return club


def change_club(*, club: Club, **changes: Any) -> Club:
    """Store the changed name or openness of `club`."""
    for field, value in changes.items():
        setattr(club, field, value)
    if changes:
        club.save(update_fields=list(changes))
    return club


def invite(*, club: Club, by: User, email: str, role: str, now: datetime) -> Invitation:
    """Mail a link into `club` to `email`; whoever opens it while signed in may accept, once.

    Where an invitation to this address is open already it is that one, good for as long as a new one, and
    mailed again. Raises TooManyAttempts above INVITATIONS_A_DAY by one member, and above
    MAILS_TO_AN_ADDRESS within a week by whomever, since anybody may found a club and mail from it. Nothing is
    stored then.
    """
    take_attempt(
        kind=SignInAttempt.Kind.INVITATION,
        key=str(by.uuid),
        limit=INVITATIONS_A_DAY,
        window=timedelta(days=1),
        now=now,
    )
    with transaction.atomic():
        take_attempt(
            kind=SignInAttempt.Kind.INVITATION,
            key=f"to:{as_typed(email)}"[:254],
            limit=MAILS_TO_AN_ADDRESS,
            window=MAILS_WINDOW,
            now=now,
        )
        # The count above is locked until the end: two at once do not make two of them.
        invitation = _open_invitation(club, email, now)
        is_new = invitation.pk is None
        invitation.role, invitation.invited_by = role, by
        invitation.expires_at = now + INVITATION_LIFE
        invitation.save()
        key = f"invitation:{invitation.pk}" + ("" if is_new else f":{int(now.timestamp())}")
        mail = Draft(key, "invitation", address=invitation.email, refs={"invitation": invitation.pk})
        enqueue([mail], now=now)
    return invitation


def _open_invitation(club: Club, email: str, now: datetime) -> Invitation:
    """Return the invitation into `club` that this address has already, or a new one that is not stored yet.

    One whose link cannot be made any more, since its key is gone or was never kept, is no use to anybody.
    """
    there = Invitation.objects.filter(club=club, accepted_at__isnull=True, expires_at__gt=now)
    found = there.filter(email__iexact=email, key_id__in=settings.LINK_KEYS).order_by("pk").last()
    if found is not None:
        return found
    made = Invitation(club=club, email=email, nonce=new_nonce(), key_id=current_key_id(), created_at=now)
    made.code_hash = Invitation.hash_of(made.code)
    return made


def accept_invitation(*, code: str, user: User, now: datetime) -> Membership:
    """Let `user` in; raises InvitationNotValid, or AlreadyMember (the invitation then stays good)."""
    try:
        with transaction.atomic():
            return _accept(_take_invitation(code, now), user, now)
    except IntegrityError as error:
        raise AlreadyMember from error


def accept_as_new_member(
    *, code: str, username: str, name: str, language: str, zone: ZoneInfo = UTC, now: datetime
) -> Membership:
    """Make a member with the invitation's address, which its link has proved, and let them in.

    Raises InvitationNotValid and accounts' UsernameTaken.
    """
    with transaction.atomic():
        invitation = _take_invitation(code, now)
        user = create_member(
            username=username, name=name, email=invitation.email, language=language, zone=zone
        )
        return _accept(invitation, user, now)


def change_role(*, club: Club, user: User, role: str) -> Membership:
    """Give `user` another role, or raise LastOrganiser; Membership.DoesNotExist if not in the club."""
    with transaction.atomic():
        membership = _lock_membership(club, user)
        if role != Role.ORGANISER:
            _keep_an_organiser(membership)
        membership.role = role
        membership.save(update_fields=["role"])
    return membership


def leave_club(*, club: Club, user: User, now: datetime) -> Membership:
    """End the membership of `user`, or raise LastOrganiser; Membership.DoesNotExist if not in the club."""
    with transaction.atomic():
        membership = _lock_membership(club, user)
        _keep_an_organiser(membership)
        membership.left_at = max(now, membership.joined_at)
        membership.save(update_fields=["left_at"])
    return membership


def _take_invitation(code: str, now: datetime) -> Invitation:
    invitation = (
        Invitation.objects.select_for_update(of=("self",))
        .select_related("club")
        .filter(code_hash=Invitation.hash_of(code), accepted_at__isnull=True, expires_at__gt=now)
        .first()
    )
    if invitation is None:
        raise InvitationNotValid
    return invitation


def _accept(invitation: Invitation, user: User, now: datetime) -> Membership:
    invitation.accepted_at = now
    invitation.accepted_by = user
    invitation.save(update_fields=["accepted_at", "accepted_by"])
    return Membership.objects.create(club=invitation.club, user=user, role=invitation.role, joined_at=now)


def _lock_membership(club: Club, user: User) -> Membership:
    # All changes of roles wait for the club's row: two organisers leaving at once would each see the other.
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    return Membership.objects.select_related("user").get(club=club, user=user, left_at__isnull=True)


def _keep_an_organiser(leaving: Membership) -> None:
    if leaving.role != Role.ORGANISER:
        return
    others = Membership.objects.filter(club=leaving.club_id, role=Role.ORGANISER, left_at__isnull=True)
    if not others.exclude(pk=leaving.pk).exists():
        raise LastOrganiser
