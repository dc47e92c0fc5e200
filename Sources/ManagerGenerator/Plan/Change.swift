/// One difference between what was generated and what a description says now.
struct Change: Equatable, Sendable {
    enum Kind: String, Sendable { case new, gone, renamed, changed }

    let kind: Kind
    /// An endpoint or a model.
    let subject: String
    let text: String
    /// Whether code that used what was generated no longer compiles.
    let breaks: Bool

    var line: String {
        "\(breaks ? "BREAKING" : "ok      ") \(kind.rawValue) \(subject)\(text.isEmpty ? "" : ": " + text)"
    }
}

extension Surface {
    /// What changes from this one to a newer one, endpoints first, each by name.
    func changes(to new: Surface) -> [Change] {
        endpointChanges(to: new) + modelChanges(to: new)
    }

    private func endpointChanges(to new: Surface) -> [Change] {
        var changes: [Change] = []
        let byManager = Dictionary(
            new.endpoints.map { ($0.value.manager, $0.key) }, uniquingKeysWith: { first, _ in first })
        for key in Set(endpoints.keys).union(new.endpoints.keys).sorted() {
            switch (endpoints[key], new.endpoints[key]) {
            case (let old?, nil):
                if let moved = byManager[old.manager], endpoints[moved] == nil {
                    changes.append(
                        Change(
                            kind: .changed, subject: key, text: "\(old.manager) calls \(moved) now",
                            breaks: false))
                    changes += Self.changes(moved, old, new.endpoints[moved] ?? old)
                } else {
                    changes.append(Change(kind: .gone, subject: key, text: old.manager, breaks: true))
                }
            case (nil, let added?):
                let wasMoved = endpoints.contains {
                    $0.value.manager == added.manager && new.endpoints[$0.key] == nil
                }
                if !wasMoved {
                    changes.append(Change(kind: .new, subject: key, text: added.manager, breaks: false))
                }
            case (let old?, let added?): changes += Self.changes(key, old, added)
            case (nil, nil): break
            }
        }
        return changes
    }

    private static func changes(_ key: String, _ old: Endpoint, _ new: Endpoint) -> [Change] {
        var changes: [Change] = []
        if old.manager != new.manager {
            changes.append(
                Change(
                    kind: .renamed, subject: key, text: "\(old.manager) is \(new.manager) now", breaks: true))
        }
        if old.output != new.output {
            changes.append(
                Change(
                    kind: .changed, subject: key, text: "output \(old.output) is \(new.output) now",
                    breaks: true))
        }
        if old.service != new.service {
            let service = new.service.isEmpty ? "the service of the description" : new.service
            changes.append(
                Change(
                    kind: .changed, subject: key,
                    text: "has other servers; it belongs to \(service) now, which has to be registered",
                    breaks: true))
        }
        if old.body != new.body {
            changes.append(
                Change(
                    kind: .changed, subject: key,
                    text: "the body was \(old.body.isEmpty ? "none" : old.body), and is "
                        + "\(new.body.isEmpty ? "none" : new.body) now",
                    breaks: old.body.isEmpty != new.body.isEmpty))
        }
        if new.isDeprecated, !old.isDeprecated {
            changes.append(Change(kind: .changed, subject: key, text: "deprecated now", breaks: false))
        }
        for name in Set(old.arguments.keys).union(new.arguments.keys).sorted() {
            func add(_ text: String, breaks: Bool) {
                changes.append(
                    Change(kind: .changed, subject: key, text: "argument \(name) \(text)", breaks: breaks))
            }
            switch (old.arguments[name], new.arguments[name]) {
            case (nil, let added?):
                add("is new\(added.isRequired ? ", and required" : "")", breaks: added.isRequired)
            case (.some, nil): add("is gone", breaks: true)
            case (let was?, let now?) where was != now:
                let isSameType = was.type == now.type || was.type + "?" == now.type
                if !isSameType, was.type != now.type + "?" {
                    add("was \(was.type), and is \(now.type) now", breaks: true)
                } else {
                    add(now.isRequired ? "is required now" : "may be left out now", breaks: now.isRequired)
                }
            default: break
            }
        }
        return changes
    }

    private func modelChanges(to new: Surface) -> [Change] {
        var changes: [Change] = []
        for name in Set(models.keys).union(new.models.keys).sorted() {
            guard let old = models[name] else {
                changes.append(Change(kind: .new, subject: name, text: "", breaks: false))
                continue
            }
            guard let now = new.models[name] else {
                changes.append(Change(kind: .gone, subject: name, text: "", breaks: true))
                continue
            }
            guard old.kind == now.kind else {
                changes.append(
                    Change(
                        kind: .changed, subject: name, text: "was a \(old.kind), and is a \(now.kind) now",
                        breaks: true))
                continue
            }
            changes += Self.changes(name, old, now)
        }
        return changes
    }

    private static func changes(_ name: String, _ old: Model, _ new: Model) -> [Change] {
        let word = old.kind == "struct" ? "property" : old.kind == "enum" ? "value" : "case"
        return Set(old.members.keys).union(new.members.keys).sorted().compactMap { member in
            func change(_ text: String, breaks: Bool) -> Change {
                Change(kind: .changed, subject: name, text: "\(word) \(member) \(text)", breaks: breaks)
            }
            switch (old.members[member], new.members[member]) {
            case (nil, let added?):
                // A switch over a union has to name all cases; who makes a value has to give what is required.
                let breaks = old.kind == "union" || (old.kind == "struct" && added.isRequired && new.isSent)
                return change("is new" + (added.isRequired ? ", and required" : ""), breaks: breaks)
            case (.some, nil): return change("is gone", breaks: true)
            case (let was?, let now?) where was.type != now.type:
                return change("was \(was.type), and is \(now.type) now", breaks: true)
            default: return nil
            }
        }
    }
}
