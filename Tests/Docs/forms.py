"""Ids, cursors, times and the like may be anything of their form."""
import re

# What differs from run to run, by its form.
FORMS = [
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "TIME"),
    (r"\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT", "DATE"),
    (r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID"),
    (r"\b[0-9a-z]{9,13}\.(\d+)\.[0-9a-f]{1,16}\b", r"CURSOR.\1.DIGEST"),
    (r"\b[0-9a-z]{9,13}\.(\d+)\b", r"CURSOR.\1"),
    (r"\b[0-9a-f]{64}\b", "SHA256"),
    (r"\b[0-9a-f]{32}\b", "TOKEN"),
    (r"\b[0-9a-f]{16}\b", "NUMBER"),
    (r"\bfr_[A-Za-z0-9_-]{30,}", "SECRET"),
    (r"retry: \d+", "retry: MS"),
    (r'"(durationMs|uptimeSeconds|expiresIn|bytes|free|after)":\d+', r'"\1":N'),
    (r"^(Age|Content-Length): \d+$", r"\1: N"),
    (r"\b\d+(\.\d+)? (ms|s|MiB|GiB|KiB|bytes)\b", "AMOUNT"),
]


def normal(line):
    for pattern, name in FORMS:
        line = re.sub(pattern, name, line)
    return line.rstrip()
