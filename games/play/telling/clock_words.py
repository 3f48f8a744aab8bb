"""What a table has agreed on about time, in sentences (R22)."""

from typing import Protocol

from django.utils.translation import gettext, ngettext

HOURS_OF_A_DAY = 24


class Timed(Protocol):
    """What a game and a clock have in common; games without a clock have no `turn_hours`."""

    @property
    def turn_hours(self) -> int | None: ...
    @property
    def bank_hours(self) -> int: ...
    @property
    def increment_hours(self) -> int: ...
    @property
    def cap_hours(self) -> int: ...
    @property
    def rests_at_weekends(self) -> bool: ...


def hours_words(hours: int) -> str:
    """Return a span of time: in days where it is of whole days."""
    if hours and hours % HOURS_OF_A_DAY == 0:
        days = hours // HOURS_OF_A_DAY
        return ngettext("%(days)s day", "%(days)s days", days) % {"days": str(days)}
    return ngettext("%(hours)s hour", "%(hours)s hours", hours) % {"hours": str(hours)}


def clock_sentences(clock: Timed) -> list[str]:
    """Return what holds for each turn of a game, as sentences."""
    if clock.turn_hours is None:
        return [gettext("No clock: nobody's time runs out.")]
    told = [gettext("%(span)s for each turn.") % {"span": hours_words(clock.turn_hours)}]
    if clock.bank_hours:
        told.append(
            gettext("Each player has %(span)s in reserve for when that is not enough.")
            % {"span": hours_words(clock.bank_hours)}
        )
    if clock.increment_hours:
        words = {"more": hours_words(clock.increment_hours), "most": hours_words(clock.cap_hours)}
        told.append(
            gettext("Each turn adds %(more)s to the reserve, up to %(most)s.") % words
            if clock.cap_hours
            else gettext("Each turn adds %(more)s to the reserve.") % words
        )
    if clock.rests_at_weekends:
        told.append(gettext("The clock rests on Saturdays and Sundays."))
    return told
