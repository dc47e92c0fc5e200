#if os(Linux)
    /// Those who wait for something, first come, first served. One that leaves the line is let go of at once.
    struct WaitingLine<Element> {
        /// A place in the line.
        typealias Ticket = Int

        private var elements: [Ticket: Element] = [:]
        private var first: Ticket = 0
        private var next: Ticket = 0

        var isEmpty: Bool { elements.isEmpty }

        mutating func append(_ element: Element) -> Ticket {
            defer { next += 1 }
            elements[next] = element
            return next
        }

        mutating func remove(_ ticket: Ticket) { elements[ticket] = nil }

        mutating func popFirst() -> Element? {
            while !elements.isEmpty {
                defer { first += 1 }
                if let element = elements.removeValue(forKey: first) { return element }
            }
            return nil
        }
    }
#endif
