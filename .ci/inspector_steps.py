"""Steps of .ci/inspector-check: links, misses, large bodies, following, failures, and the end of the app."""
import json, re


def parsing(page, text):
    """How many milliseconds the page takes to parse a text of JSON."""
    return page.js(f"(text => {{ const start = performance.now(); JSON.parse(text); return performance.now() - start; }})({json.dumps(text)})")


def check_large_bodies(page, archive):
    """Megabytes of Chinese JSON, whole and cut, are shown without a frozen page."""
    # The body is shown at once.
    page.js("openTab = 'response'")
    item = {"名称": "白瓷茶壶", "说明": "适合四人使用，" * 20, "标签": ["新品", "包邮"]}
    whole = json.dumps({"data": [item] * 18_000}, ensure_ascii=False, separators=(",", ":"))
    for body in (whole, whole[:-1000], json.dumps("瓷" * 2_500_000, ensure_ascii=False).join("[]")):
        assert len(body.encode()) > 7_000_000, len(body.encode())
        large = archive(1)
        large["log"]["entries"][0]["response"]["content"] |= {"mimeType": "application/json", "text": body}
        page.open_another(large)
        before = parsing(page, whole)
        blocked = page.js("""new Promise(done => {
            let last = performance.now(), longest = 0, frames = 0;
            const look = () => {
                const now = performance.now();
                longest = Math.max(longest, now - last);
                last = now;
                if (document.querySelector('#detail h2')) frames += 1;
                frames > 5 ? done(longest) : requestAnimationFrame(look);
            };
            requestAnimationFrame(() => { last = performance.now(); list.select(1); requestAnimationFrame(look); });
        })""")
        # On a machine with other work to do, everything takes longer, and so does parsing.
        bound = max(1500, 30 * max(before, parsing(page, whole)))
        assert blocked < bound, f"a body of {len(body.encode())} bytes blocked a frame for {blocked:.0f} of {bound:.0f} ms"
        assert "瓷" in page.js("[...document.querySelectorAll('#detail .tree, #detail pre')].map(node => node.textContent).join('')"), "no body is shown"
        page.js("list.selectNothing()")


def check_following(page):
    """The list follows new calls only while it is at its end; selecting, keys and scrolling up stop it."""
    def row(number):
        return json.dumps({"id": number, "date": 1767225600000 + number, "state": "succeeded", "service": "shop", "manager": "M",
                           "endpoint": "a", "method": "GET", "status": 200, "duration": 1, "bars": []})

    def arrive(*numbers):
        page.js(f"receive({{ calls: [{','.join(map(row, numbers))}], oldest: 0 }})")
        page.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def newer():
        return page.js("(() => { const b = document.getElementById('newer'); return b && !b.hidden ? b.textContent : ''; })()")

    # The app knows nothing of these calls.
    page.js("(() => { kept.part = async () => null; })()")
    first = 1_000_000
    stops = {
        "selecting": "list.select(list.rows.at(-1).id)",
        "a key": None,
        "scrolling up": "list.view.scrollTop -= 200",
    }
    for number, (name, stop) in enumerate(stops.items()):
        page.js("list.selectNothing(); setFollowing(true)")
        at = first + 100 * number
        arrive(at)
        assert page.js("list.isFollowing") and newer() == "", name
        if stop:
            page.js(stop)
        else:
            page.js("document.getElementById('list').focus()")
            page.key("ArrowUp")
        page.until("document.getElementById('follow').getAttribute('aria-pressed') === 'false'", seconds=5)
        top = page.js("list.view.scrollTop")
        arrive(at + 1, at + 2)
        assert page.js("list.view.scrollTop") == top, name
        assert newer() == "↓ 2 new calls", (name, newer())
    page.click("newer")
    page.until("list.isFollowing && list.isAtEnd && document.getElementById('newer').hidden")
    # To the end by hand: it follows again.
    page.js("list.view.scrollTop -= 200")
    page.until("!list.isFollowing")
    page.js("list.view.scrollTop = list.view.scrollHeight")
    page.until("list.isFollowing")
    page.js("delete kept.part")


def check_failures(page):
    """The status says what failed, in words; times and large numbers are whole."""
    page.until("live.all.some(row => row.code !== undefined)", seconds=10)
    texts = page.js("live.all.filter(row => row.code !== undefined).map(statusText)")
    assert all(re.fullmatch(r"\d+ · \S+", text) for text in texts), texts
    # The last two as older versions wrote them.
    kinds = [["decoding", 200], ["connectionLost", None], ["http", 401], ["404", 404], ["transport", None]]
    texts = page.js(f"""{json.dumps(kinds)}.map(([errorKind, status]) => statusText({{ state: "failed", errorKind, status }}))""")
    assert texts == ["200 · decoding", "connection lost", "401 · http", "404 · http", "transport error"], texts
    others = '[{ state: "running", bars: [] }, { state: "succeeded", bars: [] }, { state: "succeeded", isSample: true, bars: [] }]'
    assert page.js(f"{others}.map(statusText)") == ["running", "no request", "sample"], page.js(f"{others}.map(statusText)")
    page.click("language")
    texts = page.js(f"""{json.dumps(kinds)}.map(([errorKind, status]) => statusText({{ state: "failed", errorKind, status }}))""")
    page.click("language")
    assert texts == ["200 · 解码失败", "连接中断", "401 · HTTP 错误", "404 · HTTP 错误", "网络错误"], texts
    sizes = page.js("[{ size: 5000 }, { size: 0 }, { size: 0, _isSizeUnknown: true }, undefined].map(content => sizeText(sizeOf(content)))")
    assert sizes == ["5.0 kB", "0 B", "–", "–"], sizes
    page.fill("text", "1000002")
    assert re.fullmatch(r"\d\d:\d\d:\d\d", page.rows()[0][1]), page.rows()
    assert page.js("[...document.querySelectorAll('#rows .number')].every(cell => cell.scrollWidth <= cell.clientWidth)"), "a number is cut"
    assert page.js("[...document.querySelectorAll('#rows .row')].every(row => row.children[1].scrollWidth <= row.children[1].clientWidth)"), "a time is cut"
    page.fill("text", "")
    # The app knows nothing of the calls that were made up.
    page.js("live.order.filter(id => id >= 1000000).forEach(id => live.byID.delete(id)); live.order = live.order.filter(id => id < 1000000); draw()")
    page.until("list.rows.every(row => row.id < 1000000)")


def check_clear(page):
    """Calls that were cleared stay away when they change."""
    page.click("clear")
    page.js("""receive({ calls: [{ id: 5, date: 0, state: "succeeded", service: "shop", manager: "M", endpoint: "a", method: "GET",
        bars: [] }], oldest: 0 })""")
    assert page.js("live.byID.has(5)") is False


def check_end(page, ended):
    """When the app has ended, its traffic stays: failed calls have their details, and the export has them."""
    failed = page.js("live.all.find(row => row.state === 'failed' && kept.parts.has(row.id))?.id")
    assert failed, "no details of a failed call were fetched ahead"
    # Nobody has looked at most of them.
    page.until("live.all.filter(row => row.state === 'failed').slice(-20).every(row => kept.parts.has(row.id))", seconds=10)
    page.js(f"list.select({failed})")
    names = "[...document.querySelectorAll('#detail .actions button')].map(button => button.textContent)"
    page.until(f"{names}.includes('Send again')")
    page.js(f"kept.part({failed}).then(part => act('throttle', {{ ...endpointOf(part), seconds: 0.1 }})).then(drawRules)")
    page.until("document.getElementById('rules').textContent.startsWith('Slow') && !document.getElementById('rules').hidden")
    ended()
    page.until("document.getElementById('state').textContent === 'The app has ended'")
    page.until(f"document.querySelector('#detail h2').textContent.endsWith('#{failed}')")
    # What only the app could do is not offered, and its rules have ended with it.
    page.until(f"{names}.join() === 'Pin' && document.getElementById('rules').hidden", seconds=5)
    # What the list knows stays, also of a call that nobody looked at.
    other = page.js("live.all.find(row => row.state !== 'failed' && !kept.parts.has(row.id)).id")
    page.js(f"list.select({other})")
    page.until("document.getElementById('detail').textContent.includes('were not kept')")
    assert page.js(f"document.querySelector('#detail h2').textContent === `${{live.byID.get({other}).service}}/${{live.byID.get({other}).endpoint}} #{other}`")
    page.js("list.selectNothing()")
    pages = page.export()["log"]["pages"]
    assert failed in [part["_requestID"] for part in pages], pages


def check_links(page):
    """A call that waited for a refresh leads to it, and that leads back."""
    waiting = page.js("""(async () => {
        for (const row of live.all) {
            const { log } = await (await fetch(`calls/${row.id}`)).json();
            if (log.pages[0]._waitedFor) return row.id;
        }
    })()""")
    page.js(f"list.select({waiting})")
    page.until("document.querySelector('#tab-steps')")
    page.tab("steps")
    page.until("document.querySelector('#detail .link')")
    assert re.search(r"Waited .* for (refresh|login) #\d+", page.text("detail")), page.text("detail")
    page.js("document.querySelector('#detail .link').click()")
    page.until(f"list.current !== {waiting}")
    page.until("!document.querySelector('#detail h2').textContent.endsWith('#" + str(waiting) + "')")
    page.tab("overview")
    page.until("document.getElementById('detail').innerText.includes('Calls that waited for it:')")
    assert page.js("list.current") != waiting
    page.js(f"[...document.querySelectorAll('#detail .link')].find(link => link.textContent === '#{waiting}').click()")
    page.until(f"list.current === {waiting} && document.querySelector('#detail h2').textContent.endsWith('#{waiting}')")
    return waiting


def check_misses(page):
    """A call that found no cached response says why."""
    missed = page.js("""(async () => {
        for (const row of live.all) {
            const { log } = await (await fetch(`calls/${row.id}`)).json();
            if (log.pages[0].comment) return [row.id, log.pages[0].comment];
        }
    })()""")
    page.js(f"list.select({missed[0]})")
    page.until(f"document.getElementById('detail').innerText.includes({json.dumps(missed[1])})")
    page.tab("steps")
    assert re.search(r"(Not in the cache|Not shared): \w", page.text("detail")), page.text("detail")


def check_refusals(page):
    """A call that its validator refused is in the list, with the reason."""
    refused = page.js("live.all.find(row => row.errorKind === 'invalidParams')?.id")
    assert refused, "no refused call is in the list"
    page.js(f"list.select({refused})")
    page.tab("steps")
    page.until("document.getElementById('detail').innerText.includes('Not started')")
    assert "quantity has to be 1 to 99" in page.text("detail"), page.text("detail")
    assert page.js(f"statusText(live.byID.get({refused}))") == "invalid params"
    page.js("list.selectNothing()")
