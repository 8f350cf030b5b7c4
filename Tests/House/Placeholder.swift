// House: replaced by its first real test.
