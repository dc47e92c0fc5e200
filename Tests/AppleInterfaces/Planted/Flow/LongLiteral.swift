// Int has 32 bits on a Watch before Series 9.
#if _pointerBitWidth(_32)
    // finds: integer literal '5000000000' overflows when stored into 'Int'
    let limit: Int = 5_000_000_000
    func nanoseconds() -> Int {
        // finds: arithmetic operation '10 * 1000000000' (on type 'Int') results in an overflow
        10 * 1_000_000_000
    }
#endif
