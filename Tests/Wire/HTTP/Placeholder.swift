// HTTP: replaced by its first real test.
