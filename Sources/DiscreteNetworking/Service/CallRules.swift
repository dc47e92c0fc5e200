import Foundation

/// The rules for the bodies and the response of one call: the manager's if it has one, otherwise the service's.
struct CallRules {
    let call: APICall
    let configured: ConfiguredService
    private var service: any Service { configured.service }

    private var own: ResponseRules { call.overrides.responseRules }

    /// `nil` if the body is the payload.
    var envelope: Envelope? {
        let envelope = own.envelope ?? service.envelope(for: call)
        return envelope?.layers.isEmpty == true ? nil : envelope
    }

    var decoder: JSONDecoder {
        if let decoder = own.decoder { return decoder }
        let moved = service.jsonDecoder(for: call)
        return moved === JSONDecoder.standard ? configured.configuration.value.jsonDecoder : moved
    }

    /// `nil` if the bodies are not changed: a sample is written as the output needs it.
    var bodyTransform: (any BodyTransform)? {
        guard !call.isSample,
            let transform = call.overrides.bodyTransform ?? service.bodyTransform(for: call),
            !(transform is PlainBodies)
        else { return nil }
        return transform
    }

    var redirects: RedirectPolicy { own.redirects ?? service.redirectPolicy(for: call) }

    func accepts(status: Int) -> Bool {
        own.statuses?.contains(status) ?? service.accepts(status: status, for: call)
    }
}
