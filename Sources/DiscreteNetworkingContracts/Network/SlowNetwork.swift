public import DiscreteNetworkingCore
public import Foundation

/// Makes a transport as slow and unreliable as a bad network: for demos, previews and tests of waiting views.
///
/// ```swift
/// let proxy = ApiProxy(
///     transport: SlowNetwork(.edge, over: URLSessionTransport(), seed: 7))
/// ```
///
/// What happens to which request depends only on the seed and on the order in which requests are sent.
public struct SlowNetwork: Transport {
    /// How bad a network is.
    public struct Conditions: Sendable, Hashable {
        /// The time that each exchange waits in addition, in seconds: a random one of these.
        public var latency: ClosedRange<TimeInterval>
        /// The bytes of bodies that are sent in a second, for each exchange; `nil` for no limit.
        public var sentPerSecond: Double?
        /// The bytes of bodies that are received in a second, for each exchange; `nil` for no limit.
        public var receivedPerSecond: Double?
        /// The part of exchanges that fail with `TransportError.Kind.connectionLost`, from 0 to 1. Half of them have
        /// reached the server.
        public var loss: Double

        /// Creates conditions. Default: nothing is slower.
        public init(
            latency: ClosedRange<TimeInterval> = 0...0, sentPerSecond: Double? = nil,
            receivedPerSecond: Double? = nil, loss: Double = 0
        ) {
            self.latency = latency
            self.sentPerSecond = sentPerSecond
            self.receivedPerSecond = receivedPerSecond
            self.loss = loss
        }

        // The rates and delays are those of Apple's Network Link Conditioner.

        /// 780 kbit/s down, 330 kbit/s up, 0.2 seconds for a round trip.
        public static let threeG = Conditions(
            latency: 0.2...0.25, sentPerSecond: 330_000 / 8, receivedPerSecond: 780_000 / 8)
        /// 240 kbit/s down, 200 kbit/s up, 0.84 seconds for a round trip.
        public static let edge = Conditions(
            latency: 0.84...1, sentPerSecond: 200_000 / 8, receivedPerSecond: 240_000 / 8)
        /// 1 Mbit/s, one second for a round trip, and one exchange of ten is lost.
        public static let veryBad = Conditions(
            latency: 1...1.5, sentPerSecond: 1_000_000 / 8, receivedPerSecond: 1_000_000 / 8, loss: 0.1)
    }

    private let conditions: Conditions
    private let transport: any Transport
    private let clock: any APIClock
    private let seed: UInt64
    private let count = Locked<UInt64>(0)

    /// Creates a slow network.
    /// - Parameters:
    ///   - transport: What sends the requests.
    ///   - clock: What it waits by, such as a test clock.
    ///   - seed: The same seed gives the same network.
    public init(
        _ conditions: Conditions, over transport: any Transport, clock: any APIClock = SystemClock(),
        seed: UInt64 = .random(in: 0 ... .max)
    ) {
        self.conditions = conditions
        self.transport = transport
        self.clock = clock
        self.seed = seed
    }

    public func send(_ request: APIRequest) async throws -> TransportResponse {
        var luck = Luck(
            seed: seed,
            number: count.withLock { count in
                count += 1
                return count
            })
        let latency = TimeInterval.random(in: conditions.latency, using: &luck)
        let isLost = Double.random(in: 0..<1, using: &luck) < conditions.loss
        let isLostOnTheWay = Bool.random(using: &luck)
        let sent = conditions.sentPerSecond.map { Double((try? request.body.length) ?? 0) / $0 }
        try await wait(latency + (sent ?? 0))
        if isLost, isLostOnTheWay { throw Self.lost }
        let response = try await transport.send(request)
        if isLost { throw Self.lost }
        return try await received(response)
    }

    private static let lost = TransportError(
        .connectionLost, message: "The slow network lost the connection.")

    private func received(_ response: TransportResponse) async throws -> TransportResponse {
        guard let rate = conditions.receivedPerSecond else { return response }
        var slowed = response
        switch response.body {
        case .data(let data): try await wait(Double(data.count) / rate)
        case .stream(let stream):
            // Each piece is read when the one before has had its time, so that the server is slowed down too.
            slowed.body = .stream(
                AsyncThrowingStream { [clock] in
                    guard let piece = try await stream.next() else { return nil }
                    try await clock.sleep(for: Double(piece.count) / rate)
                    return piece
                })
        default: break
        }
        return slowed
    }

    private func wait(_ seconds: TimeInterval) async throws {
        if seconds > 0 { try await clock.sleep(for: seconds) }
    }

    public func needsNetwork(for url: URL) -> Bool { transport.needsNetwork(for: url) }
    public func replacesServiceTransport(for url: URL) -> Bool {
        transport.replacesServiceTransport(for: url)
    }
}

/// The randomness of one exchange: SplitMix64 (Steele, Lea and Flood, 2014).
private struct Luck: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64, number: UInt64) {
        state = seed ^ number &* 0x9E37_79B9_7F4A_7C15
        state = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
