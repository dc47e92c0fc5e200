"""Steps of .ci/inspector-check: order and widths of columns, search in contents, pinned calls, comparison, and actions."""
import json

FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def check_columns(page):
    """A column orders the calls and can be made wider; the waterfall has an axis."""
    page.js("list.selectNothing()")
    page.click("sort-duration")
    page.js(FRAMES)
    durations = page.js("list.rows.filter(row => row.state !== 'running').map(durationOf)")
    assert durations == sorted(durations) and len(set(durations)) > 1, durations
    page.click("sort-duration")
    page.js(FRAMES)
    durations = page.js("list.rows.filter(row => row.state !== 'running').map(durationOf)")
    assert durations == sorted(durations, reverse=True), durations
    assert page.js("list.isFollowing") is False
    # Following needs the order of numbers.
    page.click("follow")
    page.js(FRAMES)
    numbers = page.js("list.rows.map(row => row.id)")
    assert numbers == sorted(numbers) and page.js("list.isFollowing"), numbers
    width = "document.querySelector('#rows .row').children[2].getBoundingClientRect().width"
    before = page.js(width)
    page.js("document.querySelectorAll('#heads .grip')[2].focus()")
    page.key("ArrowRight")
    assert page.js(width) == before + 16, (before, page.js(width))
    x, y = page.js("(() => { const { x, y, width } = document.querySelectorAll('#heads .grip')[2].getBoundingClientRect(); return [x + width / 2, y + 8]; })()")
    for kind, at in (("mousePressed", x), ("mouseMoved", x + 40), ("mouseReleased", x + 40)):
        page.send("Input.dispatchMouseEvent", type=kind, x=at, y=y, button="left", buttons=1, clickCount=1)
    assert abs(page.js(width) - before - 56) < 2, (before, page.js(width))
    page.js("[...widths.keys()].forEach(name => setWidth(name, undefined))")
    assert page.js(width) == before
    ticks = page.js("[...document.querySelectorAll('#heads .ticks span')].map(tick => tick.textContent)")
    assert len(ticks) == 3 and ticks[2].endswith("s") and ticks[0] != ticks[2], ticks


def check_search(page):
    """The filter finds what only params, header fields and bodies have, in the app and in a file."""
    text = page.js("""(async () => {
        for (const row of live.all) {
            const { log } = await (await fetch(`calls/${row.id}`)).json();
            const found = /"name":"([^"\\\\ ]{2,})"/.exec(log.entries.at(-1)?.response.content.text ?? "");
            if (found && !row.haystack.includes(found[1].toLowerCase())) return found[1];
        }
    })()""")
    assert text, "no response has a name"
    page.fill("text", text)
    assert page.count()[0] == 0, page.rows()
    page.click("deep")
    page.until("list.rows.length > 0", seconds=10)
    found = page.js("(async () => (await Promise.all(list.rows.map(row => kept.part(row.id)))).every(part => JSON.stringify(part).includes("
                    + json.dumps(text) + ")))()")
    assert found, (text, page.rows())
    page.fill("text", "")
    page.click("deep")


def check_pins(page):
    """A pinned call stays when the app forgets it, and when the list is cleared."""
    first = page.js("live.all[0].id")
    page.js(f"list.select({first})")
    page.until("document.getElementById('pin')")
    page.click("pin")
    page.until("document.getElementById('pin').textContent === 'Unpin'")
    page.fill("status", "pinned")
    assert [row[0] for row in page.rows()] == [str(first)], page.rows()
    page.fill("status", "")
    kept = page.js("""(() => { const calls = new Calls(), put = id => calls.put([{ id, service: "a", bars: [] }]);
        [1, 2, 3].forEach(put); calls.pinned.add(1); calls.dropBefore(3); const dropped = [...calls.order];
        calls.clear(); return [dropped, calls.order]; })()""")
    assert kept == [[1, 3], [1]], kept
    page.click("pin")
    page.until("document.getElementById('pin').textContent === 'Pin'")


def check_comparison(page):
    """Two calls show what differs, and nothing else."""
    pair = page.js("""(() => { const orders = live.all.filter(row => row.endpoint === "cart/items" && row.state !== "running");
        return [orders[0].id, orders.at(-1).id]; })()""")
    page.js(f"list.select({pair[0]}); list.toggle({pair[1]})")
    page.until("[...document.querySelectorAll('#detail .actions button')].some(button => button.textContent === 'Compare')")
    page.js("document.activeElement.blur()")
    page.key("d")
    page.until(f"document.querySelector('#detail h2').textContent === '#{pair[0]} and #{pair[1]}'")
    rows = page.js("[...document.querySelectorAll('#detail .differences tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))")
    assert rows and all(row[1] != row[2] for row in rows) and ['productID', '1', '3'] in rows, rows
    assert len([row for row in rows if row[0] == 'productID']) == 2, 'the form is compared by its names'
    page.shoot("inspector-compared.png")
    values = page.js("""[...valuesOf('{"a":[1.10,{"b":null}],"c":{}}')]""")
    assert values == [["a[0]", "1.10"], ["a[1].b", "null"], ["c", "{}"]], values
    page.js("list.selectNothing()")


def fill_dialog(page, **values):
    page.until("document.querySelector('dialog[open]')")
    for name, value in values.items():
        page.js(f"document.querySelector('dialog [name={name}]').value = {json.dumps(value)}")
    page.js("document.querySelector('dialog .do').click()")
    page.until("!document.querySelector('dialog')")


def action(page, name):
    page.js(f"[...document.querySelectorAll('#detail .actions button')].find(button => button.textContent === '{name}').click()")


def check_queue(page, harm):
    """The calls that are sent later are a table, whose texts are texts."""
    page.click("queue")
    page.until("document.getElementById('queued').textContent.length > 0")
    call = {"manager": harm, "lane": harm, "state": "dead", "attempts": 3, "created": 1795000000, "reason": harm, "user": harm}
    row = page.js(f"drawQueue([{json.dumps(call)}]), [...document.querySelectorAll('#queued td')].map(cell => cell.textContent)")
    assert row[:5] == ["Not sent any more", harm, harm, harm, "3"] and row[6] == harm, row
    assert page.js("document.title") != "harm"
    page.js("document.activeElement.blur()")
    page.key("q")
    assert page.js("document.getElementById('queued').hidden")
    keys = page.js("[...document.querySelectorAll('[data-key]')].filter(button => commands[keys[button.dataset.key.toLowerCase()]] !== commands[button.id])"
                   ".map(button => button.id)")
    assert not keys, f"the key in the title does nothing: {keys}"


def check_actions(page):
    """A call is sent again as it was and with other params; a mock and a delay appear, and end."""
    # The sample keeps what the calls of its last tours need.
    chosen = page.js("live.all.findLast(row => row.method === 'GET' && row.state === 'succeeded' && row.status === 200 && !row.isCached"
                     " && /regeo/.test(row.endpoint)).id")
    page.js(f"list.select({chosen})")
    page.until("[...document.querySelectorAll('#detail .actions button')].some(button => button.textContent === 'Send again')")
    # The dialog names the endpoint, and shows a body from its start and in full.
    action(page, "Mock response")
    page.until("document.querySelector('dialog[open]')")
    assert page.js("document.querySelector('dialog').innerText").split("\n")[:3][-1].startswith("GET map/"), page.js("document.querySelector('dialog').innerText")
    body = page.js("(() => { const { value, scrollTop, clientHeight, scrollHeight } = document.querySelector('dialog textarea');"
                   " return [value, scrollTop, clientHeight - scrollHeight]; })()")
    assert body[0].startswith('{\n  "') and body[1:] == [0, 0], body
    page.js("document.querySelector('dialog').close()")
    page.until("!document.querySelector('dialog')")
    last = page.js("live.order.at(-1)")
    action(page, "Send again")
    page.until(f"list.current > {last}", seconds=20)
    page.until("live.byID.get(list.current)?.state === 'succeeded' || live.byID.get(list.current)?.state === 'failed'", seconds=20)
    same = page.js(f"live.byID.get(list.current).endpoint === live.byID.get({chosen}).endpoint")
    assert same, page.js("live.byID.get(list.current)")
    page.until("document.querySelector('#detail .actions')")
    last = page.js("list.current")
    action(page, "Edit and send")
    fill_dialog(page, params='{"edited":12345678901234567890}', moreFields="X-Edited: yes")
    page.until(f"list.current > {last}", seconds=20)
    page.until("live.byID.get(list.current).state !== 'running'", seconds=20)
    sent = page.js("(async () => JSON.stringify((await (await fetch(`calls/${list.current}`)).json()).log))()")
    assert '"edited":12345678901234567' in sent and '"X-Edited"' in sent, sent[:3000]
    page.until("document.querySelector('#detail .actions')")
    # Not rounded, as a parser would.
    assert "edited: 12345678901234567890" in page.text("detail"), page.text("detail")
    action(page, "Mock response")
    fill_dialog(page, responseBody="{}", times="3")
    page.until("document.querySelectorAll('#rules .rule').length === 1")
    action(page, "Slow down")
    fill_dialog(page, seconds="0.5")
    page.until("document.querySelectorAll('#rules .rule').length === 2")
    page.shoot("inspector-rules.png")
    # In the language of the page.
    page.click("language")
    page.until("document.getElementById('rules').textContent.startsWith('模拟：')", seconds=5)
    page.click("language")
    page.until("document.getElementById('rules').textContent.startsWith('Mock:')", seconds=5)
    for left in (1, 0):
        page.js("document.querySelector('#rules .rule button').click()")
        page.until(f"document.querySelectorAll('#rules .rule').length === {left}")
    page.until("document.getElementById('rules').hidden", seconds=5)
    # The secrets of a request, since the sample allows it.
    page.tab("request")
    page.js("[...document.querySelectorAll('#panel button')].find(button => button.textContent === 'With secrets').click()")
    page.until("[...document.querySelectorAll('#panel pre')].at(-1).textContent.startsWith('curl')")
    # An app that allows nothing has none of these buttons.
    everything = ["Send again", "Edit and send", "Mock response", "Slow down", "With secrets"]
    offered = """(allowed => {
        const { dataset } = document.body, before = dataset.allowed;
        dataset.allowed = allowed;
        return kept.part(list.current).then(part => {
            const view = document.createElement("div");
            drawDetail(view, part, linkTo, buttonsFor(list.current, part));
            dataset.allowed = before;
            return [...view.querySelectorAll("button")].map(button => button.textContent);
        });
    })"""
    for allowed, names in (("", []), ("replay", everything[:2]), ("mock throttle secrets", everything[2:])):
        buttons = [name for name in page.js(f"{offered}({json.dumps(allowed)})") if name in everything]
        assert buttons == names, (allowed, buttons)
    page.tab("overview")
    page.js("list.selectNothing()")
