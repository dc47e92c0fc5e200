import Foundation

#if !os(macOS)
    func run() -> Any {
        // finds: cannot find 'Process' in scope
        Process()
    }
#endif
