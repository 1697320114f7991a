"""Whether a forest is consistent, by its parameters."""

from __future__ import annotations

from foliation.analysis.consistency import Consistency, consistency
from foliation.data.arrays import Data
from foliation.estimators.forest import Forest
from foliation.printable import quoted


def consistent(forest: Forest, X: Data) -> Consistency:
    """Report which conditions for consistency the parameters of a forest meet, and what to change.

    They are Specifications 1 and 2 of the MORF paper: if they hold, and Assumptions 1 and 2, which are about the data,
    then probabilities and means go to the true ones as n grows, and the error to the Bayes error.

    Parameters
    ----------
    forest : ForestClassifier or ForestRegressor
        Need not be fitted.
    X : array of shape (n, p) or (n, *grid)
        Rows like those it is to be fitted on.

    Returns
    -------
    Consistency
        True if all conditions that can be checked hold; ``conditions`` lists them.

    Examples
    --------
    >>> import foliation as fo
    >>> X, y = fo.simulations.trunk(400, random_state=0)
    >>> bool(fo.consistent(fo.ForestClassifier(), X))
    False
    >>> forest = fo.ForestClassifier(
    ...     projections=fo.Mixture([fo.Axis(), fo.Sparse()]), honest=True, bootstrap=False,
    ...     max_samples=fo.subsample_exponent(0.8), min_balance=0.1, min_samples_leaf=5, max_features=1,
    ... )
    >>> bool(fo.consistent(forest, X))
    True
    """
    if not isinstance(forest, Forest):
        raise TypeError(f"forest={quoted(forest)}: expected a ForestClassifier or a ForestRegressor")
    forest._validate_params()
    return consistency(forest._settings(), X)
