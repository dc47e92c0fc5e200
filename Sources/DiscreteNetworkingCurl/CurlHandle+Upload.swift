#if os(Linux)
    import CCurl
    import Foundation

    /// Bodies of requests.
    extension CurlHandle {
        func prepare(_ upload: CurlUpload, of request: APIRequest) {
            if let length = upload.length, length <= Self.inlineBody, case .data(let data) = request.body {
                set(CCURLOPT_POSTFIELDSIZE_LARGE, size: length)
                data.withUnsafeBytes { bytes in
                    // libcurl copies the size set above, and requires a pointer even for an empty body.
                    withUnsafePointer(to: 0) {
                        set(CCURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer($0))
                    }
                }
                return
            }
            let me = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
            set(CCURLOPT_UPLOAD, 1)
            set(CCURLOPT_INFILESIZE_LARGE, size: upload.length ?? -1)
            hint(CCURLOPT_UPLOAD_BUFFERSIZE, 256 * 1024)
            set(CCURLOPT_READDATA, me)
            set(CCURLOPT_SEEKDATA, me)
            note(ccurl_set_data_callback(easy, Int32(CCURLOPT_READFUNCTION), CurlCallbacks.read))
            note(ccurl_set_seek_callback(easy, CurlCallbacks.seek))
        }

        /// The maximum size of a body that is sent together with the head, in bytes.
        private static let inlineBody = 16 * 1024
    }
#endif
