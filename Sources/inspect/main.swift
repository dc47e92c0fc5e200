import DiscreteNetworkingCommands
import DiscreteNetworkingInspector
import Dispatch
import Foundation

let help = """
    Usage: inspect FILE [options]

    Shows recorded calls in a browser, on this machine, until Ctrl-C is pressed: an HTTP Archive of any program, what a
    TrafficFile has written, or the folder of a TrafficFile, which stands for the latest start of the app.

    Exit status: 64 for wrong options; 65 if the file has no recorded calls; 66 if it cannot be read, or the folder
    has no file of a TrafficFile; 69 if the port is not free.

      --port PORT  serve the page at this port (default: any free one)
      --help       show this
    """

func end(_ message: String, status: Int32) -> Never {
    CommandOutput.error.write(message)
    exit(status)
}

var arguments = CommandArguments(CommandLine.arguments.dropFirst(), help: help)
var (file, port): (URL?, UInt16) = (nil, 0)
do throws(UsageError) {
    while let argument = arguments.next() {
        switch argument {
        case "--help", "-h":
            CommandOutput.standard.write(help)
            exit(0)
        case "--port":
            let text = try arguments.value()
            guard let number = UInt16(text) else { throw UsageError("--port needs a number up to 65535.") }
            port = number
        case let option where option.hasPrefix("-"): throw arguments.unknown()
        case let path:
            guard file == nil else { throw UsageError("There is one file; \(path) is too much.") }
            file = URL(fileURLWithPath: path)
        }
    }
    guard file != nil else { throw UsageError("Which file? Give its path.") }
} catch {
    end(error.report(help), status: UsageError.status)
}
let opened = file ?? URL(fileURLWithPath: "")
do {
    let inspector = try Inspector(opening: opened, port: port, print: CommandOutput.standard.write)
    withExtendedLifetime(inspector) { dispatchMain() }
} catch let error as POSIXError {
    // EX_UNAVAILABLE of sysexits.h.
    end("error: Port \(port) cannot be used: \(error.localizedDescription)", status: 69)
} catch {
    let failure: FileFailure
    switch (error as? CocoaError)?.code {
    case .fileReadCorruptFile:
        failure = .wrongFormat(
            opened, "an HTTP Archive, nor a file of a TrafficFile",
            "Export a HAR from a browser or proxy, or give a file calls-….jsonl that an app has written.")
    case .fileNoSuchFile where opened.hasDirectoryPath || (try? opened.checkResourceIsReachable()) == true:
        failure = .missing(
            "file of a TrafficFile (calls-….jsonl)", in: opened,
            "Give the folder that the app passes to TrafficFile, or a HAR file.")
    default: failure = .unreadable(opened, error)
    }
    end(failure.report, status: failure.status)
}
