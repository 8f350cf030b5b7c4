import FreshetNet
import Testing

@testable import FreshetHTTPServer

struct AddressBookTests {
    @Test func `An address has so many connections and no more, loopback any number`() throws {
        let book = AddressBook()
        let near = try SocketAddress(host: "127.0.0.1", port: 1)
        let far = try SocketAddress(host: "192.0.2.1", port: 1)
        let other = try SocketAddress(host: "192.0.2.2", port: 1)
        for _ in 0..<5 { #expect(book.enter(near, most: 2)) }
        #expect(book.enter(far, most: 2))
        #expect(book.enter(far.with(port: 2), most: 2))
        #expect(!book.enter(far.with(port: 3), most: 2))
        #expect(book.enter(other, most: 2))
        book.leave(far)
        #expect(book.enter(far, most: 2))
    }
}
