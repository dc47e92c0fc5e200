import DiscreteNetworkingCore

/// What a drift means to the backend's team, in English and Chinese, without a name of the app's code.
struct DriftSentence {
    let english: String
    let chinese: String

    init(of drift: Drift, _ detail: DriftDetail?) {
        let types = detail?.expected?.types.text ?? ""
        let expected = types.isEmpty ? "" : " The app expects \(types)."
        let expectedChinese = types.isEmpty ? "" : "App 期望的类型：\(types)。"
        switch drift.kind {
        case .removed where drift.path == FieldPath():
            (english, chinese) = ("is empty or not JSON.", "响应体为空或不是 JSON。")
        case .removed:
            (english, chinese) = ("is missing.\(expected)", "缺失。\(expectedChinese)")
        case .newlyAbsent:
            (english, chinese) = (
                "is missing in some objects, and was in all.\(expected)", "在部分对象中缺失，以前始终存在。\(expectedChinese)"
            )
        case .becameNull:
            (english, chinese) = (
                "is null, and never was.\(expected)", "为 null，以前从未为 null。\(expectedChinese)"
            )
        case .typeChanged(let old, let new):
            (english, chinese) = (
                "has another type: \(new.text). The app expects \(old.text).",
                "类型变为 \(new.text)。App 期望的类型：\(old.text)。"
            )
        case .newValues(let values):
            let list = values.sorted().prefix(5).map { JSONValue.string($0).canonicalText }.joined(
                separator: ", ")
            (english, chinese) = ("has values that it never had: \(list).", "出现新的取值：\(list)。")
        case .formatChanged(let format):
            (english, chinese) = ("is no \(format.rawValue) any more.", "不再是 \(format.rawValue) 格式。")
        case .added(let types):
            (english, chinese) = ("is new: \(types.text).", "为新增字段，类型：\(types.text)。")
        }
    }

    /// What a response means that there is none of, or that cannot be read.
    static func meaning(isGone: Bool) -> (english: String, chinese: String) {
        isGone
            ? ("Apps in use call an endpoint that there is no more.", "已发布的 App 仍在调用该接口，但接口已不存在。")
            : meaning(.breaking)
    }

    /// What a severity means.
    static func meaning(_ severity: Drift.Severity) -> (english: String, chinese: String) {
        switch severity {
        case .breaking: ("Apps in use cannot read this response.", "已发布的 App 无法读取该响应。")
        case .warning: ("Apps in use can still read this response.", "已发布的 App 仍可读取该响应，但需要确认。")
        case .news: ("No action is needed.", "无需处理。")
        }
    }
}
