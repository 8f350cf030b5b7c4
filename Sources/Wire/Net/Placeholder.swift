// Net: replaced by its first real file.
