"""The rules of one hand, slow and obvious: the oracle for the kernels, written from rule texts and cases and never from the kernels.

Sources: TDA 2024 rules 16, 17, 20, 21, 43, 47 and 54; WSOP Live Action 2024 rules 126-129, 145, 150-161, 170-173 and 187; Robert's Rules
of Poker sections 4 and 14. Chips are integers, seats sit 0..n-1 clockwise, `bet` is this street, `committed` the hand (antes and live
bets), `dead` never comes back. `to` is always a total of the street, FOLD (-1) folds.
"""

from naive import best_high, best_low

from sim.rules import House, Rake, Stakes, Variant

FOLD = -1


class ReferenceHand:
    """One hand from the posts to the settlement.

    posts : None for the standard posts, or what this hand owes instead:
        {"small_blind_seat": seat or None, "big_blind_seat": seat or None, "live": {seat: chips}, "dead": {seat: chips}}.
        `live` and `dead` come on top of the two blinds, which are posted in the amounts of the stakes; a live post above the
        big blind is a straddle. Antes come from the stakes either way.
    """

    def __init__(
        self, variant: Variant, structure: str, stakes: Stakes, house: House, rake: Rake, stacks, button: int, posts: dict | None = None
    ):
        self.variant, self.structure, self.stakes, self.house, self.rake, self.button = variant, structure, stakes, house, rake, button
        self.n = len(stacks)
        self.stack = [int(stack) for stack in stacks]
        self.bet = [0] * self.n
        self.committed = [0] * self.n
        self.dead = [0] * self.n
        self.charge = [0] * self.n
        self.folded = [False] * self.n
        self.street = 0
        self.aggressor = [None] * 4  # per street, the last seat that bet or raised
        first = self._post(posts)
        self._start_street(first, price=max(stakes.big_blind, *self.bet))
        if self.straddle_seat is not None:
            self.n_bets = 2
            straddle = self.current_bet
            self.last_raise = {"straddle": straddle, "big_blind": stakes.big_blind, "difference": straddle - stakes.big_blind}[
                house.straddle_min_raise
            ]
        self.capped_with_more = self._cap_reached() and len(self.live) > 2

    # --- posts ---------------------------------------------------------------------------------------------------------------------

    def _post(self, posts: dict | None) -> int:
        """Take all posts, return the first seat to the left of the last blind."""
        stakes, n = self.stakes, self.n
        if posts is None:
            small = self.button if n == 2 else (self.button + 1) % n
            big = (small + 1) % n
            live, dead = {}, {}
        else:
            small, big, live, dead = posts["small_blind_seat"], posts["big_blind_seat"], posts["live"], posts["dead"]
        self.small_blind_seat = small

        for seat in range(n):
            self.charge[seat] = min(self.stack[seat], self.rake.time_charge)
            self.stack[seat] -= self.charge[seat]
        for seat in range(n):
            ante = min(self.stack[seat], stakes.ante)
            self.stack[seat] -= ante
            self.committed[seat] += ante
        self.missing = 0  # what the blinds were posted short of
        if small is not None:
            self.missing += stakes.small_blind - self._put(small, stakes.small_blind)
        if big is not None:
            if self.house.big_blind_ante_order == "ante_first":
                self._put_dead(big, stakes.big_blind_ante)
            self.missing += stakes.big_blind - self._put(big, stakes.big_blind)
            if self.house.big_blind_ante_order == "blind_first":
                self._put_dead(big, stakes.big_blind_ante)
        for seat, chips in live.items():
            self._put(seat, chips)
        for seat, chips in dead.items():
            self._put_dead(seat, chips)

        self.straddle_seat = None
        if posts is None and stakes.straddle > 0 and n >= 3 and self.stack[(big + 1) % n] >= stakes.straddle:
            self.straddle_seat = (big + 1) % n
            self._put(self.straddle_seat, stakes.straddle)
        elif max(live.values(), default=0) > stakes.big_blind:
            self.straddle_seat = max(live, key=live.get)
        for last in (self.straddle_seat, big, small, self.button):
            if last is not None:
                return (last + 1) % n

    def _put(self, seat: int, chips: int) -> int:
        """Move chips of a seat into its bet, all-in if it has fewer; return how many."""
        chips = min(chips, self.stack[seat])
        self.stack[seat] -= chips
        self.bet[seat] += chips
        self.committed[seat] += chips
        return chips

    def _put_dead(self, seat: int, chips: int) -> None:
        chips = min(chips, self.stack[seat])
        self.stack[seat] -= chips
        self.dead[seat] += chips

    # --- betting -------------------------------------------------------------------------------------------------------------------

    @property
    def live(self) -> list[int]:
        """The seats that have not folded."""
        return [seat for seat in range(self.n) if not self.folded[seat]]

    @property
    def with_chips(self) -> list[int]:
        """The live seats that are not all-in."""
        return [seat for seat in self.live if self.stack[seat] > 0]

    @property
    def pot(self) -> int:
        """Every chip in the middle, this street's bets included."""
        return sum(self.committed) + sum(self.dead)

    @property
    def over(self) -> bool:
        """No decision is left in this hand."""
        return self.to_act is None and (len(self.live) == 1 or self.street == 3 or len(self.with_chips) < 2)

    @property
    def fixed_bet(self) -> int:
        """Fixed limit: the size of a bet on this street."""
        small_bet = self.stakes.small_bet or self.stakes.big_blind
        return small_bet if self.street < 2 else self.stakes.big_bet or 2 * small_bet

    def _start_street(self, first: int, price: int) -> None:
        self.current_bet = price
        self.last_raise = self.stakes.big_blind  # the last full bet or raise
        self.full_level = price  # fixed limit: the amount of the last bet that counts in full
        self.n_bets = 1 if price else 0  # fixed limit: the bets that count for the cap
        self.capped_with_more = False
        self.acts = []  # this street: (seat, "fold" | "call" | "short" | "full", what a raise adds to the current bet)
        self.to_act = self._next(first)

    def _acted(self, seat: int) -> bool:
        return any(act[0] == seat for act in self.acts)

    def _next(self, first: int) -> int | None:
        """The next seat that must decide, looking clockwise from `first`; None when the round is over."""
        if len(self.live) == 1 or not self.with_chips:
            return None
        if len(self.with_chips) == 1:
            (seat,) = self.with_chips
            if self.bet[seat] >= self._largest_bet_against(seat):
                return None
        for seat in ((first + i) % self.n for i in range(self.n)):
            if seat in self.with_chips and (not self._acted(seat) or self.bet[seat] < self.current_bet):
                return seat
        return None

    def _largest_bet_against(self, seat: int) -> int:
        return max(self.bet[other] for other in self.live if other != seat)

    def legal(self) -> dict:
        """The bounds of the seat to act, totals of the street; a fold is legal too."""
        seat = self.to_act
        everything = self.bet[seat] + self.stack[seat]
        call_to = min(self.current_bet, everything)
        if self.with_chips == [seat]:
            call_to = min(call_to, self._largest_bet_against(seat))
            if not self.house.raise_nobody_can_call:
                return dict(call_to=call_to, min_raise_to=None, max_raise_to=None)
        if everything <= self.current_bet or not self._open_for(seat) or self._capped():
            return dict(call_to=call_to, min_raise_to=None, max_raise_to=None)
        if self.structure == "fixed_limit":
            full = highest = self.full_level + self.fixed_bet
        else:
            full = self.current_bet + self.last_raise
            highest = everything if self.structure == "no_limit" else max(full, self._pot_limit(seat))
            most_callable = max((self.bet[other] + self.stack[other] for other in self.with_chips if other != seat), default=0)
            if self.house.raise_to_callers_stack and most_callable > self.current_bet:
                full = min(full, most_callable)
        return dict(call_to=call_to, min_raise_to=min(full, everything), max_raise_to=min(highest, everything))

    def _pot_limit(self, seat: int) -> int:
        """Call first, then raise by the whole pot (TDA 54)."""
        stakes, house = self.stakes, self.house
        pot = self.pot
        if self.street == 0:
            small_blind_counts = self.small_blind_seat is not None
            if house.short_blind == "full":
                pot += self.missing
            if self.small_blind_seat is None and house.absent_small_blind == "full":
                pot += stakes.small_blind
                small_blind_counts = True
            if house.small_blind_as_big_blind and small_blind_counts:
                pot += stakes.big_blind - stakes.small_blind
        to_call = self.current_bet - self.bet[seat]
        return self.current_bet + pot + to_call

    def _open_for(self, seat: int) -> bool:
        """Whether this seat may still raise: not if only short all-ins came since it acted (TDA 47, WSOP LA 129 and 171)."""
        if not self._acted(seat):
            return True
        full, counted = self.last_raise, 1
        if self.structure == "fixed_limit":
            full, counted = self.fixed_bet, 2  # half a bet is enough
        if self.house.reopening == "full_raise_in_total":
            return counted * (self.current_bet - self.bet[seat]) >= full
        last_act = max(i for i, act in enumerate(self.acts) if act[0] == seat)
        in_a_row = 0
        for _, kind, added in self.acts[last_act + 1 :]:
            if kind == "full":
                return True
            if kind == "call":
                in_a_row = 0
            if kind == "short":
                in_a_row += added
                if counted * in_a_row >= full:
                    return True
        return False

    def _cap_reached(self) -> bool:
        return self.structure == "fixed_limit" and self.house.cap > 0 and self.n_bets >= self.house.cap

    def _capped(self) -> bool:
        lifted = self.house.cap_off_heads_up and len(self.live) == 2 and not self.capped_with_more
        return self._cap_reached() and not lifted

    def act(self, to: int) -> None:
        """Fold (-1), check or call (`call_to`), or bet or raise to a total of the street."""
        seat, legal = self.to_act, self.legal()
        if to == FOLD:
            self.folded[seat] = True
            self.acts.append((seat, "fold", 0))
        elif to == legal["call_to"]:
            self._put(seat, to - self.bet[seat])
            self.acts.append((seat, "call", 0))
        else:
            assert legal["min_raise_to"] is not None, f"seat {seat} may not raise to {to}: {legal}"
            assert legal["min_raise_to"] <= to <= legal["max_raise_to"], f"seat {seat} to {to}: {legal}"
            self._raise(seat, to)
        self.to_act = self._next((seat + 1) % self.n)

    def _raise(self, seat: int, to: int) -> None:
        added = to - self.current_bet
        if self.structure == "fixed_limit":
            full = 2 * (to - self.full_level) >= self.fixed_bet
            if full:
                self.full_level = to
                self.n_bets += 1
        else:
            full = added >= self.last_raise
            if full:
                self.last_raise = added
        self._put(seat, to - self.bet[seat])
        self.current_bet = to
        self.aggressor[self.street] = seat
        self.acts.append((seat, "full" if full else "short", added))
        if self._cap_reached() and len(self.live) > 2:
            self.capped_with_more = True

    def next_street(self) -> None:
        """Deal the next street; the first live seat left of the button begins."""
        assert self.to_act is None and not self.over, "the round is not over, or the hand is"
        self.street += 1
        self.bet = [0] * self.n
        self._start_street((self.button + 1) % self.n, price=0)

    # --- settlement ----------------------------------------------------------------------------------------------------------------

    def settle(self, holes: dict, board) -> dict:
        """Give back the uncalled bet, build the pots, take the rake, split.

        holes : {seat: cards} of the live seats at least; board: five cards. Neither is read when all but one have folded.
        Pots come main pot first; `high` and `low` name every winner of that half with its chips (0 if the half is too small).
        """
        assert self.over
        live, committed = self.live, list(self.committed)
        uncalled = uncalled_bet(committed)
        if uncalled:
            committed[uncalled["seat"]] -= uncalled["amount"]
        pots = build_pots(committed, sum(self.dead), self.folded)
        showdown = len(live) > 1
        rakes = take_rake(self.rake, [pot["amount"] for pot in pots], self.n, flop_dealt=self.street > 0 or showdown)
        highs, lows = {}, {}
        if showdown:
            highs = {seat: best_high(holes[seat], board).key for seat in live}
            if self.variant.hi_lo:
                lows = {seat: low.key for seat in live if (low := best_low(holes[seat], board))}
        else:
            highs = {live[0]: ()}

        net = [-committed[seat] - self.dead[seat] - self.charge[seat] for seat in range(self.n)]
        for pot, rake in zip(pots, rakes, strict=True):
            pot["rake"] = rake
            pot["high"], pot["low"] = self._split(pot["amount"] - rake, pot["eligible"], highs, lows)
            for half in (pot["high"], pot["low"]):
                for seat, chips in half.items():
                    net[seat] += chips
        order = self._showing_order(pots) if showdown else []
        return dict(
            net=net,
            rake=sum(rakes) + sum(self.charge),
            uncalled=uncalled,
            pots=pots,
            order=order,
            shown=self._shown(order, pots, highs, lows),
        )

    def _left_of_button(self, seats) -> list[int]:
        """The seats in order, starting left of the button, which comes last."""
        return sorted(seats, key=lambda seat: (seat - self.button - 1) % self.n)

    def _split(self, chips: int, eligible: list[int], highs: dict, lows: dict) -> tuple[dict, dict]:
        """Chips of each high and each low winner of one pot (TDA 20)."""
        high_winners = self._left_of_button(best_of(highs, eligible))
        low_winners = self._left_of_button(best_of(lows, eligible))
        low_half = chips // 2 if low_winners else 0
        if self.house.odd_chips == "all_to_high":
            if low_winners:
                low_half -= low_half % len(low_winners)
            high_half = chips - low_half
            high = {seat: high_half // len(high_winners) for seat in high_winners}
            high[high_winners[0]] += high_half % len(high_winners)
            return high, {seat: low_half // len(low_winners) for seat in low_winners}
        return share(chips - low_half, high_winners), share(low_half, low_winners)

    def _showing_order(self, pots: list[dict]) -> list[int]:
        """Who shows when (TDA 17; WSOP LA 145 for side pots)."""
        order = self._left_of_button(self.live)
        first = self.aggressor[3]
        if self.house.showing == "last_aggressor_any_street":
            first = next((seat for seat in reversed(self.aggressor) if seat is not None), None)
        if first in order:
            start = order.index(first)
            order = order[start:] + order[:start]
        if self.house.side_pot_shows_first:
            by_pot = [seat for pot in reversed(pots) for seat in order if seat in pot["eligible"]]
            order = list(dict.fromkeys(by_pot + order))
        return order

    def _shown(self, order: list[int], pots: list[dict], highs: dict, lows: dict) -> set[int]:
        """The seats that show: the first, and whoever wins or ties a part of some pot among the hands shown so far."""
        all_in = any(self.stack[seat] == 0 for seat in order)
        if self.house.all_tabled_when_all_in and all_in and len(self.with_chips) < 2:
            return set(order)
        shown = set(order[:1])
        for seat in order[1:]:
            for pot in pots:
                if seat in pot["eligible"]:
                    rivals = [other for other in pot["eligible"] if other in shown or other == seat]
                    if seat in best_of(highs, rivals) or seat in best_of(lows, rivals):
                        shown.add(seat)
        return shown


def best_of(values: dict, seats) -> list[int]:
    """The seats with the best value; seats without a value do not take part."""
    seats = [seat for seat in seats if seat in values]
    return [seat for seat in seats if values[seat] == max(values[other] for other in seats)]


def share(chips: int, winners: list[int]) -> dict[int, int]:
    """Equal shares, odd chips one each from the first winner on."""
    shares = {}
    for place, seat in enumerate(winners):
        shares[seat] = chips // len(winners) + (1 if place < chips % len(winners) else 0)
    return shares


def uncalled_bet(committed: list[int]) -> dict | None:
    """What the largest bet of the hand is over the second largest, folded seats included."""
    second, first = sorted(committed)[-2:]
    return {"seat": committed.index(first), "amount": first - second} if first > second else None


def build_pots(committed: list[int], dead: int, folded: list[bool]) -> list[dict]:
    """Main pot first: one layer for each level at which a live seat stopped (TDA 21).

    Chips of folded seats stay in the layers that they reach; those above the last live level join the last pot. All dead chips are in
    the main pot, so a seat that has nothing but a dead post in (level 0) plays for them and for nothing else.
    """
    levels = sorted({chips for chips, out in zip(committed, folded, strict=True) if not out})
    pots = []
    below = 0
    for level in levels:
        top = max(committed) if level == levels[-1] else level
        amount = sum(min(chips, top) - min(chips, below) for chips in committed)
        if level == levels[0]:
            amount += dead
        eligible = [seat for seat, chips in enumerate(committed) if chips >= level and not folded[seat]]
        if amount > 0:
            pots.append({"amount": amount, "eligible": eligible})
        below = level
    return pots


def rounded(rake: Rake, chips: int) -> int:
    """The percentage of some chips, rounded to the step; never more than the chips."""
    exact, unit = chips * rake.basis_points, 10_000 * rake.step
    steps = {"down": exact // unit, "half_up": (2 * exact + unit) // (2 * unit), "up": -(-exact // unit)}[rake.rounding]
    return min(steps * rake.step, chips)


def take_rake(rake: Rake, pots: list[int], players: int, flop_dealt: bool) -> list[int]:
    """The rake of each pot, main pot first. The cap is one per hand, by the number of players dealt in."""
    total = sum(pots)
    if total == 0 or total < rake.minimum_pot or (rake.no_flop_no_drop and not flop_dealt):
        return [0] * len(pots)
    cap = rake.caps[min(players - 2, len(rake.caps) - 1)] if rake.caps else total
    if rake.scope == "pot":
        taken = []
        for pot in pots:
            taken.append(min(rounded(rake, pot), cap - sum(taken)))
        return taken
    due = rounded(rake, total)
    if due <= cap:
        # Largest remainder: the whole chips of each exact share, then one each where the most is missing, the earlier of equals first.
        # The exact share is the percentage of the pot; with steps of several chips, where those do not add up, the part of what is due.
        weight, whole = (rake.basis_points, 10_000) if rake.step == 1 else (due, total)
        taken = [weight * pot // whole for pot in pots]
        by_remainder = sorted(range(len(pots)), key=lambda i: -(weight * pots[i] % whole))
        for i in by_remainder[: due - sum(taken)]:
            taken[i] += 1
        return taken
    taken = []
    for pot in pots:
        taken.append(min(pot * rake.basis_points // 10_000, cap - sum(taken)))
    for i, pot in enumerate(pots):
        taken[i] += min(pot - taken[i], cap - sum(taken))
    return taken
