"""The look of tables on a terminal."""

from rich import box
from rich.table import Table


def text_table(title: str = "") -> Table:
    """An empty table: a line under its headings, columns a space apart."""
    return Table(title=title, title_justify="left", caption_justify="left", box=box.SIMPLE_HEAD, padding=(0, 0, 0, 1), pad_edge=False)
