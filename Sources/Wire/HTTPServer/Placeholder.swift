// HTTPServer: replaced by its first real file.
