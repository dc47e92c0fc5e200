#if os(Linux)
    /// The idle handles with the nonce of a challenge.
    struct ChallengedHandles {
        private var handles: [DigestChallenge: [CurlHandle]] = [:]
        private var count = 0
        private let limit: Int

        init(limit: Int) { self.limit = limit }

        mutating func take(for challenge: DigestChallenge?) -> CurlHandle? {
            guard let challenge, let handle = handles[challenge]?.popLast() else { return nil }
            count -= 1
            if handles[challenge]?.isEmpty == true { handles[challenge] = nil }
            return handle
        }

        /// - Returns: Whether it is kept.
        mutating func keep(_ handle: CurlHandle) -> Bool {
            guard let challenge = handle.challenge, count < limit else { return false }
            handles[challenge, default: []].append(handle)
            count += 1
            return true
        }

        mutating func removeAll() { (handles, count) = ([:], 0) }
    }
#endif
