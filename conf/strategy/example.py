"""A strategy of one's own, to copy and change: few hands, and after the flop what few holdings beat. docs/strategies.md explains it all."""

from sim.strategies import FOLD, flush_outs, in_range, jit, n_better, n_holdings, pot_odds, pot_sized, random_unit, straight_outs


def example(view, p):
    """Raise the hands of p.open, call with those of p.call; later bet what is better than all but p.value of the holdings."""
    if view.street == 0:
        if in_range(view, p.open) and view.n_raises < 2:
            return pot_sized(view, 100)
        return view.call_to if view.to_call == 0 or in_range(view, p.call) else FOLD
    beaten_by = n_better(view) / n_holdings(view)
    if beaten_by <= p.value:
        return pot_sized(view, 75)
    if view.to_call == 0:
        return pot_sized(view, 50) if random_unit(view) < p.bluff else view.call_to
    return view.call_to if beaten_by <= p.stay or chance_of_a_draw(view) > pot_odds(view) else FOLD


@jit
def chance_of_a_draw(view):
    """Chance that one of the outs comes on the next street. Functions that a strategy calls need @jit."""
    return (flush_outs(view).outs + straight_outs(view).outs) / 46
