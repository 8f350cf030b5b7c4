// JSON: replaced by its first real test.
