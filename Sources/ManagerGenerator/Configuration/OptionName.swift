/// An option with a value, by its name in a configuration file.
enum OptionName: String, CaseIterable, Sendable {
    case input, output, module, service, include, exclude, paging, formArrays, package

    /// The option on the command line; the input has none.
    var flag: String? {
        switch self {
        case .input: nil
        case .formArrays: "--form-arrays"
        default: "--" + rawValue
        }
    }

    /// Whether it may be given several times.
    var isList: Bool { [.include, .exclude, .paging].contains(self) }
}
