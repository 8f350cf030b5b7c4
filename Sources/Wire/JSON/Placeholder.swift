// JSON: replaced by its first real file.
