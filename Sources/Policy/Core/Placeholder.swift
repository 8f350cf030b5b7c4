// Core: replaced by its first real file.
