"""Nobody's mailbox is filled with invitations: the mail says that it ends by itself, and it does."""

from datetime import timedelta

import pytest

from games.accounts.attempts import TooManyAttempts
from games.accounts.services import sweep_sign_in
from games.clubs import services
from games.clubs.models import Invitation
from games.mail.models import Mail
from games.mail.services import deliver
from tests.builders import NOW, make_club, make_user

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def invite(club, by, email="dora@example.org", now=NOW, role="member"):
    return services.invite(club=club, by=by, email=email, role=role, now=now)


def test_an_address_gets_three_a_week_from_all_members_together_however_it_is_written():
    for number, email in enumerate(["dora@example.org", "Dora@example.org", "DORA@EXAMPLE.ORG"]):
        by = make_user()
        invite(make_club(organiser=by), by, email, NOW + number * DAY)
    other = make_user()
    club = make_club(organiser=other)

    sweep_sign_in(now=NOW + 6 * DAY)
    with pytest.raises(TooManyAttempts) as refusal:
        invite(club, other, now=NOW + 6 * DAY)
    assert refusal.value.retry_seconds == DAY.total_seconds()
    assert Mail.objects.count() == Invitation.objects.count() == 3
    invite(club, other, "erik@example.org", NOW + 6 * DAY)
    invite(club, other, now=NOW + 7 * DAY)


def test_a_second_invitation_into_a_club_renews_the_first(mailoutbox):
    by = make_user(name="Olga")
    club = make_club(organiser=by)
    first = invite(club, by)
    deliver(now=NOW)

    second = invite(club, by, "Dora@example.org", NOW + 13 * DAY, "organiser")
    deliver(now=NOW + 13 * DAY)

    assert (second.pk, second.code) == (first.pk, first.code)
    renewed = Invitation.objects.get()
    assert (renewed.role, renewed.expires_at) == ("organiser", NOW + 27 * DAY)
    assert [mail.to for mail in mailoutbox] == [["dora@example.org"]] * 2
    assert "no more mail will come" not in mailoutbox[0].body
    assert "the invitation then ends by itself" in " ".join(mailoutbox[0].body.split())


def test_another_club_one_that_is_too_old_or_a_lost_key_makes_another(settings):
    by = make_user()
    first = invite(make_club(organiser=by), by)
    second = invite(make_club(organiser=by), by)
    assert first.pk != second.pk

    third = invite(second.club, by, now=NOW + 14 * DAY)
    assert third.pk != second.pk
    settings.LINK_KEYS = {"new": "key"}
    assert invite(second.club, by, now=NOW + 15 * DAY).pk != third.pk


def test_accepted_invitations_are_not_renewed():
    by, dora = make_user(), make_user("dora")
    club = make_club(organiser=by)
    first = invite(club, by)
    services.accept_invitation(code=first.code, user=dora, now=NOW)

    assert invite(club, by).pk != first.pk
