/// The arguments of a command, taken one after another. `--name=value` is the same as `--name value`.
///
/// ```swift
/// var arguments = CommandArguments(
///     CommandLine.arguments.dropFirst(), help: help)
/// while let argument = arguments.next() {
///     switch argument {
///     case "--json": json = try arguments.value()
///     default: throw arguments.unknown()
///     }
/// }
/// ```
package struct CommandArguments {
    private var rest: ArraySlice<String>
    private var last = ""
    private let help: String

    /// - Parameter help: The text of `--help`, with all options.
    package init(_ arguments: some Sequence<String>, help: String) {
        rest = arguments.flatMap(Self.split)[...]
        self.help = help
    }

    private static func split(_ argument: String) -> [String] {
        guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return [argument] }
        return [String(argument[..<equals]), String(argument[argument.index(after: equals)...])]
    }

    /// Takes the next option or operand; `nil` after the last.
    package mutating func next() -> String? {
        guard let argument = rest.popFirst() else { return nil }
        last = argument
        return argument
    }

    /// Takes the value of the option that was taken last.
    package mutating func value() throws(UsageError) -> String {
        guard let value = rest.first, !value.isEmpty, !value.hasPrefix("--") else {
            throw UsageError("\(last) needs a value.")
        }
        rest.removeFirst()
        return value
    }

    /// Takes all arguments that are left.
    package mutating func remaining() -> [String] {
        defer { rest = [] }
        return Array(rest)
    }

    /// The error if the argument that was taken last is no option.
    package func unknown() -> UsageError {
        UsageError("Unknown option \(last).\(NearName.hint(last, among: options))")
    }

    /// The options that the help describes.
    private var options: [String] {
        help.split { $0.isWhitespace || "[](),|".contains($0) }.filter { $0.hasPrefix("--") }.map(String.init)
    }
}

/// Arguments that a command cannot use.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    /// `EX_USAGE` of sysexits.h.
    package static let status: Int32 = 64

    /// A sentence that says what is wrong.
    package let message: String
    package var description: String { message }

    package init(_ message: String) { self.message = message }

    /// What a command writes to standard error: the sentence, and how it is called.
    package func report(_ help: String) -> String {
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        return
            "error: \(message)\n\n\(lines.prefix { !$0.isEmpty }.joined(separator: "\n"))\n--help shows all options."
    }
}
