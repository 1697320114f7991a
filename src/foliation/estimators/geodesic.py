"""Geodesic forests: distances along the manifold that rows lie on, learned without labels."""

from __future__ import annotations

from typing import Literal

from foliation.analysis.comparison import Comparison
from foliation.analysis.embedding import Embedding, check_arguments, embed
from foliation.data.arrays import Bools, Data, Floats
from foliation.estimators import parameters
from foliation.estimators.forest import Forest
from foliation.model.settings import GEODESIC, MaxFeatures, MaxSamples
from foliation.printable import quoted
from foliation.projections.family import Given
from foliation.warn import warn


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
        Budget of extra candidates for a node in which no candidate looks bimodal, or spread as evenly as a manifold, in
        units of p feature reads. 0 disables it. The node stops at the first such candidate. If the budget is used up,
        the nodes below it get none. With ``screen=1``, p counts the features that pass. The raw criteria cannot tell
        clusters from noise: they use the budget only if no candidate can be cut.
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
        Neighbors that ``transform``, ``kneighbors`` and ``embed`` find if not told otherwise.
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
    projections_ : projections
        What the nodes drew from.
    model_ : foliation.model.model.Model
        The fitted forest as a value: trees, projections, grid, targets, sampling and seed.
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

    _parameter_constraints = parameters.GEODESIC
    _composition = GEODESIC

    affinity: Literal["leaf", "depth"]
    n_neighbors: int

    def __init__(
        self,
        n_estimators: int = 300,
        *,
        criterion: str = "fast_bic",
        projections: Given = None,
        splitter: str = "auto",
        max_features: MaxFeatures = "sqrt",
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
        max_samples: MaxSamples = None,
        affinity: str = "leaf",
        screen: float = 0.0,
        n_neighbors: int = 15,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Data = None,
        verbose: int = 0,
    ) -> None:
        self._store(locals())

    def fit(self, X: Data, y: Data = None) -> GeodesicForest:  # type: ignore[override]
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

    @property
    def screened_(self) -> Bools:
        """Features that the screen lets pass; only with ``screen`` above 0."""
        screened = self._fitted().screened
        if screened is None:
            raise AttributeError("this forest was fitted with screen=0")
        return screened

    def _comparison(self) -> Comparison:
        return Comparison(self._fitted(), self._machine(), self.affinity)

    def _n_neighbors(self, n_neighbors: int | None, default: int, most: int) -> int:
        if n_neighbors is None and self.n_neighbors > most:
            warn(f"n_neighbors={quoted(self.n_neighbors)} is more than there are; {most} are taken")
        return super()._n_neighbors(n_neighbors, self.n_neighbors, most)

    def embed(
        self,
        n_components: int = 2,
        method: Literal["spectral", "umap", "mds"] = "spectral",
        *,
        n_neighbors: int | None = None,
        random_state: Data = None,
    ) -> Floats:
        """Return coordinates in which near training rows are near.

        Parameters
        ----------
        n_components : int, default=2
            Number of coordinates.
        method : {"spectral", "umap", "mds"}, default="spectral"
            scikit-learn's ``SpectralEmbedding`` of the graph of nearest rows, with up to 8 times as many neighbors if
            it falls into parts; umap-learn's ``UMAP`` of it; scikit-learn's ``MDS`` of all distances, from classical
            scaling on, for few rows.
        n_neighbors : int, optional
            Neighbors in the graph; the forest's ``n_neighbors`` if not given.
        random_state : int, RandomState or None, default=None
            Seed of the embedding; that of the forest is its own.

        Returns
        -------
        array of shape (n, n_components)
        """
        how = self._comparison()
        most = how.n_training_rows - 1
        check_arguments(n_components, method, n_neighbors, most)
        k = most if method == "mds" else self._n_neighbors(n_neighbors, 0, most)
        return embed(how, Embedding(int(n_components), method, k, random_state))
