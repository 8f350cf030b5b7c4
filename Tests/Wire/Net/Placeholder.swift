// Net: replaced by its first real test.
