import Foundation

@testable import FuzzTargets

/// Set before libFuzzer starts, which calls from the same thread.
nonisolated(unsafe) var runningTarget: FuzzTarget?

typealias TestOneInput = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

/// libFuzzer's own `main`, for programs that have one already (LLVM, "Using libFuzzer as a library").
@_silgen_name("LLVMFuzzerRunDriver")
func runLibFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: TestOneInput
) -> CInt

let testOneInput: TestOneInput = { bytes, count in
    do {
        try runningTarget?.run(Data(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        fatalError("\(error)")
    }
    return 0
}
