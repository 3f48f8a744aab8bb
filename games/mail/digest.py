"""Several mails in one, for members who want fewer."""

import logging
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.accounts.models import Cadence
from games.mail.cadence import cadence_of, ready_at
from games.mail.failures import note_failure
from games.mail.frame import compose
from games.mail.kinds import KINDS, Content, Section, kinds_for_digests
from games.mail.leases import FIRST_PAUSE, ours
from games.mail.models import Mail
from games.mail.rendering import speaking_to
from games.mail.unsubscribing import unsubscribe_url

logger = logging.getLogger(__name__)

KIND = "digest"


def gather(mail: Mail, now: datetime) -> bool:
    """Put `mail`, which is ready, into a digest with what else its member waits for; False if it is alone.

    Coalesced mails join whatever goes first. What others hold or failed to send stays out.
    """
    fresh = Mail.objects.filter(state=Mail.State.WAITING, member=mail.member_id, attempts=0)
    others = fresh.filter(kind__in=kinds_for_digests()).select_related("member").order_by("created_at", "pk")
    joining = [other for other in others if _may_join(other, now) and _is_wanted(other, now)]
    if not joining or not _is_wanted(mail, now):
        return False
    with transaction.atomic(durable=True):
        own = ours(mail).select_for_update()
        still = fresh.filter(pk__in=[other.pk for other in joining]).select_for_update(skip_locked=True)
        parts = sorted([part.pk for part in own] + [part.pk for part in still])
        if mail.pk not in parts or len(parts) == 1:
            return False
        assert mail.member is not None  # noqa: S101 - others have none to share with
        digest = Mail.objects.create(
            key=f"{KIND}:{mail.member.uuid}:{parts[0]}",
            kind=KIND,
            member=mail.member,
            created_at=now,
            due_at=now,
        )
        Mail.objects.filter(pk__in=parts).update(state=Mail.State.CARRIED, within=digest)
    return True


def render(mail: Mail, now: datetime) -> Content | None:
    """Render a digest from the parts that are wanted now; the others leave it."""
    assert mail.member is not None  # noqa: S101 - made by `gather` only
    sections: list[Section] = []
    dropped: list[int] = []
    for part in (
        mail.parts.filter(state=Mail.State.CARRIED).select_related("member").order_by("created_at", "pk")
    ):
        try:
            section = _section_of(part, now)
        except Exception as error:  # of one room; the others' parts go out
            what = note_failure(part, error)
            Mail.objects.filter(pk=part.pk).update(
                state=Mail.State.WAITING, within=None, attempts=1, due_at=now + FIRST_PAUSE, last_error=what
            )
            continue
        if section is None:
            dropped.append(part.pk)
        else:
            sections.append(section)
    Mail.objects.filter(pk__in=dropped).update(state=Mail.State.DROPPED)
    if not sections:
        return None
    number = len(sections)
    subject = ngettext(
        "News of your games: %(count)s notice", "News of your games: %(count)s notices", number
    )
    return compose(
        KIND,
        {"sections": sections},
        subject=subject % {"count": str(number)},
        why=_("You get several notices in one mail, as your settings say."),
        unsubscribe_url=unsubscribe_url(mail.member),
        list_id=KIND,
    )


def _may_join(mail: Mail, now: datetime) -> bool:
    cadence = cadence_of(mail)
    return cadence == Cadence.COALESCED or (cadence == Cadence.DAILY and ready_at(mail, cadence) <= now)


def _is_wanted(mail: Mail, now: datetime) -> bool:
    try:
        with speaking_to(mail.member):
            return _section_of(mail, now) is not None
    except Exception as error:  # it fails again by itself, in its own time
        note_failure(mail, error)
        return False


def _section_of(mail: Mail, now: datetime) -> Section | None:
    section = KINDS[mail.kind].section
    return section(mail, now) if section else None
