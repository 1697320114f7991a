"""SPORF and MORF: classes told apart on grids, on channels and in tables, beside the classifiers of the papers."""
