"""Masks: whole numbers whose bits are the members of a small set, such as ranks or seats. Each of these is one machine instruction."""

import numba
from numba.core import types
from numba.extending import intrinsic

if numba.config.DISABLE_JIT:

    def count_bits(mask):
        """Number of bits set in a mask (int64 or uint64, not negative), int64."""
        return int(mask).bit_count()

    def highest_bit(mask):
        """Place of the highest bit set in a mask (int64 or uint64), int64; -1 for none."""
        return int(mask).bit_length() - 1

    def lowest_bit(mask):
        """Place of the lowest bit set in a mask (int64 or uint64, above 0), int64."""
        return (int(mask) & -int(mask)).bit_length() - 1

else:

    @intrinsic
    def count_bits(typing_context, mask):
        """Number of bits set in a mask (int64 or uint64, not negative), int64."""
        return types.int64(types.uint64), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])

    @intrinsic
    def highest_bit(typing_context, mask):
        """Place of the highest bit set in a mask (int64 or uint64), int64; -1 for none."""

        def generate(context, builder, signature, arguments):
            word = context.get_value_type(types.uint64)
            leading_zeros = builder.ctlz(arguments[0], context.get_constant(types.boolean, False))
            return builder.sub(word(63), leading_zeros)

        return types.int64(types.uint64), generate

    @intrinsic
    def lowest_bit(typing_context, mask):
        """Place of the lowest bit set in a mask (int64 or uint64, above 0), int64."""

        def generate(context, builder, signature, arguments):
            return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

        return types.int64(types.uint64), generate
