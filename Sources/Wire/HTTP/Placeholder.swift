// HTTP: replaced by its first real file.
