"""Addresses: how compiled strategies and their parameters reach the engine, and how tables reach the strategies.

The engine is compiled once and calls strategies through their addresses, so a new strategy costs its own compilation only. With
NUMBA_DISABLE_JIT=1 everything is plain Python and the "address" of a function or of parameters is a place in a list: strategies can then
be stepped through in a debugger.
"""

import ctypes

import numba
import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic

from sim.evaluation import TABLES, TABLES_DTYPE
from sim.jit import jit

TABLES_AT = np.array([TABLES.add_rank.ctypes.data], np.uint64)  # address of the evaluation tables: one record, add_rank is its first field

_PLAIN = numba.config.DISABLE_JIT
_plain_objects: list = []


def address_of_function(function, signature: tuple) -> int:
    """Machine address of a function compiled for (view, parameters) that returns int64; the caller keeps `function` alive."""
    if _PLAIN:
        return _plain_address(function)
    overload = function.overloads[signature]
    fields = overload._asdict()
    return fields["library"].get_pointer_to_function(fields["fndesc"].llvm_func_name)


def address_of_record(record: np.record) -> int:
    """Where a record lies; the caller keeps it alive."""
    return _plain_address(record) if _PLAIN else record.__array_interface__["data"][0]


def _plain_address(thing) -> int:
    _plain_objects.append(thing)
    return len(_plain_objects) - 1


if _PLAIN:

    def call_strategy(address, view, parameters):
        """Call the strategy at `address`."""
        return _plain_objects[address](view, _plain_objects[parameters])

    def tables_at(addresses):
        """The evaluation tables."""
        return TABLES

    def uint16_at(address, index):
        """The uint16 number `index` of an array."""
        return ctypes.c_uint16.from_address(int(address) + 2 * int(index)).value

    def uint8_at(address, index):
        """The uint8 number `index` of an array."""
        return ctypes.c_uint8.from_address(int(address) + int(index)).value

    def put_uint8(address, index, value):
        """Set the uint8 number `index` of an array."""
        ctypes.c_uint8.from_address(int(address) + int(index)).value = int(value)

    def put_int64(address, index, value):
        """Set the int64 number `index` of an array."""
        ctypes.c_int64.from_address(int(address) + 8 * int(index)).value = int(value)

else:
    # A record is passed as its address, whatever its fields: one signature of the engine's call serves the parameters of all strategies.
    _ANY_RECORD = numba.from_dtype(np.dtype([("any", np.int64)], align=True))

    @intrinsic
    def call_strategy(typing_context, address, view, parameters):
        """Call the strategy at `address` with a view and the parameters at their address (int64 both); what it raises goes on."""

        def generate(context, builder, signature, arguments):
            passed = (view, _ANY_RECORD)
            function_type = context.call_conv.get_function_type(types.int64, passed)
            function = builder.inttoptr(arguments[0], function_type.as_pointer())
            record = builder.inttoptr(arguments[2], context.get_value_type(_ANY_RECORD))
            status, intent = context.call_conv.call_function(builder, function, types.int64, passed, (arguments[1], record))
            with cgutils.if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            return intent

        return types.int64(types.int64, view, types.int64), generate

    @intrinsic
    def _pointer(typing_context, address):
        def generate(context, builder, signature, arguments):
            return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

        return types.voidptr(types.uint64), generate

    @jit
    def tables_at(addresses):
        """The evaluation tables at the address TABLES_AT: tables in a global would be copied into every strategy that uses them."""
        return numba.carray(_pointer(addresses[0]), (1,), TABLES_DTYPE)[0]

    @jit
    def uint16_at(address, index):
        """The uint16 number `index` of the array at `address` (uint64)."""
        return numba.carray(_pointer(address), (index + 1,), np.uint16)[index]

    @jit
    def uint8_at(address, index):
        """The uint8 number `index` of the array at `address` (uint64)."""
        return numba.carray(_pointer(address), (index + 1,), np.uint8)[index]

    @jit
    def put_uint8(address, index, value):
        """Set the uint8 number `index` of the array at `address` (uint64)."""
        numba.carray(_pointer(address), (index + 1,), np.uint8)[index] = value

    @jit
    def put_int64(address, index, value):
        """Set the int64 number `index` of the array at `address` (uint64)."""
        numba.carray(_pointer(address), (index + 1,), np.int64)[index] = value
