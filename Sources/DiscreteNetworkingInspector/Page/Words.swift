extension InspectorPage {
    static let words = #"""
        // The page in two languages.
        const words = {
          en: {
            language: "中文", theme: "Theme", follow: "Follow", pause: "Pause", clear: "Clear", export: "Export HAR", open: "Open HAR",
            backToLive: "Back to the running app", filterText: "Filter", service: "Service", manager: "Manager", tag: "Tag",
            status: "Status", duration: "Duration", calls: "Calls", details: "Details", all: "All", size: "Size",
            connected: "Connected", disconnected: "The app has ended", paused: "Paused", file: "File", menu: "More", back: "‹ Calls", endpoint: "Endpoint",
            method: "Method", waterfall: "Waterfall", number: "No.", time: "Time", running: "running", sampled: "sample", noRequest: "no request", succeeded: "Succeeded", failed: "Failed",
            cached: "cached", isRunning: "Running", isCached: "From the cache", empty: "No calls yet. They appear here as the app makes them.",
            nothing: "No call matches the filter.", count: (shown, all) => `${shown} of ${all} calls`,
            chosen: count => `, ${count} selected`, keys: "↑ ↓ choose · Shift extend · / filter · Esc close",
            notAFile: "This is not a HAR file: ", gone: "The app no longer has this call.", notKept: "The app has ended, and the details of this call were not kept.",
            newer: count => `↓ ${count} new ${count === 1 ? "call" : "calls"}`, more: "Show more", copy: "Copy", copied: "Copied",
            params: "Params", request: "Request", response: "Response", requestHeaders: "Request header fields", responseHeaders: "Response header fields",
            requestBody: "Request body", responseBody: "Response body", steps: "Steps",
            timings: "Times", envelope: "Envelope", code: "Code", message: "Message", attempt: number => `Attempt ${number}`, url: "URL",
            version: "Protocol", noResponse: "No response", binary: "Binary, in Base64", shared: "Shared the response to an identical request",
            sample: "Sample of the manager", renewal: "Part of a refresh or login", awaitedBy: "Calls that waited for it:", started: "Started", total: "Total",
            waited: { waitingForRefresh: time => `Waited ${time} for refresh`, waitingForLogin: time => `Waited ${time} for login`, waitingForCSRFToken: time => `Waited ${time} for a CSRF token` },
            slowest: (step, time, part) => `Most of the time: ${step}, ${time} (${part}%)`, colon: ": ",
            overview: "Overview", query: "Query", name: "Name", value: "Value", step: "Step", attempts: "Attempts", close: "Close", openClose: "Open or close",
            copyValue: "Copy value", copyPath: "Copy path", tree: "Tree", plain: "Text", part: "Part", event: "Event", eventID: "ID", data: "Data",
            missing: name => ` — ${name} is missing`, notDecoded: path => `Could not be decoded: ${path}`, withSecrets: "With secrets",
            refused: "Not done: ", columns: "Columns", sortBy: (name, isUp) => `Sort by ${name}, ${isUp ? "ascending" : "descending or ascending"}`,
            widthOf: name => `Width of ${name}`, deep: "Search bodies", deepTitle: "Filter by params, header fields and bodies too", pin: "Pin", unpin: "Unpin", pinnedOnes: "Pinned", compare: "Compare", error: "Error",
            compared: (a, b) => `${a} and ${b}`, identical: "No difference", sendAgain: "Send again", editAndSend: "Edit and send", mock: "Mock response",
            slowDown: "Slow down", moreFields: "Header fields, one a line", contentType: "Content type", times: "Number of calls to respond to", seconds: "Delay of each call, in seconds",
            do: "OK", cancel: "Cancel", wrongInput: "This cannot be read: ", endRule: "End",
            queue: "Queue", queueEmpty: "No call waits to be sent. The calls of outboxes and background transfers appear here.", queueStates: { waiting: "Waiting", sending: "Being sent", dead: "Not sent any more" },
            queueColumns: { state: "State", manager: "Manager", lane: "Lane", user: "User", attempts: "Failures", time: "Queued at", reason: "Why" },
            mocked: (name, status, count) => `Mock: ${name} → ${status}, ${count} left`, slowed: (name, seconds) => `Slow: ${name} + ${seconds} s`,
            kinds: {
              transport: "transport error", unknown: "transport error", transfer: "local file failed", invalidRequest: "invalid request",
              nestedTooDeeply: "nested too deeply", deadlineExceeded: "past its deadline", cancelled: "canceled", loginCancelled: "login canceled",
              notConnectedToInternet: "no network", notReachable: "no network", secureConnectionFailed: "TLS failed",
              serverCertificateUntrusted: "untrusted certificate", publicKeyNotPinned: "key not pinned", clientCertificateRejected: "certificate rejected",
              bodyUnavailable: "no request body", badResponse: "malformed response", responseTooLarge: "response too large",
              plainHTTPRefused: "plain HTTP refused",
            },
            objectOf: count => `Object, ${count} ${count === "1" ? "member" : "members"}`, over: count => `over ${count}`,
            arrayOf: count => `Array, ${count} ${count === "1" ? "element" : "elements"}`,
            legend: "The line is the whole call, each bar a request: green if it succeeded, red if it failed, yellow in flight or redirected.",
            phases: { blocked: "Blocked", dns: "DNS", connect: "Connect", ssl: "TLS", send: "Send", wait: "Wait", receive: "Receive" },
            stepNames: {
              started: "Started", delayed: "Delayed", waitingForNetwork: "Waiting for the network", waitingForOtherCalls: "Waiting for other calls",
              waitingForRefresh: "Waiting for new tokens", waitingForLogin: "Waiting for a login", waitingForCSRFToken: "Waiting for a CSRF token", sent: "Request sent, attempt",
              joined: "Joined an identical request", received: status => `Response received, ${status}`, decoded: "Decoded", repeated: "Retried",
              servedFromCache: "Served from the cache", notInCache: "Not in the cache", notShared: "Not shared", failed: "Failed", swallowed: "Handled by the service",
              failedAndRepeated: "Failed, will be retried", failedUntilRefreshed: "Failed, needs new tokens",
              failedUntilLoggedIn: "Failed, needs a login", degraded: "Endpoint degraded", refused: "Not started", failedOver: "Goes on at", recovered: "Recovered by a plugin", finished: "Finished",
            },
            spans: {
              started: "preparing the request", delayed: "the delay before the request", waitingForNetwork: "waiting for the network", waitingForOtherCalls: "waiting for other calls",
              waitingForRefresh: "waiting for new tokens", waitingForLogin: "waiting for a login", waitingForCSRFToken: "waiting for a CSRF token", sent: "waiting for the server",
              joined: "waiting for an identical request", received: "reading the response", decoded: "delivering the outcome",
              repeated: "the delay before the retry", servedFromCache: "delivering the cached response", failed: "handling the failure",
              notInCache: "preparing the request", notShared: "waiting for the server",
              failedAndRepeated: "handling the failure", failedUntilRefreshed: "waiting for new tokens", failedUntilLoggedIn: "waiting for a login",
              degraded: "handling the failure", swallowed: "delivering the outcome", recovered: "delivering the outcome", failedOver: "changing the host",
            },
          },
          zh: {
            language: "English", theme: "主题", follow: "自动滚动", pause: "暂停", clear: "清空", export: "导出 HAR", open: "打开 HAR",
            backToLive: "回到运行中的 App", filterText: "筛选", service: "Service", manager: "Manager", tag: "标签",
            status: "状态", duration: "耗时", calls: "调用", details: "详情", all: "全部", size: "大小",
            connected: "已连接", disconnected: "App 已退出", paused: "已暂停", file: "文件", menu: "更多", back: "‹ 调用", endpoint: "接口",
            method: "方法", waterfall: "时间线", number: "编号", time: "时间", running: "进行中", sampled: "样例", noRequest: "未发请求", succeeded: "成功", failed: "失败",
            cached: "缓存", isRunning: "进行中", isCached: "来自缓存", empty: "还没有调用。App 发起的调用会显示在这里。",
            nothing: "没有符合筛选条件的调用。", count: (shown, all) => `${shown} / ${all} 个调用`,
            chosen: count => `，已选 ${count} 个`, keys: "↑ ↓ 选择 · Shift 扩选 · / 筛选 · Esc 关闭",
            notAFile: "这不是 HAR 文件：", gone: "App 已不再保留这个调用。", notKept: "App 已退出，这个调用的详情未保留。",
            newer: count => `↓ ${count} 个新调用`, more: "显示更多", copy: "复制", copied: "已复制",
            params: "参数", request: "请求", response: "响应", requestHeaders: "请求头", responseHeaders: "响应头",
            requestBody: "请求体", responseBody: "响应体", steps: "步骤",
            timings: "耗时分布", envelope: "业务响应", code: "业务码", message: "消息", attempt: number => `第 ${number} 次`, url: "URL",
            version: "协议", noResponse: "没有响应", binary: "二进制（Base64）", shared: "与相同的请求共用响应",
            sample: "Manager 的样例", renewal: "属于刷新或登录", awaitedBy: "等待它的调用：", started: "开始", total: "合计",
            waited: { waitingForRefresh: time => `等待刷新（${time}）`, waitingForLogin: time => `等待登录（${time}）`, waitingForCSRFToken: time => `等待 CSRF token（${time}）` },
            slowest: (step, time, part) => `耗时最多：${step}，${time}（${part}%）`, colon: "：",
            overview: "概览", query: "查询参数", name: "名称", value: "值", step: "步骤", attempts: "尝试次数", close: "关闭", openClose: "展开或收起",
            copyValue: "复制值", copyPath: "复制路径", tree: "树形", plain: "文本", part: "部分", event: "事件", eventID: "ID", data: "数据",
            missing: name => `（缺少 ${name}）`, notDecoded: path => `解码失败的位置：${path}`, withSecrets: "包含敏感信息",
            refused: "未执行：", columns: "列", sortBy: (name, isUp) => `按${name}排序（${isUp ? "升序" : "降序或升序"}）`,
            widthOf: name => `${name}列宽`, deep: "搜索内容", deepTitle: "同时筛选参数、请求头、响应头和请求体、响应体", pin: "固定", unpin: "取消固定", pinnedOnes: "已固定", compare: "对比", error: "错误",
            compared: (a, b) => `${a} 与 ${b}`, identical: "没有差异", sendAgain: "重新发送", editAndSend: "编辑并发送", mock: "模拟响应",
            slowDown: "延迟", moreFields: "请求头，每行一个", contentType: "内容类型", times: "模拟次数", seconds: "每次调用的延迟（秒）",
            do: "确定", cancel: "取消", wrongInput: "无法解析：", endRule: "结束",
            queue: "待发送", queueEmpty: "没有等待发送的调用。发件箱和后台传输的调用会显示在这里。", queueStates: { waiting: "等待", sending: "正在发送", dead: "不再发送" },
            queueColumns: { state: "状态", manager: "Manager", lane: "通道", user: "用户", attempts: "失败次数", time: "加入时间", reason: "原因" },
            mocked: (name, status, count) => `模拟：${name} → ${status}，剩余 ${count} 次`, slowed: (name, seconds) => `延迟：${name}，${seconds} 秒`,
            kinds: {
              vetoed: "被拦截", invalidParams: "参数无效", notReachable: "网络不可用", degraded: "已降级", invalidRequest: "请求无效", timeout: "超时",
              cancelled: "已取消", business: "业务失败", decoding: "解码失败", invalidResponse: "响应无效", refreshFailed: "刷新失败", loginRequired: "需要登录", sessionUnavailable: "登录状态暂不可读",
              loginFailed: "登录失败", loginCancelled: "登录已取消", swallowed: "由 Service 处理", deadlineExceeded: "超过期限", notCached: "无缓存",
              connectionLost: "连接中断", cannotConnect: "无法连接", cannotFindHost: "找不到主机", timedOut: "超时", serviceNotRegistered: "Service 未注册",
              serviceCycle: "Service 循环引用", invalidService: "Service 配置无效", nestedTooDeeply: "嵌套过深", transport: "网络错误", unknown: "网络错误",
              transfer: "本地文件错误", http: "HTTP 错误", notConnectedToInternet: "网络不可用", secureConnectionFailed: "TLS 握手失败",
              serverCertificateUntrusted: "证书不受信任", publicKeyNotPinned: "公钥不匹配", clientCertificateRejected: "客户端证书被拒",
              bodyUnavailable: "请求体不可用", badResponse: "响应格式错误", responseTooLarge: "响应过大", redirectRefused: "拒绝重定向",
              plainHTTPRefused: "拒绝明文 HTTP", unsupported: "不支持的请求",
            },
            objectOf: count => `对象，${count} 个成员`, arrayOf: count => `数组，${count} 个元素`, over: count => `超过 ${count}`,
            legend: "细线是整个调用，色条是每次请求：绿色成功，红色失败，黄色进行中或重定向。",
            phases: { blocked: "排队", dns: "DNS", connect: "连接", ssl: "TLS", send: "发送", wait: "等待", receive: "接收" },
            stepNames: {
              started: "开始", delayed: "推迟", waitingForNetwork: "等待网络", waitingForOtherCalls: "等待其他调用", waitingForRefresh: "等待新 token",
              waitingForLogin: "等待登录", waitingForCSRFToken: "等待 CSRF token", sent: number => `发出请求（第 ${number} 次）`, joined: "加入相同的请求", received: status => `收到响应（${status}）`, decoded: "解码完成",
              repeated: "重试", servedFromCache: "由缓存返回", notInCache: "缓存中没有", notShared: "未与其他请求共用", failed: "失败", swallowed: "由 Service 处理", failedAndRepeated: "失败，将重试",
              failedUntilRefreshed: "失败，需要新 token", failedUntilLoggedIn: "失败，需要登录", degraded: "接口已降级", refused: "未发起", failedOver: "改用主机", recovered: "由插件恢复", finished: "结束",
            },
            spans: {
              started: "准备请求", delayed: "发送前的延迟", waitingForNetwork: "等待网络", waitingForOtherCalls: "等待其他调用", waitingForRefresh: "等待新 token",
              waitingForLogin: "等待登录", waitingForCSRFToken: "等待 CSRF token", sent: "等待服务器", joined: "等待相同的请求", received: "读取响应", decoded: "交付结果",
              repeated: "重试前的延迟", servedFromCache: "交付缓存的响应", notInCache: "准备请求", notShared: "等待服务器", failed: "处理失败", failedAndRepeated: "处理失败",
              failedUntilRefreshed: "等待新 token", failedUntilLoggedIn: "等待登录",
              degraded: "处理失败", swallowed: "交付结果", recovered: "交付结果", failedOver: "切换主机",
            },
          },
        };

        /** What is remembered of the page's looks; nothing where the browser remembers nothing. */
        const settings = {
          read(name) { try { return localStorage.getItem(name); } catch { return null; } },
          write(name, value) { try { localStorage.setItem(name, value); } catch { /* A private window. */ } },
        };

        let language = settings.read("language") ?? (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en");
        const word = name => words[language][name];

        /** Writes the page's fixed texts in the current language. */
        function translatePage() {
          document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
          for (const node of document.querySelectorAll("[data-word]")) {
            node.textContent = word(node.dataset.word);
            if (node.dataset.key) node.title = `${word(node.dataset.title ?? node.dataset.word)} (${node.dataset.key})`;
          }
          for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", word(node.dataset.label));
          for (const node of document.querySelectorAll("[data-placeholder]")) node.placeholder = word(node.dataset.placeholder);
        }
        """#
}
