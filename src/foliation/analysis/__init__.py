"""What a model can be asked: proximities, neighbors, weights, intervals, importances, atoms. Functions of a Model."""
