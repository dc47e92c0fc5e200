extension APICall {
    /// Runs code that is not part of a call, such as the delegate of a call: outside of its hooks, its environment and the
    /// storage of its service.
    @inline(never)
    static func leaving<Result>(_ work: () -> Result) -> Result {
        guard deadlineScope == nil else { return $deadlineScope.withValue(nil) { leaving(work) } }
        guard running != nil else { return EnvironmentPins.leaving { MemoryStorage.leaving(work) } }
        return $running.withValue(nil) { EnvironmentPins.leaving { MemoryStorage.leaving(work) } }
    }
}
