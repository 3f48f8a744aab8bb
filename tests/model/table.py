"""What happens beside the turns: ends, leaving, penalties, offers, the clock (R15, R17, R21-R23)."""

from tests.model import claims
from tests.model.options import Refused


class Table:
    """The half of the model that is not about playing cards; its state is set up in `Model`."""

    def tell(self, event: str, **details: object) -> None:
        self.events.append({"event": event, **details})

    def spaces_of(self, team: str) -> list[str]:
        return [space for space, owner in self.chips.items() if owner == team]

    def teams_in(self) -> list[str]:
        """The teams that still have a seat."""
        return [
            team
            for team in self.teams
            if any(self.active[seat] and self.team_of[seat] == team for seat in range(len(self.active)))
        ]

    def next_turn(self) -> None:
        self.swaps_used = 0
        self.turn = (self.turn + 1) % len(self.active)
        while not self.active[self.turn]:
            self.turn = (self.turn + 1) % len(self.active)

    # Ends

    def finish(self, winner: str | None, reason: str) -> None:
        self.over = True
        self.winner = winner
        self.reason = reason
        self.tell("end", winner=winner, reason=reason)

    def most_lines(self) -> str:
        """The team still in that has most lines, or 'draw'."""
        most = max(len(self.lines[team]) for team in self.teams_in())
        best = [team for team in self.teams_in() if len(self.lines[team]) == most]
        return best[0] if len(best) == 1 else "draw"

    def end_of_idle_turn(self) -> None:
        """R15, judged after a pass, a discard or a pass by the clock."""
        seats = self.active.count(True)
        result = self.most_lines() if self.options["end"] == "full_board" else "draw"
        if self.no_play_passes >= seats:
            self.finish(result, "no_play")
        elif (
            self.options["idle_rounds"] is not None and self.idle_turns >= self.options["idle_rounds"] * seats
        ):
            self.finish(result, "idle_rounds")

    def open_lines(self, team: str, kind: str) -> list:
        """The lines that could still count for the team, as the option `stalemate` = `kind` sees it."""
        in_the_way: set[str] = set()
        for other in self.teams:
            if other != team:
                in_the_way |= self.locked[other] if kind == "locked" else set(self.spaces_of(other))
        return [
            line
            for line in self.board.lines
            if line not in self.lines[team]
            and not set(line) & in_the_way
            and claims.may_add(self.board, self.options, self.lines[team], line)
        ]

    def is_stalemate(self) -> bool:
        kind = self.options["stalemate"]
        return kind != "none" and not any(self.open_lines(team, kind) for team in self.teams_in())

    # Leaving (R21)

    def leave(self, seat: int) -> None:
        if self.options["withdraw"] == "team_forfeits":
            self.team_leaves(self.team_of[seat])
        else:
            self.seats_leave([seat])

    def team_leaves(self, team: str) -> None:
        self.seats_leave([s for s in range(len(self.active)) if self.team_of[s] == team and self.active[s]])

    def seats_leave(self, seats: list[int]) -> None:
        for seat in seats:
            self.active[seat] = False
            self.cards.lay_down(seat, out=self.options["withdrawn_hand"] == "out")
            self.debts[seat] = 0
            self.rights[seat] = []
            self.tell("leave", seat=seat)
        teams = self.teams_in()
        if self.offer is not None and self.offer not in teams:
            self.drop_offer()
        if len(teams) == 1:
            self.finish(teams[0], "last_team")
            return
        self.see_if_agreed()
        if not self.over and not self.active[self.turn]:
            self.next_turn()

    # Table talk (R17)

    def table_talk(self, team: str) -> None:
        if self.options["table_talk"] != "penalty":
            raise Refused("no_penalty_due")
        if team not in self.teams_in():
            raise Refused("not_active")
        for seat in range(len(self.active)):
            to_spare = len(self.cards.hands[seat]) - self.options["hand_floor"]
            if self.active[seat] and self.team_of[seat] == team and to_spare > 0:
                self.debts[seat] = min(self.debts[seat] + 1, to_spare)
        self.tell("table_talk", team=team)

    def pay(self, seat: int, card: str) -> None:
        if not self.debts[seat]:
            raise Refused("no_penalty_due")
        if card not in self.cards.hands[seat]:
            raise Refused("not_in_hand")
        self.debts[seat] -= 1
        self.cards.discard(seat, card)
        self.tell("pay", seat=seat, card=card)

    # Drawing by hand (R16)

    def draw(self, seat: int) -> None:
        if not self.rights[seat]:
            raise Refused("no_draw_right")
        if not self.cards.can_draw():
            raise Refused("no_replacement")
        play = self.rights[seat].pop(0)
        if self.options["loss_of_card"] == "next_play_and_draw":
            self.lose_older_rights(seat, play)
        self.cards.draw(seat)

    def lose_older_rights(self, seat: int, play: int) -> None:
        """All other seats lose the draws for plays before this one."""
        for other in range(len(self.active)):
            if other != seat:
                self.rights[other] = [right for right in self.rights[other] if right > play]

    # Agreement (R23)

    def offer_draw(self, seat: int) -> None:
        if self.offer is not None:
            raise Refused("offer_stands")
        self.offer = self.team_of[seat]
        self.agreed = {self.offer}
        self.tell("offer_draw", team=self.offer)

    def accept_draw(self, seat: int) -> None:
        if self.offer is None:
            raise Refused("no_offer")
        self.agreed.add(self.team_of[seat])
        self.tell("accept_draw", team=self.team_of[seat])
        self.see_if_agreed()

    def decline_draw(self) -> None:
        if self.offer is None:
            raise Refused("no_offer")
        self.drop_offer()
        self.tell("decline_draw")

    def drop_offer(self) -> None:
        self.offer = None
        self.agreed = set()

    def see_if_agreed(self) -> None:
        if self.offer is not None and all(team in self.agreed for team in self.teams_in()):
            self.finish("draw", "agreed")

    # The clock (R22)

    def pause(self, wanted: bool) -> None:
        if self.paused == wanted:
            raise Refused("not_active")
        self.paused = wanted
        self.tell("pause" if wanted else "resume")

    def expire(self, policy: str) -> None:
        if self.paused:
            raise Refused("not_active")
        seat = self.turn
        self.tell("expire", seat=seat, policy=policy)
        if policy == "pass":
            self.pass_by_the_clock(seat)
        elif policy == "forfeit_seat":
            self.leave(seat)
        elif policy == "forfeit_team":
            self.team_leaves(self.team_of[seat])
        elif policy == "ask":
            self.paused = True
        elif policy != "bot":
            raise ValueError(policy)

    def pass_by_the_clock(self, seat: int) -> None:
        """The turn ends as a turn, and only then the seat may have to go."""
        self.no_play_passes = 0
        self.idle_turns += 1
        self.clock_passes[seat] += 1
        self.end_of_idle_turn()
        if self.over:
            return
        self.next_turn()
        if self.clock_passes[seat] >= 3:
            self.leave(seat)
