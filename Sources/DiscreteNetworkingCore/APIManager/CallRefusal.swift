/// Why a call may not start.
struct CallRefusal {
    let kind: APIError.Kind
    /// A description that replaces the general one of the kind.
    let hint: String?

    init(_ kind: APIError.Kind, hint: String? = nil) {
        self.kind = kind
        self.hint = hint
    }

    /// A veto, with the type of the interceptor or manager that said no.
    static func veto(by vetoing: AnyObject) -> CallRefusal {
        CallRefusal(.vetoed, hint: "\(type(of: vetoing)) vetoed the call.")
    }
}
