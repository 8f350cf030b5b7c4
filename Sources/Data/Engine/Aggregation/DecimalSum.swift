import FreshetBase
import FreshetJSON

/// A sum of decimal numbers of any length, exact.
///
/// The digits stand in limbs of nine, base 10^9, around a fixed point: limb `i` counts multiples of
/// 10^(9·(low + i)). A limb is signed and holds more than nine digits between two carries, so that
/// adding is adding digits limb by limb, in any order with the same outcome.
struct DecimalSum {
    /// Places before and behind the point that a number may reach. Far past what a double can say
    /// (308 and 324); without a bound 1e999999999 would be a gigabyte of digits.
    static let maximumPlaces = 4096

    private static let base: Int64 = 1_000_000_000
    private static let places = 9
    /// Additions between two carries: 2^32 × 10^9 is under 2^63.
    private static let addsPerCarry = 1 << 32

    private var limbs: [Int64] = []
    /// The place of the first limb, in limbs from the point.
    private var low = 0
    private var adds = 0

    /// Limbs in use: eight bytes each.
    var size: Int { limbs.count }

    /// Adds the number that `text` spells.
    ///
    /// - Returns: false, with nothing added, where it reaches past `maximumPlaces`.
    mutating func add(_ text: UnsafeRawBufferPointer) -> Bool {
        let number = JSONNumber.Digits(text)
        guard number.sign != 0 else { return true }
        guard number.magnitude <= Self.maximumPlaces,
            number.magnitude - number.count >= -Self.maximumPlaces
        else { return false }
        addDigits(number, count: number.count, magnitude: number.magnitude)
        return true
    }

    /// Adds `units` × 10^-scale.
    ///
    /// - Parameter scale: 0...18.
    mutating func add(_ units: Int128, scale: Int) {
        guard units != 0 else { return }
        let sign: Int64 = units < 0 ? -1 : 1
        var rest = units.magnitude
        var place = -scale
        reserve(from: place, to: place + 39)
        countAddition()
        while rest > 0 {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            add(digit: sign * Int64(digit), at: place)
            rest = quotient
            place += 1
        }
    }

    private mutating func addDigits(_ number: JSONNumber.Digits, count: Int, magnitude: Int) {
        reserve(from: magnitude - count, to: magnitude)
        countAddition()
        var digits = number.cursor
        let sign = Int64(number.sign)
        var place = magnitude - 1
        for _ in 0..<count {
            add(digit: sign * Int64(digits.next()), at: place)
            place -= 1
        }
    }

    private static let powers: [Int64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
    ]

    /// The limb of the decimal place 10^place.
    private static func limb(of place: Int) -> Int {
        place >= 0 ? place / places : (place - places + 1) / places
    }

    @inline(__always)
    private mutating func add(digit: Int64, at place: Int) {
        let limb = Self.limb(of: place)
        limbs[limb - low] += digit * Self.powers[place - limb * Self.places]
    }

    /// Makes room for the places `from` up to, not including, `to`.
    private mutating func reserve(from: Int, to: Int) {
        let first = Self.limb(of: from)
        let last = Self.limb(of: max(from, to - 1))
        if limbs.isEmpty { low = first }
        if first < low {
            limbs.insert(contentsOf: repeatElement(0, count: low - first), at: 0)
            low = first
        }
        let missing = last - low + 1 - limbs.count
        if missing > 0 { limbs.append(contentsOf: repeatElement(0, count: missing)) }
    }

    private mutating func countAddition() {
        adds += 1
        guard adds >= Self.addsPerCarry else { return }
        carry()
        adds = 1
    }

    /// Brings all limbs but the last into 0..<base; the last keeps the sign.
    private mutating func carry() {
        guard !limbs.isEmpty else { return }
        for index in 0..<limbs.count - 1 {
            var (quotient, rest) = limbs[index].quotientAndRemainder(dividingBy: Self.base)
            if rest < 0 {
                rest += Self.base
                quotient -= 1
            }
            limbs[index] = rest
            limbs[index + 1] += quotient
        }
        while let last = limbs.last, last >= Self.base || last <= -Self.base {
            var (quotient, rest) = last.quotientAndRemainder(dividingBy: Self.base)
            if rest < 0 {
                rest += Self.base
                quotient -= 1
            }
            limbs[limbs.count - 1] = rest
            limbs.append(quotient)
        }
    }

    // MARK: Outcome

    /// The sum.
    var value: DecimalText {
        var sum = self
        sum.carry()
        let isNegative = (sum.limbs.last { $0 != 0 } ?? 0) < 0
        if isNegative {
            for index in sum.limbs.indices { sum.limbs[index].negate() }
            sum.carry()
        }
        return DecimalText(limbs: sum.limbs.reversed(), low: sum.low, isNegative: isNegative)
    }

    /// The sum divided by `count`: exact where the quotient ends within 34 significant digits (the
    /// precision of IEEE 754 decimal128), else the nearest double.
    ///
    /// - Parameter count: 1 up to 2^32.
    func average(of count: Int) -> DecimalText {
        let sum = value
        var quotient: [Int64] = []
        var rest: Int64 = 0
        // Limbs that hold digits, counted from the first one that is not zero.
        var held = 0
        func divide(_ limb: Int64) {
            let dividend = rest * Self.base + limb
            quotient.append(dividend / Int64(count))
            rest = dividend % Int64(count)
            if held > 0 || quotient[quotient.count - 1] != 0 { held += 1 }
        }
        for limb in sum.limbs { divide(limb) }
        var low = sum.low
        // Six limbs hold 46 digits at least.
        while rest != 0, held < 6 {
            divide(0)
            low -= 1
        }
        let exact = DecimalText(limbs: quotient, low: low, isNegative: sum.isNegative)
        if rest == 0, exact.digits.count <= 34 { return exact }
        return exact.rounded(isCut: rest != 0)
    }
}

/// A decimal number taken apart, and how JSON spells it. Equal numbers have equal spellings.
struct DecimalText {
    /// Base 10^9, from the highest down.
    let limbs: [Int64]
    /// The place of the last limb, in limbs from the point.
    let low: Int
    let isNegative: Bool
    /// Significant digits as ASCII, without zeros at either end; none for 0.
    private(set) var digits: [UInt8] = []
    /// Where the point stands, counted from the first digit.
    private(set) var point = 0
    /// The nearest double where that is what is meant.
    private var rounded: Double?
    private var isCut = false

    init(limbs: [Int64], low: Int, isNegative: Bool) {
        self.limbs = limbs
        self.low = low
        self.isNegative = isNegative
        for limb in limbs {
            var rest = limb
            var power: Int64 = 100_000_000
            while power > 0 {
                digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / power))
                rest %= power
                power /= 10
            }
        }
        let zero = UInt8(ascii: "0")
        point = digits.count + low * 9
        let leading = digits.firstIndex { $0 != zero } ?? digits.count
        digits.removeFirst(leading)
        point -= leading
        while digits.last == zero { digits.removeLast() }
        if digits.isEmpty { point = 0 }
    }

    /// The number as a double's spelling, or with 34 digits cut off where no double is near.
    ///
    /// - Parameter isCut: Whether digits that are not all zero follow.
    func rounded(isCut: Bool) -> DecimalText {
        var precise = self
        if isCut {
            // One more digit, behind the last limb, says that the number is above what its digits
            // say.
            let missing = point - low * 9 - digits.count
            precise.digits += repeatElement(UInt8(ascii: "0"), count: max(0, missing))
            precise.digits.append(UInt8(ascii: "1"))
        }
        let text = precise.spelled
        let double = text.withUnsafeBytes { JSONNumber.double($0) }
        var result = self
        if double.isFinite, double != 0 {
            result.rounded = double
        } else {
            result.digits = Array(digits.prefix(34))
            while result.digits.last == UInt8(ascii: "0") { result.digits.removeLast() }
            result.isCut = true
        }
        return result
    }

    /// Integers are written in full, so that readers which know integers take them as such. With a
    /// fraction a number is written plainly, or with an exponent where it is under 10^-6.
    var spelled: [UInt8] {
        if let rounded { return Array("\(rounded)".utf8) }
        guard !digits.isEmpty else { return [UInt8(ascii: "0")] }
        var text: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
        if digits.count <= point, !isCut {
            text += digits
            text += repeatElement(UInt8(ascii: "0"), count: point - digits.count)
        } else if point > 0, !isCut {
            text += digits[..<point] + [UInt8(ascii: ".")] + digits[point...]
        } else if point > -6, !isCut {
            text += Array("0.".utf8)
            text += repeatElement(UInt8(ascii: "0"), count: -point)
            text += digits
        } else {
            text.append(digits[0])
            if digits.count > 1 { text += [UInt8(ascii: ".")] + digits[1...] }
            text += Array("e\(point - 1)".utf8)
        }
        return text
    }
}
