#if os(Linux)
    import CCurl
    import CPoll
    import Foundation

    /// The sockets that epoll reports to libcurl.
    ///
    /// libcurl stops watching a connection after each exchange and watches it again for the next. It stays in epoll
    /// in between, which saves two system calls for each exchange.
    final class CurlSockets {
        private struct Registration {
            /// The events that epoll reports; 0 if the socket is not in epoll.
            var reported: Int32 = 0
            /// The events that libcurl waits for; 0 if there are none.
            var awaited: Int32 = 0
            /// Whether libcurl closes it with ``close(_:)``. It is unknown when another socket is closed: a new socket
            /// may have its number.
            var isConnection = false
            /// Whether it is a connection of HTTP/1 that carries no exchange, so that nothing may be received on it.
            var isIdle = false
        }

        private let poll: Int32
        /// By descriptor.
        private var registrations: [Registration] = []

        init(poll: Int32) { self.poll = poll }

        /// Records a new connection.
        func open(_ descriptor: Int32) { update(descriptor) { $0 = Registration(isConnection: true) } }

        /// Sets the events that libcurl waits for: `CCURL_POLL_*`.
        func watch(_ descriptor: Int32, _ events: Int32) {
            let poll = poll
            update(descriptor) { registration in
                registration.awaited = Int(events) == CCURL_POLL_REMOVE ? 0 : events
                if registration.awaited != 0 { registration.isIdle = false }
                guard registration.awaited != registration.reported else { return }
                if registration.awaited == 0 {
                    if registration.isConnection { return }
                    cpoll_forget(poll, descriptor)
                } else if registration.reported == 0 {
                    cpoll_watch(poll, descriptor, events)
                } else {
                    cpoll_change(poll, descriptor, events)
                }
                registration.reported = registration.awaited
            }
        }

        /// Records that the exchange of HTTP/1 on a connection has ended. The descriptor may be closed already.
        func rest(_ descriptor: Int32) {
            guard registrations.indices.contains(Int(descriptor)) else { return }
            update(descriptor) { $0.isIdle = $0.isConnection && $0.awaited == 0 }
        }

        /// Returns whether libcurl waits for the event that epoll has reported. If not, such as when a server closes
        /// an idle connection, epoll stops reporting it.
        ///
        /// An idle connection is shut down, so that libcurl does not use it again: data that was sent without a
        /// request would be the response to the next one (RFC 9112 section 9.2). Newer versions look for it.
        /// - Parameter isInUse: Whether an exchange without a known connection may use this one. Such an exchange was
        ///   paused before libcurl waited for its response.
        func isAwaited(_ descriptor: Int32, isInUse: @autoclosure () -> Bool) -> Bool {
            let poll = poll
            return update(descriptor) { registration in
                if registration.awaited != 0 { return true }
                if registration.isIdle, !isInUse() {
                    guard Self.hasInput(descriptor) else {
                        // It can be written to, which libcurl last waited for. Only what it receives counts.
                        cpoll_change(poll, descriptor, Int32(CCURL_POLL_IN))
                        registration.reported = Int32(CCURL_POLL_IN)
                        return false
                    }
                    _ = shutdown(descriptor, Int32(SHUT_RDWR))
                }
                if registration.reported != 0 { cpoll_forget(poll, descriptor) }
                registration.reported = 0
                return false
            }
        }

        /// Whether something was received on a connection, or the server has closed it.
        private static func hasInput(_ descriptor: Int32) -> Bool {
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            return count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
        }

        /// Closes a connection.
        func close(_ descriptor: Int32) {
            let poll = poll
            update(descriptor) { registration in
                // Closing alone would not do if a child process has inherited it.
                if registration.reported != 0 { cpoll_forget(poll, descriptor) }
                registration = Registration()
            }
            cpoll_close(descriptor)
        }

        private func update<Result>(_ descriptor: Int32, _ change: (inout Registration) -> Result) -> Result {
            let index = Int(descriptor)
            while registrations.count <= index { registrations.append(Registration()) }
            return change(&registrations[index])
        }
    }
#endif
