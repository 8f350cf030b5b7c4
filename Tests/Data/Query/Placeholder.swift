// Query: replaced by its first real test.
