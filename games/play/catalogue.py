"""Every type of event in the log: those of the rules, and those of the table around them (docs/events.md)."""

from games.rules.encoding import EVENT_TYPES

GAME_PROPOSED = "GameProposed"
SEAT_TAKEN = "SeatTaken"
SEAT_FREED = "SeatFreed"
PROPOSAL_WITHDRAWN = "ProposalWithdrawn"
RECORD_IMPORTED = "RecordImported"
DEAL_REVEALED = "DealRevealed"

TABLE_EVENTS = frozenset(
    {GAME_PROPOSED, SEAT_TAKEN, SEAT_FREED, PROPOSAL_WITHDRAWN, RECORD_IMPORTED, DEAL_REVEALED}
)
"""Events that change who sits where or what is published, and not the state of the rules."""

ALL_EVENTS = (*sorted(TABLE_EVENTS), *EVENT_TYPES)
