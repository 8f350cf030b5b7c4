// Live: replaced by its first real file.
