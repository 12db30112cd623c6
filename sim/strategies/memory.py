"""Addresses: how a compiled strategy reaches the engine, and how it reaches the evaluation tables.

The engine is compiled once and calls strategies through their addresses, so a new strategy costs its own compilation only. With
NUMBA_DISABLE_JIT=1 everything is plain Python and an "address" is a place in a list: strategies can then be stepped through in a debugger.
"""

import numba
import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic

from sim.evaluation import TABLES, TABLES_DTYPE
from sim.jit import jit

TABLES_AT = np.array([TABLES.add_rank.ctypes.data], np.uint64)  # address of the evaluation tables: one record, add_rank is its first field

_PLAIN = numba.config.DISABLE_JIT
_plain_functions: list = []


def address_of(function, view_type) -> int:
    """Machine address of a compiled function of one View that returns int64; the caller keeps `function` alive."""
    if _PLAIN:
        _plain_functions.append(function)
        return len(_plain_functions) - 1
    function.compile((view_type,))
    overload = function.overloads[(view_type,)]
    return overload.library.get_pointer_to_function(overload.fndesc.llvm_func_name)


if _PLAIN:

    def call_strategy(address, view):
        """Call the strategy at `address`."""
        return _plain_functions[address](view)

    def tables_at(addresses):
        """The evaluation tables."""
        return TABLES

else:

    @intrinsic
    def call_strategy(typing_context, address, view):
        """Call the strategy at `address` (int64) with a view; what it raises goes on through the engine."""

        def generate(context, builder, signature, arguments):
            function_type = context.call_conv.get_function_type(types.int64, (view,))
            function = builder.inttoptr(arguments[0], function_type.as_pointer())
            status, intent = context.call_conv.call_function(builder, function, types.int64, (view,), (arguments[1],))
            with cgutils.if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            return intent

        return types.int64(types.int64, view), generate

    @intrinsic
    def _pointer(typing_context, address):
        def generate(context, builder, signature, arguments):
            return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

        return types.voidptr(types.uint64), generate

    @jit
    def tables_at(addresses):
        """The evaluation tables at the address TABLES_AT: tables in a global would be copied into every strategy that uses them."""
        return numba.carray(_pointer(addresses[0]), (1,), TABLES_DTYPE)[0]
