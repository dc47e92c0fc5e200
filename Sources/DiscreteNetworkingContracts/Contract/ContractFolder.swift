public import Foundation

/// A directory of contracts: one file for each, under version control.
public struct ContractFolder: Sendable {
    /// The directory.
    public let url: URL

    /// Creates the description of a directory, which is made at the first write.
    public init(_ url: URL) { self.url = url }

    /// Returns the file of a contract. Characters that are unsafe in file names become `_`.
    public func file(named name: String) -> URL {
        let safe = String(
            name.unicodeScalars.map { scalar -> Character in
                let isSafe =
                    CharacterSet.alphanumerics.contains(scalar) || "-_. ".unicodeScalars.contains(scalar)
                return isSafe ? Character(scalar) : "_"
            })
        return url.appendingPathComponent((safe.hasPrefix(".") ? "_" + safe : safe) + ".json")
    }

    /// Reads a contract; returns `nil` if the file does not exist.
    /// - Throws: ``ContractError`` with the name of the file.
    public func read(_ name: String) throws(ContractError) -> ContractFile? {
        let file = file(named: name)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw ContractError("\(file.lastPathComponent) cannot be read.")
        }
        do {
            return try ContractFile(parsing: data)
        } catch {
            throw ContractError("\(file.lastPathComponent): \(error.message)")
        }
    }

    /// Writes a contract atomically, creating the directory if needed.
    /// - Throws: ``ContractError`` with the name of the file.
    public func write(_ contract: ContractFile) throws(ContractError) {
        let file = file(named: contract.name)
        if let other = try? read(contract.name), other.name != contract.name {
            throw ContractError(
                "\(file.lastPathComponent) is the contract \(other.name); give one of them another name.")
        }
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try Data(contract.text.utf8).write(to: file, options: .atomic)
        } catch {
            throw ContractError("\(file.lastPathComponent) cannot be written to \(url.path).")
        }
    }
}
