import DiscreteNetworking
import LoopbackServer

extension ShopBackend {
    var questionRoutes: [LoopbackRoute] {
        [
            .post("/questions/graphql") { request in
                let params = ReceivedParams(request)
                guard params.string("query")?.contains("questions(product: $id)") == true else {
                    return .json(#"{"errors":[{"message":"Syntax Error"}]}"#)
                }
                guard params["variables"]["id"].int == 3 else {
                    return .json(
                        #"{"data":null,"errors":[{"message":"商品不存在","extensions":{"code":"NOT_FOUND"}}]}"#)
                }
                return .json(
                    #"""
                    {"data":{"questions":["可以泡普洱吗？"],"answers":null},
                     "errors":[{"message":"卖家还没有回答","path":["answers"],"extensions":{"code":"NO_ANSWER"}}]}
                    """#)
            }
        ]
    }
}
