#if os(macOS) || os(Linux)
    import Foundation

    /// A certificate authority of the tests' own, made by openssl in a temporary folder, and what it signed.
    ///
    /// Certificates of servers are such as Apple's platforms take them (support.apple.com/103769): valid for at most
    /// 825 days, for server authentication, with SHA-2 and the host as subjectAltName.
    final class TestAuthority: Sendable {
        /// A certificate and its key, in PEM files.
        struct Identity: Sendable {
            let certificate: URL
            let key: URL

            /// Its common name, and that of its files.
            fileprivate var name: String { certificate.deletingPathExtension().lastPathComponent }
        }

        let folder: URL
        /// The authority itself.
        let root: Identity
        /// For `localhost` and `127.0.0.1`.
        let server: Identity
        /// For `elsewhere.example`.
        let otherHost: Identity
        /// For `localhost`, out of date since 2020.
        let expired: Identity
        /// For `localhost`, signed by nobody but itself.
        let selfSigned: Identity
        /// A client's.
        let client: Identity
        /// A client's, signed by nobody but itself.
        let strangeClient: Identity
        /// The client's, its key encrypted with ``passphrase``.
        let lockedClient: Identity
        /// The client's certificate and key in one PKCS #12 file, with ``passphrase``.
        let clientPKCS12: URL

        static let passphrase = "open sesame"

        private let isOwned: Bool

        convenience init() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "authority-" + UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            self.init(folder, isOwned: true)
            try make()
        }

        /// One that another process has made, and will remove.
        convenience init(existing folder: URL) { self.init(folder, isOwned: false) }

        private init(_ folder: URL, isOwned: Bool) {
            (self.folder, self.isOwned) = (folder, isOwned)
            let maker = Maker(folder: folder)
            root = maker.identity("root")
            server = maker.identity("server")
            otherHost = maker.identity("elsewhere")
            expired = maker.identity("expired")
            selfSigned = maker.identity("selfsigned")
            client = maker.identity("client")
            strangeClient = maker.identity("stranger")
            lockedClient = Identity(
                certificate: client.certificate, key: folder.appendingPathComponent("locked.key"))
            clientPKCS12 = folder.appendingPathComponent("client.p12")
        }

        private func make() throws {
            let maker = Maker(folder: folder)
            try maker.selfSigned(
                root, "basicConstraints=critical,CA:TRUE", "keyUsage=keyCertSign,cRLSign")
            let local = "subjectAltName=DNS:localhost,IP:127.0.0.1"
            let forServers = "extendedKeyUsage=serverAuth"
            try maker.signed(server, by: root, local, forServers)
            try maker.signed(otherHost, by: root, "subjectAltName=DNS:elsewhere.example", forServers)
            try maker.signed(
                expired, by: root, local, forServers,
                valid: DateInterval(start: Date(timeIntervalSince1970: 1_577_836_800), duration: 31 * 86_400))
            try maker.selfSigned(selfSigned, local, forServers, "basicConstraints=CA:FALSE")
            try maker.signed(client, by: root, "extendedKeyUsage=clientAuth")
            try maker.selfSigned(strangeClient, "extendedKeyUsage=clientAuth")
            try Tool.run(
                "openssl",
                [
                    "ec", "-aes256", "-in", client.key.path, "-out", lockedClient.key.path, "-passout",
                    "pass:" + Self.passphrase,
                ])
            try Tool.run(
                "openssl",
                [
                    "pkcs12", "-export", "-in", client.certificate.path, "-inkey", client.key.path, "-out",
                    clientPKCS12.path, "-passout", "pass:" + Self.passphrase,
                ] + Self.legacyEncryption)
        }

        /// What Apple's importer can read, and OpenSSL 3 without its legacy provider too; `-legacy` would take RC2,
        /// which only that provider has, and no other openssl knows that option.
        private static let legacyEncryption = [
            "-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1",
        ]

        /// Makes the certificate of a server with one name.
        func server(named name: String) throws -> Identity {
            let maker = Maker(folder: folder)
            let made = maker.identity(name)
            try maker.signed(
                made, by: root, "subjectAltName=DNS:\(name)", "extendedKeyUsage=serverAuth")
            return made
        }

        func remove() { if isOwned { try? FileManager.default.removeItem(at: folder) } }

        /// The pin of an identity's public key (RFC 7469 section 2.4), as openssl computes it.
        static func pin(_ identity: Identity) throws -> String {
            let line = """
                openssl x509 -pubkey -noout -in "$0" | openssl pkey -pubin -outform der \
                | openssl dgst -sha256 -binary | openssl base64
                """
            let pin = try Tool.run("sh", ["-c", line, identity.certificate.path])
            return "sha256//" + String(decoding: pin, as: UTF8.self).trimmingCharacters(in: .newlines)
        }
    }

    /// The openssl commands that make certificates.
    private struct Maker {
        let folder: URL

        func identity(_ name: String) -> TestAuthority.Identity {
            .init(
                certificate: folder.appendingPathComponent(name + ".pem"),
                key: folder.appendingPathComponent(name + ".key"))
        }

        /// From yesterday on, for as long as Apple's platforms allow at most, less a day or two.
        private static var allowed: DateInterval {
            DateInterval(start: Date(timeIntervalSinceNow: -86_400), duration: 823 * 86_400)
        }

        /// A time as `openssl ca` takes it.
        private static func text(_ date: Date) -> String {
            let format = ISO8601DateFormatter()
            format.formatOptions = [.withYear, .withMonth, .withDay, .withTime]
            return format.string(from: date).filter(\.isNumber) + "Z"
        }

        private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

        func selfSigned(_ made: TestAuthority.Identity, _ extensions: String...) throws {
            let name = made.name
            try Tool.run(
                "openssl",
                ["req", "-x509", "-days", "823", "-subj", "/CN=\(name)", "-keyout", made.key.path]
                    + ["-out", made.certificate.path] + Self.newKey + extensions.flatMap { ["-addext", $0] })
        }

        func signed(
            _ made: TestAuthority.Identity, by root: TestAuthority.Identity, _ extensions: String...,
            valid: DateInterval = Maker.allowed
        ) throws {
            let name = made.name
            let request = folder.appendingPathComponent(name + ".csr")
            try Tool.run(
                "openssl",
                ["req", "-new", "-subj", "/CN=\(name)", "-keyout", made.key.path, "-out", request.path]
                    + Self.newKey)
            // Only `openssl ca` can date a certificate back. It wants a configuration and a database.
            let configuration = folder.appendingPathComponent(name + ".conf")
            try Data().write(to: folder.appendingPathComponent(name + ".index"))
            try """
            [ca]
            default_ca = own
            [own]
            database = \(name).index
            new_certs_dir = .
            rand_serial = yes
            default_md = sha256
            policy = any
            x509_extensions = extensions
            [any]
            commonName = supplied
            [extensions]
            \(extensions.joined(separator: "\n"))
            """.write(to: configuration, atomically: true, encoding: .utf8)
            try Tool.run(
                "openssl",
                [
                    "ca", "-batch", "-notext", "-config", configuration.path, "-cert", root.certificate.path,
                    "-keyfile", root.key.path, "-in", request.path, "-out", made.certificate.path,
                    "-startdate", Self.text(valid.start), "-enddate", Self.text(valid.end),
                ], in: folder)
        }
    }
#endif
