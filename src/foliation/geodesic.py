"""Geodesic forests: distances along the manifold that rows lie on, learned without labels."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from foliation import spec
from foliation._sklearn import Interval, StrOptions, check_is_fitted, clone
from foliation.ancestry import Ancestry
from foliation.embedding import check_arguments, embed
from foliation.forest import Forest, Given
from foliation.grid import Grid
from foliation.meetings import Arrivals, Meetings
from foliation.presets import resolve
from foliation.projections import Mixture, Projections, Sparse
from foliation.screening import departs_from_normal, screened
from foliation.targets import Targets, no_targets

_RAW = ("two_means_raw", "fast_bic_raw")


class GeodesicForest(Forest):
    """A forest that finds which rows are near each other on a manifold, also among much noise.

    The same trees, projections and promises as ``ForestClassifier``, but nodes are cut where the projected values
    themselves fall into two clusters. Rows that often share a leaf are near.

    Parameters
    ----------
    n_estimators : int, default=300
        Number of trees.
    criterion : {"fast_bic", "two_means", "mclust_bic", "fast_bic_raw", "two_means_raw"}, default="fast_bic"
        How two clusters of projected values are scored. ``"fast_bic"``: the BIC of one Gaussian minus that of two, a
        cut parting them, with one variance or two. ``"two_means"``: the sum of squares that a cut explains, over the
        node's. ``"mclust_bic"``: as ``"fast_bic"`` for a mixture of two Gaussians, fitted by EM; the cut lies where
        both are equally likely. These do not change when a projection is shifted or scaled. The raw forms rank
        projections as the paper prints it, by the BIC of the two Gaussians and by the sum of squares within clusters:
        both prefer projections with a small variance, whatever their shape.
    projections : projections, str or None, default=None
        What nodes draw from, as in ``ForestClassifier``; but None is ``Sparse(density=1/20)`` for rows of any
        shape.
    splitter : {"auto", "exact"}, default="auto"
        Whether nodes of more than 256 rows are cut by 256 of them, drawn at random, or all nodes by all of their rows.
        Gains of the former are those of the 256 rows, times n / 256.
    max_features : int, float, {"sqrt", "log2"} or None, default="sqrt"
        Candidate projections for each node: a number, a fraction of p that may pass 1, a function of p, or p; nodes
        without clusters draw further ones, see ``patience``. More of them find a little more among much noise, and take
        longer: of the nearest 50 on a helix with 1,000 noise dimensions single features find .80 by ``"sqrt"`` and .86
        by 300, in 1.7 times the time. With little noise they find less: on handwritten digits .60 and .35.
    max_depth : int or None, default=None
        Most splits between the root and a leaf.
    min_samples_split : int, float or None, default=None
        Fewest rows of a node that may split; a float is a fraction of n. None is 100, but at most an eighth of n.
    min_samples_leaf : int or float, default=4
        Smallest cluster in rows; a float is a fraction of n.
    min_weight_fraction_leaf : float, default=0.0
        Least share of the tree's weight on each side of a split.
    max_leaf_nodes : int or None, default=None
        Most leaves of a tree; the splits with the largest gain are made first.
    min_impurity_decrease : float, default=0.0
        Least gain of a split over the number of rows that grow the tree; with 0, gains never stop a node.
    min_balance : float, default=0.1
        Smallest cluster as a share of the node's weight, or of the rows that it is cut by. Where there are no clusters
        the best cut takes off as few rows as it may: a smaller share makes deeper trees, in more time, that part single
        outliers from the rest, and can cut features that are the same in nearly all rows.
    variance_floor : float, default=0.001
        Least variance of a cluster as a share of the node's: without it, two rows that are nearly equal make the best
        of all clusters.
    patience : float, default=5.0
        How long a node draws on if none of its candidates shows clusters, nor values spread as evenly as on a
        manifold: until one does, or until further candidates have read this many times p features in all (of those that
        pass, with a screen of 1). If that was in vain, the nodes below it do not draw on. The raw criteria cannot tell,
        and draw on only if no candidate can be cut.
    bootstrap : bool, default=True
        Whether each tree draws its rows with replacement.
    max_samples : int, float, callable or None, default=None
        Rows each tree draws; a float is a fraction of n, a callable gives the number for n. Without ``bootstrap`` they
        are drawn without replacement.
    affinity : {"leaf", "depth"}, default="leaf"
        What the proximity of two rows is, on average over the trees: whether they share a leaf, or how deep they part,
        ``2 c / (d + e)`` for leaves ``d`` and ``e`` splits deep that part ``c`` splits deep. The second compares all
        rows with all.
    screen : float, default=0.0
        Share of candidates that are drawn only from features which are not normally distributed, by tests at the level
        .05 for all features together; for ``Axis`` and ``Sparse``, which then draw independently. With a share of 1
        ``max_features`` counts those features only. Presumes that noise is Gaussian and signal is not.
    n_neighbors : int, default=15
        Neighbours that ``transform``, ``kneighbors`` and ``embed`` find if not told otherwise.
    warm_start : bool, default=False
        Whether a second ``fit`` adds trees to those that are there.
    n_jobs : int or None, default=None
        Number of threads, as joblib reads it.
    random_state : int, RandomState or None, default=None
        Seed of all draws.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a row: of columns, or of cells of its grid.
    feature_names_in_ : array of str
        Names of the columns of a data frame; only if all of them are strings.
    grid_shape_ : tuple of int
        Shape of the grid that importances are given in, but for an axis of views. Rows to predict may have it or be
        flat.
    view_exponents_ : array of int
        Exponents of the powers of two that the views were multiplied by; empty if the projections have no views.
    projections_ : projections
        What the nodes drew from.
    trees_ : dict of arrays
        All trees one after the other; ``tree`` gives one of them.
    seed_ : int
        What all draws follow from.
    screened_ : array of bool, shape (p,)
        Features that the screen lets pass; only with ``screen`` above 0.

    Examples
    --------
    >>> import foliation as fo
    >>> helix = fo.simulations.helix(200, noise_dimensions=10, random_state=0)
    >>> forest = fo.GeodesicForest(50, random_state=0).fit(helix.points)
    >>> distances, indices = forest.kneighbors(n_neighbors=5)
    >>> distances.shape
    (200, 5)
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        **{
            name: allowed
            for name, allowed in Forest._parameter_constraints.items()
            if not name.startswith("honest") and name != "oob_score"
        },
        "criterion": [StrOptions({"fast_bic", "two_means", "mclust_bic", *_RAW})],
        "splitter": [StrOptions({"auto", "exact"})],
        "bootstrap": ["boolean"],
        "min_samples_split": [*Forest._parameter_constraints["min_samples_split"], None],
        "variance_floor": [Interval(Real, 1e-9, 1.0, closed="both")],
        "patience": [Interval(Real, 0.0, None, closed="left")],
        "affinity": [StrOptions({"leaf", "depth"})],
        "screen": [Interval(Real, 0.0, 1.0, closed="both")],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
    }
    honest = False
    honest_fill = "sample"
    honest_prior = "ancestor"
    oob_score = False

    def __init__(
        self,
        n_estimators: int = 300,
        *,
        criterion: str = "fast_bic",
        projections: Any = None,
        splitter: str = "auto",
        max_features: Any = "sqrt",
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float = 4,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        min_balance: float = 0.1,
        variance_floor: float = 0.001,
        patience: float = 5.0,
        bootstrap: bool = True,
        max_samples: float | Callable[[int], int] | None = None,
        affinity: str = "leaf",
        screen: float = 0.0,
        n_neighbors: int = 15,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self._store(locals())

    affinity: str
    screen: float
    n_neighbors: int

    def fit(self, X: Any, y: Any = None) -> Any:  # type: ignore[override]
        """Grow the forest.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid), or a data frame
            Training rows. Number types are kept, nothing is copied that need not be.
        y : ignored
            There for pipelines.

        Returns
        -------
        self
        """
        return super().fit(X, None)

    _learns = "nothing"

    def _targets(self, y: Any) -> Targets:
        return no_targets()

    def _fit(self, X: Any, y: Any, sample_weight: Any, groups: Any) -> None:
        if hasattr(self, "screened_"):
            del self.screened_
        super()._fit(X, y, sample_weight, groups)
        self.criterion_ = self.criterion
        if not len(self.trees_["threshold"]):
            n = self.sampling_["n_rows"]
            rules = spec.rules(self, n, self.n_features_in_)
            least = max(rules["min_samples_split"], 2 * rules["min_samples_leaf"])
            sampling = self._core_sampling()
            n_drawn = max(len(np.unique(sampling.rows(tree))) for tree in range(self._n_trees))
            few = (
                f"nodes of fewer than {least} rows are not split" if n_drawn < least else "no legal cut parts its rows"
            )
            warnings.warn(f"all {n} rows of X are in one leaf: {few}", stacklevel=5)

    def _check_same(self, given: Given) -> None:
        super()._check_same(given)
        if self.criterion_ != self.criterion:
            raise ValueError(f'warm_start=True needs criterion="{self.criterion_}" as in the first fit')

    def _n_features_drawn(self, n_features: int) -> int:
        some = self.screen == 1 and self.screened_.any()
        return int(self.screened_.sum()) if some else n_features

    def _min_samples_split(self, n_rows: int) -> float:
        return max(2, min(100, n_rows // 8)) if self.min_samples_split is None else self.min_samples_split

    def _projections(self, X: NDArray[Any], grid: Grid) -> Projections:
        given = Sparse(density=1 / 20) if self.projections is None else clone(resolve(self.projections, grid))
        if self.screen == 0:
            return given
        self.screened_ = departs_from_normal(X)
        some = screened(given, self.screened_)
        if not self.screened_.any():
            warnings.warn("no feature departs from a normal distribution: screen has no effect", stacklevel=7)
            return given
        return some if self.screen == 1 else Mixture([some, given], p=[self.screen, 1 - self.screen])

    def _meetings(self, given: Arrivals, others: Arrivals) -> Meetings | Ancestry:
        return Ancestry(given, others, self.trees_) if self.affinity == "depth" else super()._meetings(given, others)

    def _n_neighbors(self, wanted: Any, usual: int, most: int) -> int:
        if wanted is None and self.n_neighbors > most:
            warnings.warn(f"n_neighbors={self.n_neighbors} is more than there are; {most} are taken", stacklevel=3)
        return super()._n_neighbors(wanted, self.n_neighbors, most)

    def importance(self, kind: Literal["count", "gain"] = "count", *, normalize: bool = True) -> NDArray[np.float64]:
        """Return how much each feature matters, in the shape of the grid.

        Parameters
        ----------
        kind : {"count", "gain"}, default="count"
            ``"count"``: how many splits use the feature. ``"gain"``: each split's gain where it is positive, shared out
            over its features by absolute weight, normalised within each tree and averaged; not for raw criteria,
            whose scores are no gains.
        normalize : bool, default=True
            Divide by the sum, as in ``ForestClassifier``.

        Returns
        -------
        array in the shape of the grid, after an axis of views if the projections have views
            All zero if no tree has a split.
        """
        check_is_fitted(self)
        if kind == "gain" and self.criterion_ in _RAW:
            raise ValueError(f'criterion="{self.criterion_}" has scores, not gains; importance("count") counts splits')
        return super().importance(kind, normalize=normalize)

    def embed(
        self,
        n_components: int = 2,
        method: Literal["spectral", "umap", "mds"] = "spectral",
        *,
        n_neighbors: int | None = None,
        random_state: Any = None,
    ) -> NDArray[np.float64]:
        """Return coordinates in which near training rows are near.

        Parameters
        ----------
        n_components : int, default=2
            Number of coordinates.
        method : {"spectral", "umap", "mds"}, default="spectral"
            scikit-learn's ``SpectralEmbedding`` of the graph of nearest rows, with up to 8 times as many neighbours if
            it falls into parts; umap-learn's ``UMAP`` of it; scikit-learn's ``MDS`` of all distances, from classical
            scaling on, for few rows.
        n_neighbors : int, optional
            Neighbours in the graph; the forest's ``n_neighbors`` if not given.
        random_state : int, RandomState or None, default=None
            Seed of the embedding; that of the forest is its own.

        Returns
        -------
        array of shape (n, n_components)
        """
        check_is_fitted(self)
        most = int(self.sampling_["n_rows"]) - 1
        check_arguments(n_components, method, n_neighbors, most)
        k = most if method == "mds" else self._n_neighbors(n_neighbors, 0, most)
        return embed(self, int(n_components), method, k, random_state)
