"""Help texts as data: ``python -OO`` strips docstrings."""

from __future__ import annotations

APP = """Decision forests for data that lives on something: a line, a circle, an image, a grid, a graph.

Train a model on a file of rows, then use the model:

    foliation fit digits.npz -o digits.fol --projections image --test-size 0.2

    foliation describe digits.fol

    foliation predict digits.fol new.npz -o predictions.csv
"""

# By the names of the commands
COMMANDS = {
    "fit": """Train a forest on a file of rows and write it to a model file.

A target of labels, or of few distinct integers, gives a classifier; other numbers give a regressor; no target gives a
geodesic forest, which learns distances. --kind overrides this. By default, all threads are used, the seed is 0, and the
out-of-bag score is computed where it exists.

    foliation fit digits.npz -o digits.fol --projections image --test-size 0.2

    foliation fit wine.csv --target quality -o wine.fol --n-estimators 500
""",
    "predict": """Predict rows: classes with their probabilities, or numbers.

The columns of a table are matched by name; other columns are ignored.

    foliation predict wine.fol new.csv -o predictions.csv
""",
    "evaluate": """Score a model on rows that it has not seen: scores with 95 % intervals, confusion, calibration.

The columns of a table are matched by name; other columns are ignored.

    foliation evaluate wine.fol test.csv --target quality -o scores.json
""",
    "explain": """Show where a model looks: the importance of each feature, as a figure or as a table.

    foliation explain eeg.fol -o importance.png --channels C3,Cz,C4 --times -0.1:0.9
""",
    "describe": """Show what a model is: its training data, its trees, their atoms, and its out-of-bag score.

    foliation describe wine.fol
""",
    "report": """Write a report: scores, confusion, calibration, importances, trees, typical and atypical rows.

The report is one HTML file without external resources.

    foliation report wine.fol --data test.csv --target quality -o wine.html
""",
    "neighbors": """Find the nearest training rows of each row: one line per pair, with the distance.

    foliation neighbors helix.fol -k 10 -o neighbors.csv
""",
    "embed": """Compute coordinates of the training rows in which near rows are near; geodesic forests only.

    foliation embed helix.fol -o coordinates.csv
""",
    "demo": "Train RF, SPORF and MORF on four problems; print a table and draw a figure.",
}

# Parameters of the forests; choices and defaults are added by ``foliation.cli.parameters``
PARAMETERS = {
    "n_estimators": "Number of trees.",
    "criterion": "How a cut is scored.",
    "splitter": "How thresholds are searched.",
    "max_features": "Candidate projections per node: a number, a fraction of p, sqrt, log2 or none (p).",
    "max_depth": "Largest number of splits between the root and a leaf.",
    "min_samples_split": "Fewest rows of a node that may split; a number, or a fraction of n.",
    "min_samples_leaf": "Fewest rows on each side of a split; a number, or a fraction of n.",
    "min_weight_fraction_leaf": "Smallest share of the tree's weight on each side of a split.",
    "max_leaf_nodes": "Largest number of leaves of a tree.",
    "min_impurity_decrease": "Smallest decrease of impurity of a split, weighted by the node's share of the tree.",
    "min_balance": "Smallest share of a node's weight on each side of its split.",
    "bootstrap": "Whether each tree draws its rows with replacement.",
    "max_samples": "Rows that each tree draws; a number, or a fraction of n.",
    "oob_score": "Whether to compute the out-of-bag score.",
    "class_weight": "Weights of the classes: balanced, balanced_subsample, or {label: weight}.",
    "honest": "Whether structure and estimation samples are disjoint; a number is the share of structure samples.",
    "honest_fill": "Estimation samples of an honest tree: the rest of its sample, or its out-of-bag rows.",
    "honest_prior": "Value of a leaf that receives no estimation samples.",
    "warm_start": "Whether another fit adds trees to the existing ones.",
    "n_jobs": "Number of threads; -1 uses all.",
    "random_state": "Seed of all random draws.",
    "verbose": "1 shows a progress bar.",
    "variance_floor": "Smallest variance of a cluster, as a share of the node's variance.",
    "patience": "Budget of extra candidates for a node without a bimodal candidate, in units of p feature reads.",
    "affinity": "Proximity of two rows: whether they share a leaf, or the depth at which they part.",
    "screen": "Share of candidates drawn only from features that are not normally distributed.",
    "n_neighbors": "Default number of neighbors.",
}
