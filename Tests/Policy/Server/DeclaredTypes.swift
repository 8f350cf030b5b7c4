import FreshetCore
import FreshetJSON
import FreshetQuery
import Testing

@testable import FreshetConfig

/// The schema of a type as a configuration declares it.
func declaredType(_ name: String, _ text: String) throws -> TypeSchema {
    var reading = Reading()
    let found = TypeDeclaration.read(
        try #require(TypeName(name)), try JSONValue.parse(text), at: JSONPointer(), &reading)
    return try #require(found.schema, "\(reading.faults)")
}

/// The schemas of `types` of a configuration.
func declaredTypes(_ text: String) throws -> [TypeSchema] {
    var reading = Reading()
    let found = TypeDeclaration.all.read(try JSONValue.parse(text), JSONPointer(), &reading) ?? []
    try #require(reading.faults == [])
    return found.compactMap(\.schema)
}
