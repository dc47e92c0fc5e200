import Foundation

@testable import FuzzTargets

// One target under libFuzzer: `fuzz TARGET [CORPUS…] [-OPTION=VALUE…]`; see .ci/fuzz. `fuzz` alone lists the targets.

guard CommandLine.arguments.count > 1,
    let target = FuzzTarget.all.first(where: { $0.name == CommandLine.arguments[1] })
else {
    print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    exit(CommandLine.arguments.count > 1 ? 2 : 0)
}
runningTarget = target

var arguments = ([CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)).map { strdup($0) }
var count = CInt(arguments.count)
exit(
    arguments.withUnsafeMutableBufferPointer { buffer in
        var argv = buffer.baseAddress
        return runLibFuzzer(&count, &argv, testOneInput)
    })
