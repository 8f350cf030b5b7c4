// Store: replaced by its first real file.
