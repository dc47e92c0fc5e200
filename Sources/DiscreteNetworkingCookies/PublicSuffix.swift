/// Domains below which unrelated parties register names: no cookie is for all hosts of one.
///
/// Not the Public Suffix List (publicsuffix.org), which has 10,000 rules and changes weekly, but its most used ones: every
/// domain of one label, the usual second labels of the country domains, and the hosting services of most use.
enum PublicSuffix {
    /// - Parameter domain: In lowercase, without a dot in front.
    static func contains(_ domain: String) -> Bool {
        let labels = domain.utf8.split(separator: UInt8(ascii: "."))
        guard labels.count > 1 else { return true }
        guard labels.count == 2, labels[1].count == 2 else { return hosting.contains(domain) }
        return seconds.contains(String(Substring(labels[0])))
            || wildcards.contains(String(Substring(labels[1])))
            || hosting.contains(domain)
    }

    /// Second labels below country domains of two letters.
    private static let seconds: Set<String> = [
        "ac", "co", "com", "edu", "gob", "go", "gov", "mil", "ne", "net", "nom", "or", "org", "sch",
    ]

    /// Country domains with every second label.
    private static let wildcards: Set<String> = ["bd", "ck", "er", "fk", "jm", "kh", "mm", "np", "pg"]

    private static let hosting: Set<String> = [
        // Countries
        "me.uk", "ltd.uk", "plc.uk", "nhs.uk", "police.uk", "id.au", "asn.au", "ad.jp", "ed.jp", "gr.jp",
        "lg.jp",
        "re.kr", "pe.kr", "idv.tw", "idv.hk", "firm.in", "gen.in", "ind.in", "web.id", "my.id", "blog.br",
        "art.br",
        "adv.br", "eng.br", "gen.tr", "web.tr", "geek.nz", "kiwi.nz", "in.th", "biz.vn", "name.vn",
        "info.pl", "biz.pl", "waw.pl", "in.ua", "kiev.ua", "msk.ru", "spb.ru",
        // Services
        "amazonaws.com", "s3.amazonaws.com", "elasticbeanstalk.com", "cloudfront.net", "amplifyapp.com",
        "appspot.com", "run.app", "a.run.app", "web.app", "firebaseapp.com", "blogspot.com", "withgoogle.com",
        "cloudfunctions.net", "googleapis.com", "azurewebsites.net", "azurestaticapps.net", "cloudapp.net",
        "azure-api.net", "azurefd.net", "github.io", "githubusercontent.com", "gitlab.io", "bitbucket.io",
        "pages.dev",
        "workers.dev", "trycloudflare.com", "vercel.app", "vercel.dev", "now.sh", "netlify.app",
        "herokuapp.com",
        "fly.dev", "onrender.com", "railway.app", "up.railway.app", "deno.dev", "surge.sh", "glitch.me",
        "repl.co",
        "ngrok.io", "ngrok.app", "ngrok-free.app", "myshopify.com", "wixsite.com", "webflow.io",
        "readthedocs.io",
        "ondigitalocean.app", "supabase.co", "streamlit.app", "hf.space", "aliyuncs.com", "myqcloud.com",
        "tencentcs.com", "translate.goog",
    ]
}
