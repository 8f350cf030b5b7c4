/// The nearest of some known words to a misspelt one: the one routine behind every "did you mean".
package enum NearestWord {
    /// Words that are looked at.
    package static let mostWords = 1_000
    /// Letters of a word that has neighbours.
    private static let longest = 64

    /// The word of `words` that `word` most likely means, or nil where none is near: the same word
    /// in another spelling (`order_by`, `$filter`), what other services call it (`sort` is `order`),
    /// or at most one slip in three letters (insertion, deletion, replacement, swap of neighbours),
    /// case ignored.
    ///
    /// - Complexity: O(words × length²); words over `longest` have no neighbour, and of more than
    ///   `mostWords` the first ones alone are looked at.
    package static func of(_ word: String, among words: [String]) -> String? {
        // Four bytes a letter at most: a long one is not looked at at all.
        guard word.utf8.count <= 4 * longest else { return nil }
        let wanted = Array(word.lowercased().unicodeScalars)
        guard wanted.count <= longest else { return nil }
        let bare = letters(of: word)
        let words = words.prefix(mostWords)
        if let same = words.first(where: { !bare.isEmpty && letters(of: $0) == bare }) {
            return same
        }
        if let meant = synonyms[bare]?.first(where: words.contains) { return meant }
        var best: (word: String, distance: Int)?
        for candidate in words {
            let letters = Array(candidate.lowercased().unicodeScalars)
            let longer = max(letters.count, wanted.count)
            // A word of one letter is no slip of another.
            let allowed = min(max(1, longer / 3), longer - 1)
            // Each letter more is a slip.
            guard letters.count <= longest, abs(letters.count - wanted.count) <= allowed else {
                continue
            }
            let distance = slips(from: wanted, to: letters)
            if distance <= allowed, distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.word
    }

    /// `; did you mean 'order'?`, or `otherwise` where no word of `words` is near.
    package static func suggestion(
        for word: String, among words: [String], otherwise: String = ""
    ) -> String {
        of(word, among: words).map { "; did you mean '\($0)'?" } ?? otherwise
    }

    /// The letters and digits of `word`, in small letters.
    private static func letters(of word: String) -> String {
        if word.utf8.allSatisfy({ $0 < 0x80 }) {
            let letters = word.utf8.compactMap { byte -> UInt8? in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    byte
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
                default: nil
                }
            }
            return String(decoding: letters, as: UTF8.self)
        }
        return String(
            String.UnicodeScalarView(
                word.lowercased().unicodeScalars.filter {
                    $0.properties.isAlphabetic || $0.properties.numericType != nil
                }))
    }

    /// What other services and languages call a thing, without signs and in small letters, and what
    /// it may be called here: parameters, functions of filters, members and addresses.
    private static let synonyms: [String: [String]] = [
        "sort": ["order"], "sortby": ["order"], "orderby": ["order"], "ordering": ["order"],
        "q": ["filter"], "query": ["filter", "_search", "queries"], "where": ["filter"],
        "search": ["filter", "_search"],
        "find": ["filter"], "match": ["filter"], "condition": ["filter"],
        "skip": ["offset"], "start": ["offset"], "from": ["offset"], "page": ["offset"],
        "top": ["limit"], "take": ["limit"], "first": ["limit"], "max": ["limit"],
        "perpage": ["limit"], "pagesize": ["limit"], "size": ["limit"], "maxresults": ["limit"],
        "select": ["fields"], "columns": ["fields"], "only": ["fields"], "properties": ["fields"],
        "attributes": ["fields"], "project": ["fields"], "projection": ["fields"],
        "expand": ["include"], "embed": ["include"], "populate": ["include"], "with": ["include"],
        "join": ["include"], "groupby": ["group"], "unique": ["distinct"],
        "cursor": ["after", "since"], "startafter": ["after"], "pagetoken": ["after"],
        "next": ["after"], "lasteventid": ["since"], "total": ["count"],
        "watch": ["live"], "stream": ["live"], "follow": ["live"], "subscribe": ["live"],
        "length": ["size"], "len": ["size"], "count": ["size"], "cardinality": ["size"],
        "like": ["contains"], "includes": ["contains"], "substring": ["contains"],
        "indexof": ["contains"], "prefix": ["startsWith"], "beginswith": ["startsWith"],
        "hasprefix": ["startsWith"], "suffix": ["endsWith"], "hassuffix": ["endsWith"],
        "defined": ["exists"], "isdefined": ["exists"], "present": ["exists"],
        "isempty": ["isNull"], "missing": ["isNull"],
        "field": ["property"], "path": ["property"], "operator": ["op"], "eq": ["=="],
        "ne": ["!="], "gt": [">"], "gte": [">="], "lt": ["<"], "lte": ["<="],
        "regex": ["~="], "matches": ["~="], "data": ["entity"], "document": ["entity"],
        "int": ["integer"], "long": ["integer"], "float": ["number"], "double": ["number"],
        "decimal": ["number"], "real": ["number"], "bool": ["boolean"], "str": ["string"],
        "text": ["string"], "list": ["array"], "map": ["object"], "dict": ["object"],
        "timestamp": ["date-time"],
        "put": ["set"], "upsert": ["set"], "update": ["patch"], "delete": ["remove", "_remove"],
        "health": ["livez"], "healthz": ["livez"], "ready": ["readyz"], "swagger": ["openapi.json"],
        "swaggerjson": ["openapi.json"], "openapi": ["openapi.json"], "bulk": ["_batch", "_set"],
    ]

    /// The edit distance with swaps of neighbours (optimal string alignment).
    private static func slips(from left: [Unicode.Scalar], to right: [Unicode.Scalar]) -> Int {
        var before: [Int] = []
        var previous = Array(0...right.count)
        for row in 1..<(left.count + 1) {
            var current = [row] + [Int](repeating: 0, count: right.count)
            for column in 1..<(right.count + 1) {
                let differs = left[row - 1] != right[column - 1]
                var cost = min(
                    previous[column] + 1, current[column - 1] + 1,
                    previous[column - 1] + (differs ? 1 : 0))
                if row > 1, column > 1, left[row - 1] == right[column - 2],
                    left[row - 2] == right[column - 1]
                {
                    cost = min(cost, before[column - 2] + 1)
                }
                current[column] = cost
            }
            before = previous
            previous = current
        }
        return previous[right.count]
    }
}
