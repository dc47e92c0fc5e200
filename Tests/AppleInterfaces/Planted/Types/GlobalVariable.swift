// finds: var 'counter' is not concurrency-safe because it is nonisolated global shared mutable state
var counter = 0
