"""Masks: whole numbers whose bits are the members of a small set, such as ranks or seats. Each of these is one machine instruction."""

import numba
from numba.core import types
from numba.extending import intrinsic

from sim.jit import jit

if numba.config.DISABLE_JIT:

    def _ones(mask):
        return int(mask).bit_count()

    def _leading_zeros(mask):
        return 64 - int(mask).bit_length()

    def _trailing_zeros(mask):
        return (int(mask) & -int(mask)).bit_length() - 1

else:

    @intrinsic
    def _ones(typing_context, mask):
        return types.int64(types.uint64), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])

    @intrinsic
    def _leading_zeros(typing_context, mask):
        return types.int64(types.uint64), lambda context, builder, signature, arguments: builder.ctlz(arguments[0], _defined(context))

    @intrinsic
    def _trailing_zeros(typing_context, mask):
        return types.int64(types.uint64), lambda context, builder, signature, arguments: builder.cttz(arguments[0], _defined(context))

    def _defined(context):
        """The flag that makes the result for 0 the number of all bits, instead of undefined."""
        return context.get_constant(types.boolean, False)


@jit
def count_bits(mask):
    """Number of members of a mask, int64 or uint64; int64."""
    return _ones(mask)


@jit
def highest_bit(mask):
    """Place of the highest member; -1 for none."""
    return 63 - _leading_zeros(mask)


@jit
def lowest_bit(mask):
    """Place of the lowest member of a mask that has one."""
    return _trailing_zeros(mask)
