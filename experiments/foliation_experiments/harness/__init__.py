"""What experiments and benchmarks run on: runs that can be resumed, environments of peers, data, pages."""
