"""A ranking run: deals shared out to shards like the hands of any run, their sums kept per shard, rankings made of all of them.

Its directory is that of sim.run_directory with `sums/part-000003.parquet` for data and `rankings/` for results. A "hand" of its plan is
a deal of sim.showdown_shares. One run serves high and hi/lo, and every number of opponents it is asked for, from the same deals.
"""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sim.cards import format_cards
from sim.hand_classes import HAND_SIZES, N_CLASSES, representative, weights
from sim.plan import MAX_HANDS, MAX_SEED, MAX_SHARDS, Compute, Shard, SpecError, n_shards, within
from sim.rankings import encode, file_name, load
from sim.rules import N_CARDS
from sim.run import check_place
from sim.run_directory import LAYOUT_VERSION, SUCCESS, Damaged, RunError, commit_shard, log, read_record, read_run, write_data, write_json
from sim.runner import Show, carry_out
from sim.showdown_shares import POTS, SUMS_PER_POT, n_hands, n_sums, sum_shares, units

SUMS, RANKINGS = "sums", "rankings"
MIN_SHARD_DEALS = 2**19
MAX_SHARD_DEALS = 10**8
SHARDS_PER_RUN = 16
DEALS = {4: 200_000_000, 5: 500_000_000, 6: 700_000_000}  # of the shipped rankings, by hole cards
DECIDING = ("rng.py", "cards.py", "evaluation.py", "hand_classes.py", "showdown_shares.py")  # code on which the sums depend
MIN_SAMPLES = 20
RAREST_WEIGHT = {4: 1, 5: 4, 6: 4}  # the smallest of hand_classes.weights
PRINTED_CUTS = (1, 5, 10, 15, 25, 50, 75)  # percent of all hands
PRINTED_BEST = 5


@dataclass(frozen=True)
class RankedGame:
    """What is ranked."""

    name: str
    hole_cards: int
    opponents: tuple[int, ...]  # ascending

    def __post_init__(self) -> None:
        if self.hole_cards not in HAND_SIZES:
            raise SpecError("variant.hole_cards", f"{self.hole_cards}; allowed: {', '.join(map(str, HAND_SIZES))}")
        most = n_hands(self.hole_cards) - 1
        for number in self.opponents:
            if not 1 <= number <= most:
                raise SpecError("opponents", f"{number}; with {self.hole_cards} hole cards allowed: 1 to {most}")
        if not self.opponents or list(self.opponents) != sorted(set(self.opponents)):
            raise SpecError("opponents", f"{list(self.opponents)}; allowed: one or more different numbers, ascending")


@dataclass(frozen=True)
class RankSpec:
    """All that decides a ranking."""

    hands: int  # deals
    seed: int  # 0 to 2**64 - 1
    scenarios: tuple[RankedGame, ...]  # one
    shard_hands: int  # deals per shard

    def __post_init__(self) -> None:
        within("deals", self.hands, 1, MAX_HANDS)
        within("seed", self.seed, 0, MAX_SEED)
        within("shard_deals", self.shard_hands, 1, MAX_SHARD_DEALS)
        for game in self.scenarios:
            if self.hands < (fewest := fewest_deals(game.hole_cards)):
                raise SpecError(
                    "deals", f"{self.hands}; with {game.hole_cards} hole cards allowed: {fewest:,} or more, so that every class is dealt"
                )
        if (shards := n_shards(self)) > MAX_SHARDS:
            raise SpecError("shard_deals", f"{self.shard_hands}; makes {shards} shards; allowed: at most {MAX_SHARDS}")


def fewest_deals(hole_cards: int) -> int:
    """Deals that give the rarest class 20 samples on average, and so less than two about once in ten million."""
    return MIN_SAMPLES * comb(N_CARDS, hole_cards) // (RAREST_WEIGHT[hole_cards] * n_hands(hole_cards))


def automatic_shard_deals(deals: int) -> int:
    """16 shards, but a batch of deals at least: the sums of a shard take up to 20 MB whatever it holds."""
    return min(max(MIN_SHARD_DEALS, -(-deals // SHARDS_PER_RUN)), MAX_SHARD_DEALS)


def rank_shard(spec: RankSpec, shard: Shard, run: Path, code: str) -> dict[str, Any]:
    """Sum the shares of a shard's deals and commit them. Returns sizes and seconds for the log. Raises like sim.run.run_shard."""
    check_place(run, code)
    started = time.perf_counter()
    game = spec.scenarios[shard.scenario]
    sums = sum_shares(spec.seed, shard.first_hand, shard.hands, game.hole_cards, game.opponents)
    seconds = time.perf_counter() - started
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(list(np.ascontiguousarray(sums.T)), _sum_names(game.opponents)), sink, compression="zstd", use_dictionary=False)
    data = sink.getvalue()
    commit_shard(run, shard, write_data(run, f"{SUMS}/part-{shard.index:06d}.parquet", data, len(sums)))
    return {"hands": shard.hands, "bytes": data.size, "node": os.uname().nodename, "seconds": {"sum": round(seconds, 4)}}


def _sum_names(opponents: Sequence[int]) -> list[str]:
    """Names of the columns of sim.showdown_shares.sum_shares."""
    return ["samples", *(f"{pot}_{kind}_{number}" for number in opponents for pot in POTS for kind in ("share", "square"))]


def rank(spec: RankSpec, compute: Compute, out: str | Path, resume: bool = False, hi_lo: bool = False) -> int:
    """Make the rankings of a spec in the directory `out`, print those with or without `hi_lo`; exit codes as sim.runner.simulate."""
    game = spec.scenarios[0]

    def compile_kernels() -> None:
        sum_shares(spec.seed, 0, 1, game.hole_cards, game.opponents)

    def finish(run: Path, shards: Sequence[Shard], complete: bool) -> Show:
        if not complete or not all((run / name).exists() for name in _files(game)):
            _write_rankings(spec, run, _add_up(spec, run, shards))
        return lambda played, seconds: _show(spec, Path(out), hi_lo, played, seconds)

    return carry_out(spec, compute, out, resume, rank_shard, compile_kernels, finish)


def _files(game: RankedGame) -> dict[str, tuple[int, bool]]:
    """Number of opponents and hi/lo by path of the ranking below the run directory, in the order of the sums."""
    return {
        f"{RANKINGS}/{file_name(game.hole_cards, hi_lo, number)}": (number, hi_lo) for number in game.opponents for hi_lo in (False, True)
    }


def _add_up(spec: RankSpec, run: Path, shards: Sequence[Shard]) -> np.ndarray:
    """(n_classes, n_sums) int64 sums over all shards."""
    game = spec.scenarios[0]
    sums = np.zeros((N_CLASSES[game.hole_cards], n_sums(game.opponents)), np.int64)
    for shard in shards:
        path = read_record(run, shard)["path"]
        try:
            table = pq.read_table(run / path)
        except (OSError, pa.ArrowException) as error:  # the size and the footer were right
            raise Damaged(run, f"{path}: {error}") from error
        for column, name in enumerate(_sum_names(game.opponents)):
            sums[:, column] += table[name].to_numpy()
    if (unseen := int((sums[:, 0] < 2).sum())) > 0:
        raise RunError(f"{unseen:,} of {len(sums):,} classes were dealt less than twice in {spec.hands:,} deals; give more deals")
    return sums


def shares_and_errors(sums: np.ndarray, column: int, one: int) -> tuple[np.ndarray, np.ndarray]:
    """(n_classes,) float64 shares and their standard errors, from a column of shares in units of 1 / one and the next one, of squares.

    The samples of a class are counted as independent. They are, but for the rare deal with two hands of one class.
    """
    samples = sums[:, 0].astype(np.float64)
    shares = sums[:, column] / (samples * one)
    variances = np.maximum(sums[:, column + 1] / (samples * one**2) - shares**2, 0) * samples / (samples - 1)
    return shares, np.sqrt(variances / samples)


def _write_rankings(spec: RankSpec, run: Path, sums: np.ndarray) -> None:
    game = spec.scenarios[0]
    described = read_run(run)
    files = []
    for i, (name, (number, hi_lo)) in enumerate(_files(game).items()):
        shares, errors = shares_and_errors(sums, 1 + SUMS_PER_POT * i, units(game.hole_cards, number))
        about = {
            "hole_cards": game.hole_cards,
            "hi_lo": hi_lo,
            "opponents": number,
            "deals": spec.hands,
            "samples": int(sums[:, 0].sum()),
            "seed": spec.seed,
            "method": "random deals; a hand's share is averaged over all choices of opponents among the other hands of its deal",
            "command": _command(spec),
            "code": {file: described["code"]["files"][file] for file in DECIDING},
            "date": described["created"][:10],
        }
        files.append(write_data(run, name, encode(shares, errors, about), len(sums)))
    write_json(run, SUCCESS, {"schema_version": LAYOUT_VERSION, "hands": spec.hands, "files": files})
    log(run, "complete")


def _command(spec: RankSpec) -> str:
    """What makes the same ranking again."""
    game = spec.scenarios[0]
    opponents = ",".join(map(str, game.opponents))
    return f"omaha-sim rank variant=omaha{game.hole_cards} 'opponents=[{opponents}]' deals={spec.hands} seed={spec.seed}"


def _show(spec: RankSpec, run: Path, hi_lo: bool, played: int, seconds: float) -> None:
    game = spec.scenarios[0]
    counts = weights(game.hole_cards)
    for number in game.opponents:
        ranking = load(game.hole_cards, hi_lo, number, run / RANKINGS)
        order = np.argsort(-ranking.shares, kind="stable")
        parts = np.cumsum(counts[order]) / counts.sum()
        print(f"\n{game.name}{' hi/lo' if hi_lo else ''} against {number}: share of the pot when everybody goes to showdown, %")
        for place in range(PRINTED_BEST):
            class_id = int(order[place])
            hand = format_cards(representative(class_id, game.hole_cards))
            print(f"  {place + 1}. {hand}  {ranking.shares[class_id]:7.2%} ± {ranking.standard_errors[class_id]:.2%}")
        cuts = [f"{cut} %: {ranking.shares[order[np.searchsorted(parts, cut / 100)]]:.2%}" for cut in PRINTED_CUTS]
        print(f"  the best {', '.join(cuts)}")
        median, largest = ranking.about["median_standard_error"], ranking.about["largest_standard_error"]
        print(f"  standard error: median {median:.3%}, largest {largest:.3%}")
    rate = f" in {seconds:.1f} s" if played == spec.hands else ""
    print(f"\n{spec.hands:,} deals{rate}; rankings in {run / RANKINGS}")
