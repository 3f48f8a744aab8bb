"""What a seat does on its turn (R8-R14, R18)."""

from tests.model import claims
from tests.model.board import Line
from tests.model.options import Refused


def refuse(code: str | None) -> None:
    if code is not None:
        raise Refused(code)


class Turns:
    """The half of the model that plays cards; its state is set up in `Model`."""

    # Placing and removing

    def place_refusal(self, seat: int, card: str, space: str) -> str | None:
        team = self.team_of[seat]
        limit = self.options["chip_limit"]
        if card not in self.cards.hands[seat]:
            return "not_in_hand"
        if space in self.board.corners:
            return "corner"
        if card in self.anti:
            return "card_mismatch"
        if card not in self.wild and space not in self.board.printed.get(card, []):
            return "card_mismatch"
        if space in self.chips:
            return "occupied"
        if limit is not None and len(self.spaces_of(team)) >= limit[team]:
            return "chip_limit"
        return None

    def remove_refusal(self, seat: int, card: str, space: str) -> str | None:
        if card not in self.cards.hands[seat]:
            return "not_in_hand"
        if card not in self.anti:
            return "card_mismatch"
        if space in self.board.corners:
            return "corner"
        if space not in self.chips:
            return "empty_space"
        owner = self.chips[space]
        if owner == self.team_of[seat]:
            return "own_chip"
        if space in self.locked[owner]:
            return "locked"
        return None

    def legal_plays(self, seat: int) -> set[tuple]:
        found = set()
        for card in set(self.cards.hands[seat]):
            for space in self.board.spaces:
                if self.place_refusal(seat, card, space) is None:
                    found.add(("place", card, space))
                if self.remove_refusal(seat, card, space) is None:
                    found.add(("remove", card, space))
        return found

    def place(self, seat: int, card: str, space: str, named: list[list[str]] | None) -> None:
        team = self.team_of[seat]
        refuse(self.place_refusal(seat, card, space))
        after = {**self.chips, space: team}
        if self.options["claim"] == "announce":
            new_lines = self.announced(team, named, after)
        else:
            new_lines = self.completed(team, space, named, after)

        self.chips = after
        self.idle_turns = 0
        self.tell("place", seat=seat, card=card, space=space)
        self.card_is_played(seat, card)
        self.complete(team, new_lines)
        empty = [s for s in self.board.spaces if s not in self.chips and s not in self.board.corners]
        if not self.over and self.options["end"] == "full_board" and not empty:
            self.finish(self.most_lines(), "full_board")
        if not self.over and self.is_stalemate():
            self.finish(self.most_lines(), "stalemate")
        self.end_turn_of_play(seat)

    def remove(self, seat: int, card: str, space: str, named: list[list[str]] | None) -> None:
        team = self.team_of[seat]
        refuse(self.remove_refusal(seat, card, space))
        after = {s: owner for s, owner in self.chips.items() if s != space}
        if self.options["claim"] == "announce":
            new_lines = self.announced(team, named, after)
        elif named:
            raise Refused("bad_claim")
        else:
            new_lines = []

        self.chips = after
        self.idle_turns = 0
        self.tell("remove", seat=seat, card=card, space=space)
        self.card_is_played(seat, card)
        self.complete(team, new_lines)
        self.end_turn_of_play(seat)

    # Lines

    def claimable(self, team: str, space: str, after: dict[str, str]) -> list[list[Line]]:
        """The largest allowed sets of lines that a chip on `space` completes (R10)."""
        candidates = [
            line
            for line in self.board.lines
            if space in line and line not in self.lines[team] and self.board.is_full(line, team, after)
        ]
        return claims.largest_sets(self.board, self.options, self.lines[team], candidates)

    def choices(self, seat: int, space: str) -> list[list[Line]]:
        """The sets that the seat may choose from when it places on `space`."""
        team = self.team_of[seat]
        return self.claimable(team, space, {**self.chips, space: team})

    def completed(
        self, team: str, space: str, named: list[list[str]] | None, after: dict[str, str]
    ) -> list[Line]:
        """The lines that a placement completes, the player's choice or R11's."""
        sets = self.claimable(team, space, after)
        if named is None:
            return claims.default_set(self.board, self.options, sets, team, after, self.locked[team])
        chosen = [self.board.line_of(spaces) for spaces in named]
        for lines in sets:
            if len(chosen) == len(lines) and set(chosen) == set(lines):
                return lines
        raise Refused("bad_claim")

    def announced(self, team: str, named: list[list[str]] | None, after: dict[str, str]) -> list[Line]:
        """R18: any full lines of the team that R10 allows together."""
        lines: list[Line] = []
        for spaces in named or []:
            line = self.board.line_of(spaces)
            if line is None or line in lines or line in self.lines[team]:
                raise Refused("bad_claim")
            if not self.board.is_full(line, team, after):
                raise Refused("bad_claim")
            lines.append(line)
        if not claims.may_add_all(self.board, self.options, self.lines[team], lines):
            raise Refused("bad_claim")
        return lines

    def announce(self, seat: int, named: list[list[str]] | None) -> None:
        team = self.team_of[seat]
        if self.options["claim"] != "announce" or not named:
            raise Refused("bad_claim")
        self.complete(team, self.announced(team, named, self.chips))

    def complete(self, team: str, new_lines: list[Line]) -> None:
        """Lines stand for ever, lock their chips and may win (R7, R9, R11)."""
        for line in new_lines:
            self.lines[team].append(line)
            self.locked[team] |= claims.locked_by(self.board, self.options, line, team, self.chips)
            self.tell("line", team=team, spaces=list(line))
        enough = len(self.lines[team]) >= self.options["lines_to_win"]
        if new_lines and enough and self.options["end"] == "race":
            self.finish(team, "lines")

    # Swapping, passing, discarding

    def is_dead(self, seat: int, card: str) -> bool:
        """R13."""
        if card in self.wild or card in self.anti:
            playable = any(play[1] == card for play in self.legal_plays(seat))
            return self.options["jacks_can_be_dead"] and not playable
        return all(space in self.chips for space in self.board.printed.get(card, []))

    def swap_refusal(self, seat: int, card: str) -> str | None:
        limit = self.options["dead_swaps_per_turn"]
        if card not in self.cards.hands[seat]:
            return "not_in_hand"
        if limit is not None and self.swaps_used >= limit:
            return "swap_limit"
        if not self.is_dead(seat, card):
            return "not_dead"
        if not self.cards.can_draw():
            return "no_replacement"
        return None

    def may_pass(self, seat: int) -> bool:
        """R14: no play, and no swap that is due."""
        if self.legal_plays(seat):
            return False
        could_swap = any(self.swap_refusal(seat, card) is None for card in self.cards.hands[seat])
        return not (could_swap and self.options["must_swap_before_pass"])

    def swap(self, seat: int, card: str) -> None:
        refuse(self.swap_refusal(seat, card))
        self.tell("swap", seat=seat, card=card)
        self.cards.swap(seat, card)
        self.swaps_used += 1
        self.no_play_passes = 0
        self.clock_passes[seat] = 0

    def pass_turn(self, seat: int) -> None:
        if not self.may_pass(seat):
            raise Refused("must_play")
        self.tell("pass", seat=seat)
        self.clock_passes[seat] = 0
        self.offer_falls(seat)
        self.no_play_passes = 0 if self.swaps_used else self.no_play_passes + 1
        self.idle_turns += 1
        self.end_of_idle_turn()
        if not self.over:
            self.next_turn()

    def discard(self, seat: int, card: str) -> None:
        if card not in self.cards.hands[seat]:
            raise Refused("not_in_hand")
        if self.options["no_play"] != "discard_draw" or not self.may_pass(seat):
            raise Refused("must_play")
        self.tell("discard", seat=seat, card=card)
        self.card_is_played(seat, card)
        self.idle_turns += 1
        self.end_of_idle_turn()
        self.end_turn_of_play(seat)

    # What every play has in common

    def card_is_played(self, seat: int, card: str) -> None:
        self.cards.discard(seat, card)
        self.no_play_passes = 0
        self.clock_passes[seat] = 0
        self.offer_falls(seat)
        if self.options["draw_mode"] == "manual":
            self.plays += 1
            if self.options["loss_of_card"] != "never":
                self.rights[seat] = []
            if self.options["loss_of_card"] == "next_play":
                self.lose_older_rights(seat, self.plays)
            self.rights[seat].append(self.plays)

    def offer_falls(self, seat: int) -> None:
        """R23: an offer stands until its team's next play."""
        if self.offer == self.team_of[seat]:
            self.drop_offer()

    def end_turn_of_play(self, seat: int) -> None:
        """Draw and pass the turn on; a game that is over draws nothing (R7, R12)."""
        if self.over:
            return
        if self.options["draw_mode"] == "auto":
            self.cards.draw(seat)
        self.next_turn()
