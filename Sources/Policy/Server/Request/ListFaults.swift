/// The faults of a body of many entities, gathered so that one answer names all of them.
struct ListFaults {
    /// The most faults that an answer names.
    static let most = 100

    /// The problem of the first element at fault, with the faults of all.
    private(set) var problem: Problem?
    private var elements = 0

    var isEmpty: Bool { problem == nil }

    /// No more faults are named: the rest of the body need not be looked at.
    var isFull: Bool { (problem?.errors.count ?? 0) >= Self.most }

    /// Adds what is wrong with an element; its errors say where that stands.
    ///
    /// - Throws: `fault` where it is none of the element alone: the caller may not write, or the
    ///   server cannot.
    mutating func add(_ fault: Problem) throws(Problem) {
        guard fault.status < 500, fault.status != 401, fault.status != 403 else { throw fault }
        elements += 1
        guard var first = problem else {
            problem = fault
            return
        }
        first.errors = Array((first.errors + fault.errors).prefix(Self.most))
        problem = first
    }

    /// - Throws: The problem of all elements at fault, where there are any.
    func check() throws(Problem) {
        guard var problem else { return }
        if elements > 1 {
            problem.detail +=
                isFull
                ? "; the first \(Self.most) faults are named" : "; \(elements) elements have faults"
        }
        throw problem
    }
}
