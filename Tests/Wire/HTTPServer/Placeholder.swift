// HTTPServer: replaced by its first real test.
