// visionOS 1 has it.
import Foundation

#if !os(visionOS)
    func strictURL(_ text: String) -> URL? {
        // finds: 'init(string:encodingInvalidCharacters:)' is only available in
        URL(string: text, encodingInvalidCharacters: false)
    }
#endif
