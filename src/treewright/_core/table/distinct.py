"""Whole numbers of a narrow range -> their places among those that occur; and whether numbers are known and
finite.

In: numbers. Out: the ones that occur, rising, and the place of each entry among them; nothing where they have
to be sorted instead. Counting beats sorting, and one call beats the handful that numpy takes.
"""

import cython
import numpy as np

EXACT = cython.declare(cython.double, 9007199254740992.0)
INFINITE = cython.declare(cython.double, float("inf"))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def rank_places(place: cython.longlong[::1]) -> cython.longlong:
    """In place of each 1 how many there are up to there; how many there are in all."""
    k: cython.longlong
    n_found: cython.longlong = 0
    for k in range(place.shape[0]):
        n_found += place[k]
        place[k] *= n_found
    return n_found


@cython.cfunc
@cython.nogil
@cython.returns((cython.double, cython.double))
@cython.exceptval(check=False)
def bounds_of(numbers: cython.const[cython.double][:]):
    """The lowest and the highest of some whole numbers; 1 and 0 where one is not whole or too large to tell."""
    low: cython.double = 0.0 if numbers.shape[0] == 0 else numbers[0]
    high: cython.double = low
    i: cython.longlong
    number: cython.double
    for i in range(numbers.shape[0]):
        number = numbers[i]
        # Below 2^53 the way to whole numbers and back loses nothing but a fraction; NaN is not below.
        if not (-EXACT < number and number < EXACT) or number != cython.cast(cython.longlong, number):
            return 1.0, 0.0
        low = number if number < low else low
        high = number if number > high else high
    return low, high


def count_places(numbers: cython.const[cython.double][:], most: cython.longlong, places: cython.longlong[::1]):
    """Fill `places`; the numbers that occur, or None if one is not whole or they are further apart than `most`."""
    low: cython.double
    high: cython.double
    i: cython.longlong
    k: cython.longlong
    n_found: cython.longlong
    with cython.nogil:
        low, high = bounds_of(numbers)
    if high < low or high - low > most:
        return None
    place: cython.longlong[::1] = np.zeros(int(high - low) + 1, np.int64)
    with cython.nogil:
        for i in range(numbers.shape[0]):
            places[i] = cython.cast(cython.longlong, numbers[i] - low)
            place[places[i]] = 1
        n_found = rank_places(place)
    found = np.empty(n_found)
    rising: cython.double[::1] = found
    with cython.nogil:
        for k in range(place.shape[0]):
            if place[k]:
                place[k] -= 1
                rising[place[k]] = low + k
        for i in range(numbers.shape[0]):
            places[i] = place[places[i]]
    return found


def put_places(table: cython.double[:, :], column: cython.Py_ssize_t, most: cython.longlong):
    """The same for a column of a table, whose cells become their places; the numbers that occur come as a list."""
    cells: cython.double[:] = table[:, column]
    low: cython.double
    high: cython.double
    i: cython.longlong
    k: cython.longlong
    with cython.nogil:
        low, high = bounds_of(cells)
    if high < low or high - low > most:
        return None
    place: cython.longlong[::1] = np.zeros(int(high - low) + 1, np.int64)
    with cython.nogil:
        for i in range(cells.shape[0]):
            place[cython.cast(cython.longlong, cells[i] - low)] = 1
        rank_places(place)
        for i in range(cells.shape[0]):
            cells[i] = cython.cast(cython.double, place[cython.cast(cython.longlong, cells[i] - low)] - 1)
    found = []
    for k in range(place.shape[0]):
        if place[k]:
            found.append(cython.cast(cython.longlong, low) + k)
    return found


def count_labels(labels: cython.const[cython.longlong][:], most: cython.longlong, codes: cython.int[::1]):
    """The same for whole numbers that are int64 already; those that occur come as a list."""
    n: cython.longlong = labels.shape[0]
    low: cython.longlong = 0 if n == 0 else labels[0]
    high: cython.longlong = low
    i: cython.longlong
    k: cython.longlong
    with cython.nogil:
        for i in range(n):
            low = labels[i] if labels[i] < low else low
            high = labels[i] if labels[i] > high else high
    # The difference itself may be too large for 64 bits.
    if cython.cast(cython.double, high) - cython.cast(cython.double, low) > most:
        return None
    place: cython.longlong[::1] = np.zeros(int(high - low) + 1, np.int64)
    with cython.nogil:
        for i in range(n):
            place[labels[i] - low] = 1
        rank_places(place)
        for i in range(n):
            codes[i] = cython.cast(cython.int, place[labels[i] - low] - 1)
    found = []
    for k in range(place.shape[0]):
        if place[k]:
            found.append(low + k)
    return found


def look(table: cython.const[cython.double][:, :]) -> int:
    """What is strange in a table: 1 where a cell is infinite, 2 where one is NaN, 3 for both, 0 for neither."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    strange: cython.int = 0
    cell: cython.double
    with cython.nogil:
        for i in range(table.shape[0]):
            for j in range(table.shape[1]):
                cell = table[i, j]
                if not (-INFINITE < cell and cell < INFINITE):
                    strange |= 1 if cell == cell else 2
    return strange
