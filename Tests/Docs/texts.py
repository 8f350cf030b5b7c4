"""What the pages call the parts that schemas refer to."""

NAMES = {
    "spec": "a [specification](conditions.md)",
    "credential": "a [credential](credentials.md)",
    "property": "a [property](types.md)",
    "member": "as a property, without `default`",
    "element": "as a property, without `default`",
}
