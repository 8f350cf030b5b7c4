// Live: replaced by its first real test.
