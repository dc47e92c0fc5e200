#if os(macOS) || os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// Servers that somebody else wrote, over HTTPS: they compare the token with the cookie, and require a `Referer`.
    @MainActor
    final class CSRFServerTests: XCTestCase {
        /// Starts a program under gunicorn.
        /// - Returns: A stack whose service is the program, once it responds.
        private func stack(_ program: String, _ change: (inout TestService.Rules) -> Void) async throws
            -> Stack
        {
            let authority = try SharedServers.authority()
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "csrf-" + UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try program.write(to: folder.appendingPathComponent("app.py"), atomically: true, encoding: .utf8)
            let port = try LoopbackServer.refusedPort()
            let process = try ServerProcess(
                "gunicorn",
                [
                    "--bind", "127.0.0.1:\(port)", "--threads", "8", "--certfile",
                    authority.server.certificate.path, "--keyfile", authority.server.key.path, "app:app",
                ], port: port, folder: folder)
            addTeardownBlock {
                process.stop()
                try? FileManager.default.removeItem(at: folder)
            }
            let transport = try XCTUnwrap(
                PlatformTransport.make(tls: TLSPolicy(certificateAuthorities: authority.root.certificate)))
            let stack = Stack(transport) { rules in
                rules.baseURL = URL(string: "https://localhost:\(port)")!
                rules.cookies = CookieJar()
                rules.timeout = 120
                change(&rules)
            }
            // gunicorn listens before the program is loaded, which may fail.
            let hello = stack.manager(TestManager<JSONValue>())
            hello.methodName = "hello"
            do {
                _ = try await hello.load()
            } catch {
                throw Tool.missing(
                    "The server does not answer; pip install gunicorn flask-wtf django. \(error) \(process.text)"
                )
            }
            return stack
        }

        private func fetches(_ recorder: EventTests.Recorder, _ path: String) -> Int {
            recorder.events.current.filter { event in
                if case .sent(let request) = event.kind { request.url.path == path } else { false }
            }.count
        }

        func testTokenIsAcceptedByFlaskWTF() async throws {
            let stack = try await stack(Self.flask) {
                $0.csrf = CSRFProtection(endpoint: "csrf", at: "result", header: "X-CSRFToken")
            }
            let recorder = EventTests.Recorder()
            stack.proxy.addObserver(recorder)
            var errors = await stack.post(30)
            XCTAssertEqual(errors.map(\.description), [])
            XCTAssertEqual(fetches(recorder, "/csrf"), 1)
            // The server forgets the token of the session.
            let forget = stack.manager(TestManager<JSONValue>())
            forget.methodName = "forget"
            _ = try await forget.load()
            errors = await stack.post(30)
            XCTAssertEqual(errors.map(\.description), [])
            XCTAssertEqual(fetches(recorder, "/csrf"), 2)
        }

        func testTokenIsAcceptedByDjango() async throws {
            let stack = try await stack(Self.django) {
                $0.csrf = CSRFProtection(
                    cookie: "csrftoken", setBy: "token", header: "X-CSRFToken")
            }
            let recorder = EventTests.Recorder()
            stack.proxy.addObserver(recorder)
            var errors = await stack.post(30)
            XCTAssertEqual(errors.map(\.description), [])
            XCTAssertEqual(fetches(recorder, "/token"), 1)
            // A cookie that the server did not issue: the rejections set another one.
            let stage = stack.manager(TestManager<JSONValue>())
            stage.methodName = "break"
            _ = try await stage.load()
            errors = await stack.post(30)
            XCTAssertEqual(errors.map(\.description), [])
            XCTAssertEqual(fetches(recorder, "/token"), 1)
            // No cookie.
            stage.methodName = "drop"
            _ = try await stage.load()
            errors = await stack.post(30)
            XCTAssertEqual(errors.map(\.description), [])
            XCTAssertEqual(fetches(recorder, "/token"), 2)
        }

        /// Apache Superset, if `SUPERSET_URL` says where; see Tests/SupersetLive/check.
        func testTokenIsAcceptedBySuperset() async throws {
            let environment = ProcessInfo.processInfo.environment
            guard let url = environment["SUPERSET_URL"].flatMap(URL.init(string:)) else {
                throw XCTSkip("SUPERSET_URL is not set")
            }
            let stack = try await superset(url)
            stack.change {
                $0.csrf = CSRFProtection(
                    endpoint: "security/csrf_token/", at: "result", header: "X-CSRFToken")
            }
            let recorder = EventTests.Recorder()
            stack.proxy.addObserver(recorder)
            var errors = await tag(30, stack)
            XCTAssertEqual(errors.map(\.description), [])
            XCTAssertEqual(fetches(recorder, url.path + "/security/csrf_token"), 1)
            stack.service.configuration.cookies?.removeAll()
            errors = await tag(30, stack)
            XCTAssertEqual(errors.map(\.description), [])
            XCTAssertEqual(fetches(recorder, url.path + "/security/csrf_token"), 2)
            // The server no longer knows the token of the session cookie.
            let forged = HTTPCookie(properties: [
                .name: "session", .value: "e30.forged.cookie", .domain: url.host ?? "", .path: "/",
            ])
            XCTAssertEqual(stack.service.configuration.cookies?.add(try XCTUnwrap(forged)), true)
            errors = await tag(30, stack)
            XCTAssertEqual(errors.map(\.description), [])
        }

        /// A stack with a user of Superset.
        private func superset(_ url: URL) async throws -> Stack {
            let stack = Stack(StandardTransport.make()) { rules in
                rules.baseURL = url
                rules.cookies = CookieJar()
                rules.timeout = 120
                rules.session = TokenSession()
            }
            let login = stack.manager(TestManager<JSONValue>())
            (login.methodName, login.requestType, login.ownSessionUse) = ("security/login", .post, false)
            let answer = try await login.load(
                with: ["username": "admin", "password": "admin", "provider": "db", "refresh": true])
            let token = try XCTUnwrap(answer["access_token"]?.string)
            stack.service.configuration.session?.adopt(SessionTokens(accessToken: token, user: "admin"))
            return stack
        }

        /// Makes tags at the same time.
        /// - Returns: The errors of those that failed.
        private func tag(_ count: Int, _ stack: Stack) async -> [APIError] {
            let managers = (0..<count).map { _ in
                let manager = stack.manager(TestManager<JSONValue>())
                (manager.methodName, manager.requestType) = ("tag/", .post)
                return manager
            }
            for manager in managers {
                manager.loadData(with: ["name": "\(UUID())", "objects_to_tag": [] as [String]])
            }
            await until { !managers.contains { $0.isLoading } }
            return managers.compactMap(\.error)
        }

        private static let flask = """
            from flask import Flask, jsonify, session
            from flask_wtf.csrf import CSRFProtect, generate_csrf

            app = Flask(__name__)
            app.secret_key = "k" * 32
            app.config["SESSION_COOKIE_SECURE"] = True
            CSRFProtect(app)

            @app.get("/hello")
            def hello():
                return jsonify(hello=True)

            @app.get("/csrf")
            def csrf():
                return jsonify(result=generate_csrf())

            @app.get("/forget")
            def forget():
                session.clear()
                session["user"] = 1
                return jsonify(forgotten=True)

            @app.post("/orders/<number>")
            def order(number):
                session["last"] = number
                return jsonify(id=int(number), name="order")
            """

        private static let django = """
            import django
            from django.conf import settings

            settings.configure(
                SECRET_KEY="k" * 32, ROOT_URLCONF=__name__, ALLOWED_HOSTS=["localhost"],
                CSRF_COOKIE_SECURE=True, SECURE_PROXY_SSL_HEADER=None,
                MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware"])
            django.setup()

            from django.core.wsgi import get_wsgi_application
            from django.http import HttpResponse, JsonResponse
            from django.middleware.csrf import rotate_token
            from django.urls import path

            def hello(request):
                return JsonResponse({"hello": True})

            def token(request):
                rotate_token(request)
                return HttpResponse("<html>a page</html>")

            def broken(request):
                response = JsonResponse({"broken": True})
                response.set_cookie("csrftoken", "short", secure=True)
                return response

            def drop(request):
                response = JsonResponse({"dropped": True})
                response.delete_cookie("csrftoken")
                return response

            def order(request, number):
                return JsonResponse({"id": number, "name": "order"})

            urlpatterns = [
                path("hello", hello), path("token", token), path("break", broken), path("drop", drop),
                path("orders/<int:number>", order)]
            app = get_wsgi_application()
            """
    }
#endif
