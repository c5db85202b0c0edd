# Shapes are tuples of sizes. What is not there is None, and no comparison with it holds.


def _is_there(x):
    return x is not None


def _shape(*sizes):
    return None if None in sizes else tuple(sizes)


def _rank(shape):
    return None if shape is None else len(shape)


def _at(shape, i):
    return shape[i] if shape is not None and -len(shape) <= i < len(shape) else None


def _part(shape, before, behind):
    if shape is None or len(shape) < before + behind:
        return None
    return tuple(shape[before : len(shape) - behind])


def _prod(shape):
    if shape is None:
        return None
    product = 1
    for size in shape:
        product *= size
    return product


def _sum(*sizes):
    return None if None in sizes else sum(sizes)


def _minus(size):
    return None if size is None else -size


def _broadcast(a, b):
    if a is None or b is None:
        return None
    rank = max(len(a), len(b))
    a = (1,) * (rank - len(a)) + tuple(a)
    b = (1,) * (rank - len(b)) + tuple(b)
    if any(x != y and x != 1 and y != 1 for x, y in zip(a, b)):
        return None
    return tuple(y if x == 1 else x for x, y in zip(a, b))


def _known(x):
    return tuple(x) if isinstance(x, list) else x


def _eq(a, b):
    return a is not None and b is not None and _known(a) == _known(b)


def _ne(a, b):
    return a is not None and b is not None and _known(a) != _known(b)


def _lt(a, b):
    return a is not None and b is not None and a < b


def _le(a, b):
    return a is not None and b is not None and a <= b


def _gt(a, b):
    return _lt(b, a)


def _ge(a, b):
    return _le(b, a)
