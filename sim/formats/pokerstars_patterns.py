"""What the lines of PokerStars text look like. An amount is MONEY: its sign, whole part and decimals are three groups."""

import re

from sim.formats.pokerstars import POST_TEXT, STRUCTURE_TEXT

START = re.compile(r"\s*PokerStars (?:Zoom |Home Game )?(?:Hand|Game) #(\d+|[\w-]+):\s*(.*)")
GAME = re.compile(r"(?:([56]) Card )?Omaha( Hi/Lo)? (Pot Limit|No Limit|Limit)")
MONEY = r"([$€£¥]?)(\d[\d,]*)(?:\.(\d\d?))?"
STAKES = re.compile(rf"\({MONEY}/{MONEY}(?: ([A-Z]{{3}}))?[^)]*\)|,\s*{MONEY}/{MONEY}(?: ([A-Z]{{3}}))?\)")
TOURNAMENT = re.compile(r"Tournament #(\d+)")
PLAYED_AT = re.compile(r" - (\d{4}[/-]\d\d?[/-]\d\d? .*)$")
TABLE = re.compile(r"Table '(.*?)'")
BUTTON = re.compile(r"Seat #(\d+) is the button")
SEAT = re.compile(rf"Seat (\d+): (.+) \({MONEY} in chips(?:, .*?bounty)?\)(.*)$")
STREET = re.compile(r"\*\*\* (FLOP|TURN|RIVER|SHOW DOWN|HOLE CARDS|SUMMARY|FIRST .*|SECOND .*|.*) \*\*\*(.*)")
DEALT = re.compile(r"Dealt to (.+) \[([^\]]+)\]$")
UNCALLED = re.compile(rf"Uncalled bet \({MONEY}\) returned to (.+)$")
COLLECTED = re.compile(rf"(.+) collected {MONEY} from (pot|main pot|side pot(?:-(\d+))?)(?: \(.*\))?$")
TOTAL = re.compile(rf"Total pot {MONEY}(.*)")
TAKEN = re.compile(rf"\| ([A-Za-z ]+?) {MONEY}")
BOARD = re.compile(r"Board \[([^\]]+)\]")
MUCKED = re.compile(r"(?: \(.*?\))* mucked \[([^\]]+)\]")
SHOWS = re.compile(r"shows \[([^\]]+)\](?: \((?:HI: (.*?); LO: (.*)|(.*))\))?")
VERB = re.compile(rf"(folds|checks|calls {MONEY}|bets {MONEY}|raises {MONEY} to {MONEY})( and is all-in)?\b.*$")
POST = re.compile(rf"({'|'.join(re.escape(text) for text in sorted(POST_TEXT.values(), key=len, reverse=True))}) {MONEY}( and is all-in)?")
POST_KINDS = {text: kind for kind, text in POST_TEXT.items()}
STRUCTURES = {text: name for name, text in STRUCTURE_TEXT.items()}
LEFT_OUT = re.compile(
    r"(sits out|is sitting out|has timed out|is disconnected|is connected|has returned|leaves the table|joins the table|will be allowed|"
    r"was removed|doesn't show hand|said|shows|mucks hand|cashed out|is feeling|finished the tournament|wins|has \d+ seconds|re-buys|adds)"
)
