// Server: replaced by its first real file.
