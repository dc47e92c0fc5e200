extension APIRequest: SecretBearing {
    /// Method and URL, without any secret. ``curlCommand(redaction:)`` shows more.
    public var description: String { "\(method) \(Redaction.standard.redacted(self))" }
}
