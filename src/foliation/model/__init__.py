"""A fitted forest as a value: plan, growth, trees, predictions, and what is known of the training rows."""
