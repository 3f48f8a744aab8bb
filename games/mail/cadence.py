"""When a mail may go out: at once, gathered for some minutes, or with the member's daily digest.

Asked whenever a mail is taken up, so that members who change their mind are followed.
"""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from games.accounts.models import Cadence
from games.mail.kinds import KINDS
from games.mail.models import Mail

GATHERED_FOR = timedelta(minutes=10)
# However long a mail has to wait: a changed cadence is followed within this time.
LOOK_AGAIN_AFTER = timedelta(minutes=10)


def cadence_of(mail: Mail) -> str:
    """Return how often its member wants such mail now; what cannot stand in a digest goes at once."""
    kind = KINDS[mail.kind]
    if mail.member is None or kind.section is None:
        return Cadence.AT_ONCE
    return kind.cadence(mail) if kind.cadence else mail.member.cadence


def ready_at(mail: Mail, cadence: str) -> datetime:
    """Return from when on `mail` may be sent, at that cadence."""
    if mail.member is not None and cadence == Cadence.COALESCED:
        return mail.created_at + GATHERED_FOR
    if mail.member is not None and cadence == Cadence.DAILY:
        return next_at(mail.member.digest_at, mail.member.zone, mail.created_at)
    return mail.created_at


def next_at(wall: time, zone: ZoneInfo, after: datetime) -> datetime:
    """Return the first instant from `after` on at which clocks in `zone` show `wall`, in UTC.

    A time that is skipped in spring is as much later; of one that comes twice in autumn the first counts.
    """
    day = after.astimezone(zone).date()
    while True:
        instant = datetime.combine(day, wall, tzinfo=zone).astimezone(UTC)
        if instant >= after:
            return instant
        day += timedelta(days=1)
