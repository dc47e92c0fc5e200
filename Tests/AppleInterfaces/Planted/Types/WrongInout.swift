import Foundation
import Security

func items(of data: Data) -> OSStatus {
    let items: CFArray? = nil
    // finds: to expected argument type 'UnsafeMutablePointer<
    return SecPKCS12Import(data as CFData, [:] as CFDictionary, items)
}
