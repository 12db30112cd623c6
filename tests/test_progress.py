"""What the people who wait are told."""

import io

from sim.progress import show_progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def lines_of(seconds: list[float], hands: int = 100, done: int = 0) -> list[str]:
    """Lines of a run of 1000 hands in which `hands` are finished at each of these times."""
    stream, now = io.StringIO(), [0.0]
    with show_progress(1000, done, stream, lambda: now[0]) as display:
        for moment in seconds:
            now[0] = moment
            display.advance(hands)
    return stream.getvalue().splitlines()


def test_a_short_run_says_nothing():
    assert lines_of([1, 5, 9.9]) == []


def test_a_line_every_ten_seconds_with_rate_and_time_left():
    assert lines_of([4, 8, 12, 16, 20, 24]) == [
        "300 of 1,000 hands (30%), 25 hands/s, 0:28 left",
        "600 of 1,000 hands (60%), 25 hands/s, 0:16 left",
    ]


def test_the_rate_of_a_resumed_run_counts_only_its_own_hands():
    assert lines_of([10], hands=50, done=900) == ["950 of 1,000 hands (95%), 5 hands/s, 0:10 left"]


def test_messages_come_at_once():
    stream = io.StringIO()
    with show_progress(10, 0, stream) as display:
        display.say("[shard 3] lost")
        assert stream.getvalue() == "[shard 3] lost\n"


def test_a_terminal_gets_a_bar_and_messages_above_it():
    stream = Terminal()
    with show_progress(1000, 500, stream) as display:
        display.say("[shard 3] lost")
        display.advance(500)
    assert "[shard 3] lost" in stream.getvalue() and "100%" in stream.getvalue()
