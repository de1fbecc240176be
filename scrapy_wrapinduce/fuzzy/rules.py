"""The paper's fuzzy rules: the error of a separator from the errors of its two detectors.

Each error is more or less *negative*, *negative small*, *zero*, *positive small* or *positive* (section 4).
Four rules say "if the left or the right error is X, the total is X"; the fifth, for zero, says "and".
The total is the mean of the five terms' centres, each as heavy as its rule is true.
"""

from __future__ import annotations

TERMS = {
    "negative": -1.0,
    "negativeSmall": -0.5,
    "zero": 0.0,
    "positiveSmall": 0.5,
    "positive": 1.0,
}
_HALF_WIDTH = 0.5


def membership(error: float) -> dict[str, float]:
    """How truly an error, 1 being as bad as can be, is each of the five terms.

    >>> {term: truth for term, truth in membership(0.375).items() if truth}
    {'zero': 0.25, 'positiveSmall': 0.75}
    """
    bounded = max(-1.0, min(1.0, error))
    return {
        term: max(0.0, 1.0 - abs(bounded - centre) / _HALF_WIDTH) for term, centre in TERMS.items()
    }


def total_error(left: float, right: float) -> float:
    """The separator's error.

    >>> total_error(0.0, 0.0), total_error(0.0, 1.0), total_error(0.5, 1.0)
    (0.0, 1.0, 0.75)
    """
    of_left, of_right = membership(left), membership(right)
    truths = {
        term: min(of_left[term], of_right[term])
        if term == "zero"
        else max(of_left[term], of_right[term])
        for term in TERMS
    }
    weight = sum(truths.values())
    # Weight is never 0: a side that is not wholly zero makes one of the four "or" rules true.
    return sum(TERMS[term] * truth for term, truth in truths.items()) / weight
