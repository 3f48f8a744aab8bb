"""Who sees which club."""

from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import CharField, OuterRef, Q, QuerySet, Subquery, Value

from games.accounts.models import User
from games.clubs.models import Club, Invitation, Membership, Role

Viewer = User | AnonymousUser


def membership_of(user: Viewer, club: Club) -> Membership | None:
    """Return the present membership of `user` in `club`."""
    if not isinstance(user, User):
        return None
    return Membership.objects.filter(club=club, user=user, left_at__isnull=True).first()


def is_organiser(user: Viewer, club: Club) -> bool:
    membership = membership_of(user, club)
    return membership is not None and membership.role == Role.ORGANISER


def can_see_club(user: Viewer, club: Club) -> bool:
    """Tell whether `club` exists for `user`: open ones do for everybody."""
    return club.is_open or membership_of(user, club) is not None


def clubs_of(user: User) -> QuerySet[Club]:
    """Return the clubs that `user` is in now."""
    return Club.objects.filter(pk__in=_own(user).values("club_id"))


def visible_clubs(user: Viewer) -> QuerySet[Club]:
    """Return the open clubs and those that `user` is in, each with the viewer's `role` there or None."""
    if not isinstance(user, User):
        return Club.objects.filter(is_open=True).annotate(role=Value(None, output_field=CharField()))
    role = Subquery(_own(user).filter(club=OuterRef("pk")).values("role"))
    return Club.objects.annotate(role=role).filter(Q(is_open=True) | Q(role__isnull=False))


def members(club: Club) -> QuerySet[Membership]:
    """Return the present memberships of `club` with their members."""
    return Membership.objects.filter(club=club, left_at__isnull=True).select_related("user").order_by("id")


def organisers(club_id: int) -> list[int]:
    """Return the ids of the organisers of a club whose accounts are not closed."""
    present = Membership.objects.filter(
        club_id=club_id, role=Role.ORGANISER, left_at__isnull=True, user__is_active=True
    )
    return list(present.order_by("pk").values_list("user_id", flat=True))


def open_invitations(club: Club) -> QuerySet[Invitation]:
    """Return the invitations of `club` that nobody has accepted."""
    return Invitation.objects.filter(club=club, accepted_at__isnull=True).select_related("invited_by")


def valid_invitation(code: str, now: datetime) -> Invitation | None:
    """Return the invitation that `code` opens, with its club and who sent it."""
    return (
        Invitation.objects.select_related("club", "invited_by")
        .filter(code_hash=Invitation.hash_of(code), accepted_at__isnull=True, expires_at__gt=now)
        .first()
    )


def invitation_by(code: str) -> Invitation | None:
    """Return the invitation of `code`, used and old ones too, with its club and who sent it."""
    return (
        Invitation.objects.select_related("club", "invited_by")
        .filter(code_hash=Invitation.hash_of(code))
        .first()
    )


def _own(user: User) -> QuerySet[Membership]:
    return Membership.objects.filter(user=user, left_at__isnull=True)
