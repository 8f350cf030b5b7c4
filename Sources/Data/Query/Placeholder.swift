// Query: replaced by its first real file.
