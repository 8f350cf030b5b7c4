// Figures over the rows of a search: count, sum, avg, min and max, of all of them or by group.
//
// The answer depends on the rows alone, not on the way by which they were found, so that stores
// and plans agree to the byte:
// - Sums are exact: of integers, as the contract has it, and of decimals as well (0.1 + 0.2 is
//   0.3), since a sum of doubles depends on the order of its terms. avg is the exact quotient where
//   that ends within 34 digits, else the double nearest to it. What is no number is left out.
// - min and max are by the order of `order=`, over all kinds; null and absent are left out. They
//   are shown as stored; of equal values with two spellings (1 and 1.0) the shorter, then the
//   lesser by bytes.
// - Groups stand in the order of their first rows, and each key is spelled as in its first row.
// - The identifier counts as such: `sum(id)` adds integer ids however their JSON is spelled, min
//   and max use the order of ids.
//
// Rows come in runs of at most 64. One costs one look-up for the group's value, one probe of the
// table of values, and one look-up for each property, however many figures are of it. Up to 18 digits a number is added in
// 128 bits with a scale; longer ones and those with an exponent go to a `DecimalSum`. Values and
// first rows are places in documents that the search's view keeps.

import FreshetBase
import FreshetJSON
import FreshetQuery

/// Takes the rows of a search, then gives the rows of figures. Its owner's alone.
final class Aggregator {
    private var state: AggregatorState

    /// - Parameter order: The order of the answer; nil where rows arrive in it.
    init(_ aggregates: [Aggregate], by path: PropertyPath?, order: RowOrder?) {
        state = AggregatorState(aggregates, by: path, order: order)
    }

    /// Whether the number of rows is all that it asks for.
    var onlyCounts: Bool { state.onlyCounts }

    /// Takes a number of rows in of which nothing else is asked for.
    func add(rows count: Int) { state.add(rows: count) }

    /// Takes a row in.
    ///
    /// - Throws: `.answerTooLarge` past the groups, or the digits, that are kept.
    func add(_ document: Document) throws(EngineError) {
        try withUnsafePointer(to: document) { (row) throws(EngineError) in
            try add(UnsafeBufferPointer(start: row, count: 1), 1)
        }
    }

    /// Takes the rows of `run` in whose bits are set: property by property, so that memory is
    /// waited for once.
    ///
    /// - Parameter run: At most 64 rows.
    func add(_ run: UnsafeBufferPointer<Document>, _ mask: UInt64) throws(EngineError) {
        guard let first = run.baseAddress else { return }
        let addresses = Document.addresses(first)
        if mask.nonzeroBitCount == run.count {
            return try state.add(UnsafeBufferPointer(start: addresses, count: run.count))
        }
        try withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: run.count) {
            (rows) throws(EngineError) in
            var count = 0
            var left = mask
            while left != 0 {
                rows.initializeElement(at: count, to: addresses[left.trailingZeroBitCount])
                count += 1
                left &= left - 1
            }
            try state.add(UnsafeBufferPointer(rebasing: rows[..<count]))
        }
    }

    /// Writes rows of figures, as many as `limit` rows of a scan take, and takes that off it.
    ///
    /// - Returns: All rows, once they are written.
    func encode(_ limit: inout Int) throws(EngineError) -> AggregateRows? {
        try state.encode(&limit)
    }
}

private struct AggregatorState {
    /// What all exact sums of one query may hold: 32 MB.
    private static let maximumLimbs = 4 << 20
    /// What the figures may take while they are made; and what their rows may take, with keys that may
    /// be a megabyte each.
    private static let maximumBytes = 64 << 20

    /// One figure of each row.
    private struct Figure {
        let function: Aggregate.Function
        /// The place of its property among `columns`; -1 for `count`.
        let column: Int
        /// `"sum(points)":`
        let label: [UInt8]
    }

    /// One property that figures are of.
    private struct Column {
        let finder: MemberFinder
        /// Whether this is the identifier, which counts and compares as such.
        let isID: Bool
        var wantsSum = false
        /// The places of its extremes among those of a group; -1 where they are not asked for.
        var least = -1
        var greatest = -1
    }

    private struct Group {
        var count = 0
        /// The address of the first row; nil before it.
        var first: UnsafeRawPointer?
    }

    /// The numbers of one column in one group.
    private struct Sum {
        /// Their sum times 10^scale, but for what is in `sums[spill]`.
        var units: Int128 = 0
        var count = 0
        var scale: Int32 = 0
        var spill: Int32 = -1
    }

    /// The least or the greatest value of one column in one group.
    private struct Extreme {
        var value = ValueTable.absent
        /// The row that it is of; nil where there is none.
        var row: UnsafeRawPointer?
        /// The value, where it is a plain integer.
        var integer: Int64 = 0
        var isInteger = false
    }

    private let group: MemberFinder?
    /// nil where rows arrive in the order of the answer.
    private let order: RowOrder?
    private let figures: [Figure]
    private let columns: [Column]
    private let extremesPerGroup: Int
    /// As many groups as there is room for with all their figures.
    private let mostGroups: Int

    private var table = ValueTable()
    private var groups: [Group] = []
    /// For each group one for each column.
    private var sums: [Sum] = []
    private var extremes: [Extreme] = []
    private var spills: [DecimalSum] = []
    private var limbs = 0

    private var rows: AggregateRows
    /// The groups on their way into the order of the answer, once all rows have come.
    private var sort: GroupSort?
    /// The groups in that order.
    private var places: [Int]?

    /// - Parameter order: The order of the answer; nil where rows arrive in it.
    init(_ aggregates: [Aggregate], by path: PropertyPath?, order: RowOrder?) {
        var columns: [Column] = []
        var columnOf: [PropertyPath: Int] = [:]
        var figures: [Figure] = []
        var extremes = 0
        for aggregate in aggregates {
            var label = ByteBuffer(capacity: 32)
            label.append(jsonString: aggregate.description)
            label.append(":")
            var column = -1
            if let path = aggregate.path {
                column = columnOf[path] ?? columns.count
                if column == columns.count {
                    columns.append(Column(finder: MemberFinder(path), isID: path.isID))
                }
                columnOf[path] = column
            }
            switch aggregate.function {
            case .count: break
            case .sum, .avg: columns[column].wantsSum = true
            case .min:
                columns[column].least = extremes
                extremes += 1
            case .max:
                columns[column].greatest = extremes
                extremes += 1
            }
            figures.append(
                Figure(function: aggregate.function, column: column, label: Array(label.bytes)))
        }
        group = path.map { MemberFinder($0) }
        self.order = order
        self.figures = figures
        self.columns = columns
        extremesPerGroup = extremes
        let bytesPerGroup =
            columns.count * MemoryLayout<Sum>.stride + extremes * MemoryLayout<Extreme>.stride
        mostGroups = Self.maximumBytes / max(1, bytesPerGroup)
        rows = AggregateRows(isGrouped: path != nil)
        if path == nil { addGroup() }
    }

    /// Whether the number of rows is all that it asks for.
    var onlyCounts: Bool { group == nil && columns.isEmpty }

    /// Takes a number of rows in of which nothing else is asked for.
    mutating func add(rows count: Int) {
        groups[0].count += count
    }

    private mutating func addGroup() {
        groups.append(Group())
        for _ in columns { sums.append(Sum()) }
        for _ in 0..<extremesPerGroup { extremes.append(Extreme()) }
    }

    /// Takes rows in, given by their addresses.
    ///
    /// - Throws: `.answerTooLarge` past the groups, or the digits, that are kept.
    mutating func add(_ rows: UnsafeBufferPointer<UnsafeRawPointer>) throws(EngineError) {
        try withUnsafeTemporaryAllocation(of: JSONView.self, capacity: rows.count) {
            (values) throws(EngineError) in
            try withUnsafeTemporaryAllocation(of: Int.self, capacity: rows.count) {
                (numbers) throws(EngineError) in
                try add(rows, numbers, values)
            }
        }
    }

    /// - Parameters:
    ///   - numbers: Room for each row's group.
    ///   - values: Room for each row's value.
    private mutating func add(
        _ rows: UnsafeBufferPointer<UnsafeRawPointer>, _ numbers: UnsafeMutableBufferPointer<Int>,
        _ values: UnsafeMutableBufferPointer<JSONView>
    ) throws(EngineError) {
        guard let addresses = rows.baseAddress, let found = values.baseAddress else { return }
        if let group {
            group.values(at: addresses, count: rows.count, into: found)
            for row in rows.indices { numbers[row] = try number(of: values[row], rows[row]) }
        } else {
            numbers.initialize(repeating: 0)
        }
        for row in rows.indices { groups[numbers[row]].count += 1 }
        for index in columns.indices {
            columns[index].finder.values(at: addresses, count: rows.count, into: found)
            for row in rows.indices where !values[row].isNull {
                try add(values[row], index, group: numbers[row], rows[row])
            }
        }
    }

    /// The group of the value of a row, which is its first one or not.
    private mutating func number(
        of value: JSONView, _ row: UnsafeRawPointer
    ) throws(EngineError) -> Int {
        guard let (number, isNew) = table.number(of: value) else {
            throw .answerTooLarge(
                parameter: "group", "there are more than \(ValueTable.maximumCount) groups")
        }
        if isNew {
            guard groups.count < mostGroups else {
                throw .answerTooLarge(
                    parameter: "aggregate",
                    "so many figures are kept of \(mostGroups) groups, and there are more")
            }
            addGroup()
            groups[number].first = row
        } else if let order, let first = groups[number].first,
            order.compare(Document(at: row), Document(at: first)) < 0
        {
            groups[number].first = row
        }
        return number
    }

    @inline(__always)
    private mutating func add(
        _ value: JSONView, _ index: Int, group: Int, _ row: UnsafeRawPointer
    ) throws(EngineError) {
        var number = PlainDecimal(value.bytes)
        let isID = columns[index].isID
        if isID {
            number = Document(at: row).integerID.map { PlainDecimal(mantissa: $0, scale: 0) }
        }
        if columns[index].wantsSum {
            let place = group * columns.count + index
            if let number {
                sums[place].count += 1
                add(number, at: place)
            } else if value.kind == .number, !isID {
                sums[place].count += 1
                try add(long: value.bytes, at: place)
            }
        }
        let (least, greatest) = (columns[index].least, columns[index].greatest)
        guard least >= 0 || greatest >= 0 else { return }
        let integer = number.flatMap { $0.scale == 0 ? $0.mantissa : nil }
        let offered = Extreme(
            value: value, row: row, integer: integer ?? 0, isInteger: integer != nil)
        let base = group * extremesPerGroup
        if least >= 0 { offer(offered, at: base + least, isID: isID, isLeast: true) }
        if greatest >= 0 { offer(offered, at: base + greatest, isID: isID, isLeast: false) }
    }

    // MARK: Sums

    @inline(__always)
    private mutating func add(_ number: PlainDecimal, at place: Int) {
        if number.scale == sums[place].scale {
            let (sum, overflow) = sums[place].units.addingReportingOverflow(
                Int128(number.mantissa))
            if !overflow {
                sums[place].units = sum
                return
            }
        }
        addScaled(number, at: place)
    }

    /// Brings both to the larger scale. Where that needs more than 128 bits, what there is so far
    /// goes to an exact sum, and the count of units begins anew.
    private mutating func addScaled(_ number: PlainDecimal, at place: Int) {
        let scale = max(number.scale, sums[place].scale)
        let units = PlainDecimal.scaled(sums[place].units, by: scale - sums[place].scale)
        let added = PlainDecimal.scaled(Int128(number.mantissa), by: scale - number.scale)
        if let units, let added {
            let (sum, overflow) = units.addingReportingOverflow(added)
            if !overflow {
                sums[place].units = sum
                sums[place].scale = scale
                return
            }
        }
        let spill = spill(of: place)
        let size = spills[spill].size
        spills[spill].add(sums[place].units, scale: Int(sums[place].scale))
        limbs += spills[spill].size - size
        sums[place].units = Int128(number.mantissa)
        sums[place].scale = number.scale
    }

    private mutating func add(
        long text: UnsafeRawBufferPointer, at place: Int
    ) throws(EngineError) {
        let spill = spill(of: place)
        let size = spills[spill].size
        guard spills[spill].add(text) else {
            throw .answerTooLarge(
                parameter: "aggregate",
                "a number has more than \(DecimalSum.maximumPlaces) places before or behind the "
                    + "point, which is not added up")
        }
        limbs += spills[spill].size - size
        guard limbs <= Self.maximumLimbs else {
            throw .answerTooLarge(
                parameter: "aggregate", "the sums have more digits than this server keeps")
        }
    }

    private mutating func spill(of place: Int) -> Int {
        if sums[place].spill < 0 {
            sums[place].spill = Int32(spills.count)
            spills.append(DecimalSum())
        }
        return Int(sums[place].spill)
    }

    private func sum(at place: Int) -> DecimalSum {
        let sum = sums[place]
        var exact = sum.spill < 0 ? DecimalSum() : spills[Int(sum.spill)]
        exact.add(sum.units, scale: Int(sum.scale))
        return exact
    }

    // MARK: Extremes

    private mutating func offer(_ offered: Extreme, at place: Int, isID: Bool, isLeast: Bool) {
        let current = extremes[place]
        if let row = offered.row, let other = current.row {
            var difference: Int
            if offered.isInteger, current.isInteger {
                difference =
                    offered.integer < current.integer
                    ? -1 : offered.integer > current.integer ? 1 : 0
            } else if isID {
                difference = EntityID.compare(
                    Document(at: row).idBytes, Document(at: other).idBytes)
            } else {
                difference = ValueOrder.compare(offered.value, current.value)
            }
            if !isLeast { difference = -difference }
            if difference > 0 { return }
            if difference == 0, !Self.isSpelledBefore(offered.value, current.value) { return }
        }
        extremes[place] = offered
    }

    /// Which of two spellings of one value is shown: the shorter, then the lesser by bytes.
    private static func isSpelledBefore(_ left: JSONView, _ right: JSONView) -> Bool {
        if left.bytes.count != right.bytes.count { return left.bytes.count < right.bytes.count }
        return left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    // MARK: Outcome

    /// What a figure costs beside a row of a scan: about 1 µs, most of it division.
    private static let rowsPerFigure = 8

    mutating func encode(_ limit: inout Int) throws(EngineError) -> AggregateRows? {
        guard let places = order(&limit) else { return nil }
        while rows.count < places.count, limit > 0 {
            limit -= Self.rowsPerFigure * figures.count
            encode(places[rows.count])
            guard rows.bytes.count <= Self.maximumBytes else {
                throw .answerTooLarge(
                    parameter: "aggregate", "the figures take more than 64 MiB")
            }
        }
        return rows.count == places.count ? rows : nil
    }

    /// The groups in the order of the answer, once it is found.
    private mutating func order(_ limit: inout Int) -> [Int]? {
        if let places { return places }
        if let order, group != nil {
            if sort == nil { sort = GroupSort(groups.map(\.first), by: order) }
            places = sort?.run(&limit)
            if places != nil { sort = nil }
        } else {
            places = Array(groups.indices)
        }
        return places
    }

    private mutating func encode(_ index: Int) {
        rows.bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        if let group, let first = groups[index].first {
            rows.bytes += Array("\"key\":".utf8)
            rows.bytes += ValueTable.spelled(group.value(in: Document(at: first)))
            isFirst = false
        }
        for figure in figures {
            if !isFirst { rows.bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            rows.bytes += figure.label
            appendValue(of: figure, in: index)
        }
        rows.bytes.append(UInt8(ascii: "}"))
        rows.ends.append(rows.bytes.count)
    }

    private mutating func appendValue(of figure: Figure, in index: Int) {
        switch figure.function {
        case .count:
            rows.bytes += Array("\(groups[index].count)".utf8)
        case .sum:
            rows.bytes += sum(at: index * columns.count + figure.column).value.spelled
        case .avg:
            let place = index * columns.count + figure.column
            let count = sums[place].count
            rows.bytes +=
                count == 0 ? Array("null".utf8) : sum(at: place).average(of: count).spelled
        case .min:
            let place = index * extremesPerGroup + columns[figure.column].least
            rows.bytes += extremes[place].value.bytes
        case .max:
            let place = index * extremesPerGroup + columns[figure.column].greatest
            rows.bytes += extremes[place].value.bytes
        }
    }
}

/// Rows of figures, each one JSON object.
package struct AggregateRows: Sendable {
    /// Whether there is a row for each group; else there is one of all.
    package let isGrouped: Bool
    /// The objects, one behind the other.
    package fileprivate(set) var bytes: [UInt8] = []
    /// Where each object ends.
    fileprivate var ends: [Int] = []

    fileprivate init(isGrouped: Bool) {
        self.isGrouped = isGrouped
    }

    package var count: Int { ends.count }

    /// The bytes of row `index` in `bytes`.
    package func place(of index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }
}

/// A number of at most 18 digits without an exponent.
struct PlainDecimal {
    let mantissa: Int64
    /// Digits behind the point.
    let scale: Int32

    @inline(__always)
    init(mantissa: Int64, scale: Int32) {
        self.mantissa = mantissa
        self.scale = scale
    }

    /// - Parameter text: A canonical value; nil where it is no such number.
    @inline(__always)
    init?(_ text: UnsafeRawBufferPointer) {
        guard let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
        let count = text.count
        let isNegative = start[0] == UInt8(ascii: "-")
        var index = isNegative ? 1 : 0
        // 18 digits and a point.
        guard count > index, count - index <= 19 else { return nil }
        var value: Int64 = 0
        var digits: Int32 = 0
        var point: Int32 = -1
        while index < count {
            let digit = start[index] &- UInt8(ascii: "0")
            if digit <= 9 {
                value = value &* 10 &+ Int64(digit)
                digits &+= 1
            } else if start[index] == UInt8(ascii: "."), point < 0 {
                point = digits
            } else {
                return nil
            }
            index += 1
        }
        guard digits <= 18, digits > 0 else { return nil }
        self.init(
            mantissa: isNegative ? -value : value, scale: point < 0 ? 0 : digits - point)
    }

    /// `units` × 10^places; nil where that needs more than 128 bits.
    static func scaled(_ units: Int128, by places: Int32) -> Int128? {
        var scaled = units
        for _ in 0..<places {
            let (product, overflow) = scaled.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            scaled = product
        }
        return scaled
    }
}
