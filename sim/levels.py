"""Record levels: how much of each hand a run keeps. Apart from `records`, as a configuration is checked without Arrow and the compiler."""

NONE, RESULTS, HANDS, FULL = range(4)  # as kernels take them; each has all columns of the lower
LEVELS = {"none": NONE, "results": RESULTS, "hands": HANDS, "full": FULL}
