"""The simulations of the MORF paper: errors, complexity of trees, misspecified patches, time."""
