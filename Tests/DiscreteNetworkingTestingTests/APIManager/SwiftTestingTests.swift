import DiscreteNetworking
import DiscreteNetworkingTesting
import Testing

/// The kit in Swift Testing: the same functions, and failures are issues at the user's line.
@MainActor
struct SwiftTestingTests {
    let stack = ShopStack()

    @Test func theRequest() async {
        await assertRequest(
            of: stack.product(), with: ["id": 7], .get, "https://api.example.com/v3/products/7",
            query: ["cid": "000001"], headers: ["Authorization": nil])
    }

    @Test func theAnswer() async {
        stack.stubs.on(ProductManager.self, answer: ShopStack.teapot)
        await assertSucceeds(stack.product(), with: ["id": 7]) { #expect($0.name == "茶壶") }
    }

    @Test func aFailureIsAnIssueAtTheLine() async {
        stack.stubs.on(ProductManager.self, answer: .status(500))
        let line = #line + 2
        await withKnownIssue {
            await assertSucceeds(stack.product(), with: ["id": 7])
        } matching: { issue in
            issue.sourceLocation?.line == line && issue.sourceLocation?.fileName == "SwiftTestingTests.swift"
                && issue.comments.contains { $0.rawValue.hasPrefix("ProductManager should have succeeded") }
        }
    }

    @Test func anUnstubbedCallIsAnIssueAtTheLine() async {
        let line = #line + 2
        await withKnownIssue {
            await assertFails(stack.product(), with: ["id": 7], .transport())
        } matching: { issue in
            issue.sourceLocation?.line == line
                && issue.comments.contains { $0.rawValue.hasPrefix("No stub answers GET") }
        }
    }
}
