extension APIRequest: CustomStringConvertible, CustomReflectable {
    /// Method and URL, without any secret. ``curlCommand(redaction:)`` shows more.
    public var description: String { "\(method) \(Redaction.standard.redacted(url))" }

    /// The same as ``description``, so that `dump` shows no secret.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
