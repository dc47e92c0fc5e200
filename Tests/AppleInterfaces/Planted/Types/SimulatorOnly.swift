#if targetEnvironment(simulator)
    // finds: cannot convert return expression of type 'String' to return type 'Int'
    func simulated() -> Int { "simulated" }
#endif
