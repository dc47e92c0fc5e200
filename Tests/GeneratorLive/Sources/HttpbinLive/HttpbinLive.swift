import DiscreteNetworking
import HttpbinAPI
import Live

/// All operations of httpbin that can be called by themselves.
@main
struct HttpbinLive {
    static func main() async {
        await Live.main { server in
            let service = HttpbinService()
            service.server.current = server
            ServiceFactory.shared.register([.httpbin: { service }])
            try await Live.call { try await GetAbsoluteRedirectByNManager().load(with: .init(n: 2)) }
            try await Live.call { try await GetRelativeRedirectByNManager().load(with: .init(n: 2)) }
            try await Live.call { try await GetRedirectByNManager().load(with: .init(n: 1)) }
            try await Live.call { try await GetAnythingManager().load() }
            try await Live.call { try await DeleteAnythingManager().load() }
            try await Live.call { try await PatchAnythingManager().load() }
            try await Live.call { try await PostAnythingManager().load() }
            try await Live.call { try await PutAnythingManager().load() }
            try await Live.call { try await TraceAnythingManager().load() }
            try await Live.expect {
                try await GetAnythingByAnythingManager().load(with: .init(anything: "a b"))["url"]?.string?
                    .hasSuffix("/anything/a%20b") == true
            }
            try await Live.call {
                try await DeleteAnythingByAnythingManager().load(with: .init(anything: "x"))
            }
            try await Live.call {
                try await PatchAnythingByAnythingManager().load(with: .init(anything: "x"))
            }
            try await Live.call {
                try await PostAnythingByAnythingManager().load(with: .init(anything: "x"))
            }
            try await Live.call {
                try await PutAnythingByAnythingManager().load(with: .init(anything: "x"))
            }
            try await Live.call {
                try await TraceAnythingByAnythingManager().load(with: .init(anything: "x"))
            }
            try await Live.expect {
                try await GetBase64ByValueManager().load(with: .init(value: "SFRUUEJJTiBpcyBhd2Vzb21l"))
                    == "HTTPBIN is awesome"
            }
            try await Live.expect {
                try await GetBearerManager().load(with: .init(authorization: "Bearer abc"))[
                    "authenticated"]?.bool == true
            }
            try await Live.call { try await GetBrotliManager().load() }
            try await Live.expect {
                try await GetBytesByNManager().load(with: .init(n: 100)).byteCount == 100
            }
            try await Live.call { try await GetCacheManager().load(with: .init()) }
            try await Live.call { try await GetCacheByValueManager().load(with: .init(value: 60)) }
            try await Live.call { try await GetCookiesManager().load() }
            try await Live.call {
                try await GetCookiesSetManager().load(with: .init(freeform: ["a": "1", "b": "2"]))
            }
            try await Live.call {
                try await GetCookiesSetByNameByValueManager().load(with: .init(name: "c", value: "3"))
            }
            try await Live.call {
                try await GetCookiesDeleteManager().load(with: .init(freeform: ["a": ""]))
            }
            try await Live.call { try await GetDeflateManager().load() }
            try await Live.call { try await GetDelayByDelayManager().load(with: .init(delay: 0)) }
            try await Live.call { try await DeleteDelayByDelayManager().load(with: .init(delay: 0)) }
            try await Live.call { try await PatchDelayByDelayManager().load(with: .init(delay: 0)) }
            try await Live.call { try await PostDelayByDelayManager().load(with: .init(delay: 0)) }
            try await Live.call { try await PutDelayByDelayManager().load(with: .init(delay: 0)) }
            try await Live.call { try await TraceDelayByDelayManager().load(with: .init(delay: 0)) }
            try await Live.call { try await DeleteDeleteManager().load() }
            try await Live.call { try await GetDenyManager().load() }
            try await Live.call {
                try await GetDripManager().load(with: .init(duration: 0.1, numbytes: 5))
            }
            try await Live.call { try await GetEncodingUtf8Manager().load() }
            try await Live.call { try await GetEtagByEtagManager().load(with: .init(etag: "x")) }
            try await Live.call { try await GetGetManager().load() }
            try await Live.call { try await GetGzipManager().load() }
            try await Live.call { try await GetHeadersManager().load() }
            try await Live.expect { try await GetHTMLManager().load().contains("Moby-Dick") }
            try await Live.call { try await GetImageManager().load() }
            try await Live.call { try await GetImageJpegManager().load() }
            try await Live.call { try await GetImagePngManager().load() }
            try await Live.call { try await GetImageSvgManager().load() }
            try await Live.call { try await GetImageWebpManager().load() }
            try await Live.call { try await GetIPManager().load() }
            try await Live.expect { try await GetJSONManager().load()["slideshow"] != nil }
            try await Live.call {
                try await GetLinksByNByOffsetManager().load(with: .init(n: 3, offset: 0))
            }
            try await Live.call { try await PatchPatchManager().load() }
            try await Live.call { try await PostPostManager().load() }
            try await Live.call { try await PutPutManager().load() }
            try await Live.expect {
                try await GetRangeByNumbytesManager().load(with: .init(numbytes: 26)).byteCount == 26
            }
            try await Live.call { try await GetRedirectToManager().load(with: .init(url: "/get")) }
            // httpbin describes fields of a form here, and reads the query: it sends the caller to /None.
            try await Live.refused(.http(status: 404)) {
                try await PostRedirectToManager().load(with: .init(url: "/get"))
            }
            try await Live.refused(.http(status: 404)) {
                try await PutRedirectToManager().load(with: .init(url: "/get", statusCode: 303))
            }
            try await Live.expect {
                try await GetResponseHeadersManager().load(with: .init(freeform: ["x": "y"]))["x"]?.string
                    == "y"
            }
            try await Live.expect {
                try await PostResponseHeadersManager().load(with: .init(freeform: ["x": "y"]))["x"]?.string
                    == "y"
            }
            try await Live.call { try await GetRobotsTxtManager().load() }
            try await Live.call { try await GetStatusByCodesManager().load(with: .init(codes: "200")) }
            try await Live.call { try await DeleteStatusByCodesManager().load(with: .init(codes: "200")) }
            try await Live.call { try await PatchStatusByCodesManager().load(with: .init(codes: "200")) }
            try await Live.call { try await PostStatusByCodesManager().load(with: .init(codes: "200")) }
            try await Live.call { try await PutStatusByCodesManager().load(with: .init(codes: "200")) }
            try await Live.call { try await TraceStatusByCodesManager().load(with: .init(codes: "200")) }
            try await Live.expect {
                try await GetStreamBytesByNManager().load(with: .init(n: 1000)).byteCount == 1000
            }
            try await Live.call { try await GetUserAgentManager().load() }
            try await Live.call { try await GetUUIDManager().load() }
            try await Live.expect { try await GetXMLManager().load().count > 100 }
            // Only one line: several lines of JSON are no JSON.
            try await Live.call { try await GetStreamByNManager().load(with: .init(n: 1)) }
            try await Live.refused(.http(status: 401)) {
                try await GetBasicAuthByUserByPasswdManager().load(with: .init(user: "u", passwd: "p"))
            }
            try await Live.refused(.http(status: 404)) {
                try await GetHiddenBasicAuthByUserByPasswdManager().load(
                    with: .init(user: "u", passwd: "p"))
            }
            try await Live.refused(.http(status: 401)) {
                try await GetDigestAuthByQopByUserByPasswdManager().load(
                    with: .init(qop: "auth", user: "u", passwd: "p"))
            }
        }
    }
}
