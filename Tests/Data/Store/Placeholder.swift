// Store: replaced by its first real test.
