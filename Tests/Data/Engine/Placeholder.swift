// Engine: replaced by its first real test.
