extension APICall {
    /// Runs code that is not part of a call, such as the delegate of a call: outside of its hooks, its environment and the
    /// storage of its service.
    @inline(never)
    static func leaving<Result>(_ work: () -> Result) -> Result {
        guard deadlineScope == nil else { return $deadlineScope.withValue(nil) { leaving(work) } }
        guard running == nil else { return $running.withValue(nil) { leaving(work) } }
        guard EnvironmentPins.current == nil else {
            return EnvironmentPins.$current.withValue(nil) { leaving(work) }
        }
        return MemoryStorage.current == nil ? work() : MemoryStorage.$current.withValue(nil, operation: work)
    }
}
