// Core: replaced by its first real test.
