// Server: replaced by its first real test.
