"""Steps of .ci/inspector-check: the tabs of a call, and its bodies as what they are."""
import base64, json, zlib

from inspector_looks import check_contrast


def png():
    """A picture of one red pixel."""
    def chunk(name, data):
        return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")
    head = (1).to_bytes(4, "big") * 2 + bytes([8, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b"")


def open_call(page, archive, change):
    """Opens an archive with one call, which is chosen."""
    content = archive(1)
    change(content["log"]["pages"][0], content["log"]["entries"])
    page.open_another(content)
    page.js("list.select(1)")
    page.until("drawn?.startsWith('1 ') && document.querySelector('#detail h2')")


def respond(page, archive, text, kind, **more):
    def change(_, entries):
        entries[0]["response"]["content"] = {"size": 1, "mimeType": kind, "text": text, **more}
    open_call(page, archive, change)
    page.tab("response")


def check_tabs(page, archive):
    """The last attempt is open, the error is there once, and the field that failed to decode is marked."""
    body = {"data": {"items": [{"id": 1, "price": 7}, {"id": 2, "price": "free"}]}}

    def change(call, entries):
        call |= {"_error": "The price is no number.", "_errorKind": "decoding", "_errorPath": ["data", "items", "1", "price"],
                 "_state": "failed", "_steps": [{"name": "started", "time": 0}, {"name": "finished", "time": 9, "text": "The price is no number."}]}
        first = entries[0]
        first |= {"_attempt": 1, "_error": "It was busy."}
        content = {"size": 9, "mimeType": "application/json", "text": json.dumps(body)}
        first["response"] = dict(first["response"], status=503, content=content)
        entries.append(json.loads(json.dumps(first)) | {"_attempt": 2, "_error": "The price is no number."})
        entries[1]["response"] |= {"status": 200}

    open_call(page, archive, change)
    for tab in ("overview", "request", "response", "steps"):
        page.tab(tab)
        # The Tab key reaches the open tab only.
        assert page.js("[...document.querySelectorAll('[role=tab]')].filter(tab => tab.tabIndex === 0).map(tab => tab.id)") == [f"tab-{tab}"]
        assert page.text("detail").count("The price is no number.") == 1, (tab, page.text("detail"))
    page.tab("response")
    assert page.js("document.querySelector('#attempt-1').getAttribute('aria-pressed')") == "true"
    assert page.js("[...document.querySelectorAll('.leaf.marked')].map(leaf => leaf.querySelector('.key').textContent)") == ["price"]
    assert "data.items[1].price" in page.text("detail"), page.text("detail")
    check_contrast(page)
    page.click("attempt-0")
    page.until("document.getElementById('detail').innerText.includes('It was busy.')")
    # It has the same body, but another error.
    assert page.js("document.querySelectorAll('.leaf.marked').length") == 0
    assert "data.items[1].price" not in page.text("detail"), page.text("detail")
    # By keys; what a key means in the list has no effect here.
    page.js("document.getElementById('tab-response').focus()")
    page.send("Input.dispatchKeyEvent", type="keyDown", key="ArrowRight")
    page.until("document.activeElement.id === 'tab-steps' && openTab === 'steps'", seconds=5)
    # A field that is missing is marked where it should be, also behind the first portion.
    for path, body, name in ((["a", "name"], {"a": {"id": 1}}, "a"), (["250", "name"], [{"id": n} for n in range(400)], "250")):
        def missing(call, entries):
            call |= {"_errorPath": path}
            entries[0]["response"]["content"] = {"size": 9, "mimeType": "application/json", "text": json.dumps(body)}
        open_call(page, archive, missing)
        page.tab("response")
        marked = page.js("[...document.querySelectorAll('.leaf.marked')].map(leaf => leaf.textContent)")
        assert len(marked) == 1 and marked[0].split(":")[0].endswith(name) and "name is missing" in marked[0], marked


def check_units(page, archive):
    """Sizes have one spelling, and URLs can be read, but not be turned round."""
    def change(_, entries):
        entries[0]["request"]["url"] = "https://shop.example/%E5%95%86%E5%93%81%2F1?key=%3Credacted%3E&a=%26%20%E2%80%AE%0A"
        entries[0]["response"]["content"] = {"size": 26_000, "mimeType": "text/plain", "text": "a"}

    open_call(page, archive, change)
    page.tab("overview")
    detail = page.text("detail")
    assert "https://shop.example/商品%2F1?key=<redacted>&a=%26%20%E2%80%AE%0A" in detail and "26.0 kB" in detail, detail
    page.tab("response")
    assert "(26.0 kB)" in page.text("detail"), page.text("detail")


def check_bodies(page, archive):
    """Bodies are shown as trees, tables, parts, events, images and bytes."""
    check_units(page, archive)
    # A tree keeps what a parser would round or drop, and hands out values and paths.
    respond(page, archive, '{"big":12345678901234567890,"a b":[{"x":1.10},{"x":"茶\\n"}],"big":true,"no":null}', "application/json")
    shown = page.js("[...document.querySelectorAll('#detail .tree .leaf > :is(.digits, .string, .literal)')].map(node => node.textContent)")
    assert shown == ["12345678901234567890", "1.10", '"茶\\n"', "true", "null"], shown
    # The root has no name: its type and the number of its members stand there.
    root = page.js("document.querySelector('#detail .tree .leaf').innerText")
    assert root.startswith("▾Object, 4 members"), root
    assert "(1 B)" in page.text("detail"), page.text("detail")
    respond(page, archive, json.dumps({"a": {"b": {"c": {"d": "茶" * 200}}}}, ensure_ascii=False), "application/json")
    folded, usual = page.js("[...document.querySelectorAll('#detail .leaf.folded, #detail .leaf:not(.folded)')].map(leaf => leaf.offsetHeight)")[-1:] \
        + page.js("[document.querySelector('#detail .leaf').offsetHeight]")
    assert folded == usual, f"a folded object has a height of {folded} px, in place of {usual} px"
    respond(page, archive, '[true]', "application/json")
    assert page.js("getComputedStyle(document.querySelector('.literal')).color !== getComputedStyle(document.querySelector('#detail .bad')).color")
    respond(page, archive, "[" + "7," * 10_500 + "7]", "application/json")
    root = page.js("document.querySelector('#detail .tree .leaf').innerText")
    assert root.startswith("▾Array, over 10,000 elements"), root
    respond(page, archive, '{"big":12345678901234567890,"a b":[{"x":1.10},{"x":"茶\\n"}],"big":true,"no":null}', "application/json")
    page.js("(() => { copied = []; copyText = async text => { copied.push(text); return true; }; })()")
    page.js("""(() => { const leaf = [...document.querySelectorAll('#detail .leaf')].findLast(leaf => leaf.textContent.includes('茶'));
        leaf.querySelectorAll('.copies').forEach(button => button.click()); })()""")
    assert page.js("copied") == ["茶\n", '["a b"][1].x'], page.js("copied")
    page.js("document.querySelectorAll('.tree .twisty')[2].click()")
    assert page.js("document.querySelectorAll('.tree .twisty')[2].getAttribute('aria-expanded')") == "false"
    # A cut body too.
    respond(page, archive, '{"items":[{"name":"teapot","pri', "application/json")
    assert "teapot" in page.text("detail")

    respond(page, archive, "a=1&b=%E8%8C%B6+x", "application/x-www-form-urlencoded")
    cells = "[...document.querySelectorAll('#panel tbody td')].map(cell => cell.textContent)"
    assert page.js(cells) == ["a", "1", "b", "茶 x"], page.js(cells)
    respond(page, archive, 'event: tick\nid: 7\ndata: {"n":1}\n\ndata: two\ndata: lines\n\n: comment\n\n', "text/event-stream")
    found = page.js("[...document.querySelectorAll('#panel tbody tr')].map(row => row.cells[0].textContent)")
    assert found == ["tick", "message"] and page.js("document.querySelector('#panel tbody .tree') !== null"), found
    assert "two\nlines" in page.js("document.querySelector('#panel tbody').textContent")

    parts = (b'--x\r\nContent-Disposition: form-data; name="note"\r\n\r\n\xe8\x8c\xb6\r\n--x\r\nContent-Disposition: form-data; '
             b'name="photo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n' + png() + b"\r\n--x--\r\n")
    respond(page, archive, base64.b64encode(parts).decode(), "multipart/form-data; boundary=x", encoding="base64")
    assert page.js("[...document.querySelectorAll('.formPart > summary')].map(node => node.textContent)") == ["note", "photo"]
    assert "茶" in page.text("detail")
    page.until("document.querySelector('.formPart img')?.naturalWidth === 1", seconds=10)
    respond(page, archive, base64.b64encode(png()).decode(), "image/png", encoding="base64")
    page.until("document.querySelector('#panel img')?.naturalWidth === 1", seconds=10)
    respond(page, archive, base64.b64encode(bytes(range(256))).decode(), "application/octet-stream", encoding="base64")
    lines = page.js("document.querySelector('#panel pre').textContent").splitlines()
    assert len(lines) == 16 and lines[4] == "00000040  40 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f  @ABCDEFGHIJKLMNO", lines[:5]
    # Nothing of it is HTML.
    respond(page, archive, "<img src=x onerror=\"document.title='harm'\">", "text/html")
    assert page.js("document.querySelectorAll('#panel img').length") == 0
    page.tab("overview")
