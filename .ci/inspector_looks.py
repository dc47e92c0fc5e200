"""Steps of .ci/inspector-check: words in both languages, contrast, and what fits into which width."""
import re


def check_words(page):
    """Both languages have the same words, and Chinese has no English sentence."""
    faults = page.js("""(() => {
        const names = /^(Service|Manager|URL|DNS|TLS|ID|English|：)$/, faults = [];
        const compare = (en, zh, path) => {
            for (const name of new Set([...Object.keys(en), ...Object.keys(zh)])) {
                const place = `${path}${name}`, [left, right] = [en[name], zh[name]];
                // English names of errors are made of the names in code.
                if (path === "kinds.") continue;
                if (left === undefined || right === undefined) faults.push(`${place} is missing in one language`);
                else if (typeof left === "object") compare(left, right, `${place}.`);
                else {
                    const text = typeof right === "function" ? String(right) : right;
                    if (!/\\p{Script=Han}/u.test(text) && !names.test(text)) faults.push(`${place} is not Chinese: ${text}`);
                    if (typeof left === "function" && left.length !== right.length) faults.push(`${place} takes another number of values`);
                }
            }
        };
        compare(words.en, words.zh, "");
        for (const node of document.querySelectorAll("[data-word], [data-label], [data-placeholder]")) {
            for (const name of [node.dataset.word, node.dataset.label, node.dataset.placeholder].filter(Boolean)) {
                if (typeof words.en[name] !== "string") faults.push(`the page has no text for ${name}`);
            }
        }
        return faults;
    })()""")
    assert not faults, faults


# The texts on screen whose contrast with their background is below 4.5 to 1 (WCAG 2.2, section 1.4.3).
PALE = """(() => {
    const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const paint = colors => {
        context.clearRect(0, 0, 1, 1);
        for (const color of colors) { context.fillStyle = color; context.fillRect(0, 0, 1, 1); }
        return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const luminance = color => color.map(part => part / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = new Map();
    while (texts.nextNode()) {
        const node = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || !node.getClientRects().length || node.closest(":disabled, script, style, option")) continue;
        const layers = [];
        for (let box = node; box; box = box.parentElement) layers.unshift(getComputedStyle(box).backgroundColor);
        const ground = paint(layers), text = paint([...layers, getComputedStyle(node).color]);
        const [low, high] = [luminance(ground), luminance(text)].sort((a, b) => a - b), ratio = (high + 0.05) / (low + 0.05);
        if (ratio < 4.5) found.set(`${node.tagName}.${node.className}`, `${node.tagName}.${node.className} has ${ratio.toFixed(2)}: ${texts.currentNode.data.slice(0, 30)}`);
    }
    return [...found.values()];
})()"""


def check_contrast(page):
    """All texts on screen can be read."""
    pale = page.js(PALE)
    assert not pale, (page.js("getComputedStyle(document.body).backgroundColor"), pale)


# The texts of the toolbar that do not fit: of buttons, of what is chosen in a list, and of empty fields.
CUT = """[...document.querySelectorAll("header button, header select, header input:not([type=file])")].filter(node => {
    if (!node.offsetWidth) return false;
    const style = getComputedStyle(node), context = document.createElement("canvas").getContext("2d");
    context.font = style.font;
    const text = node.matches("select") ? node.selectedOptions[0].text : node.placeholder ?? node.textContent;
    const place = node.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - (node.matches("select") ? 12 : 0);
    const box = node.getBoundingClientRect();
    return context.measureText(text).width > place + 1 || box.right > innerWidth || box.left < 0;
}).map(node => node.id)"""


def check_toolbar(page, width):
    """Nothing of the toolbar is cut, with the longest manager chosen."""
    manager = page.js("[...document.getElementById('manager').options].map(option => option.value).sort((a, b) => b.length - a.length)[0]")
    assert len(manager) > 12, manager
    words = []
    for theme in ("light", "dark"):
        page.js(f"setTheme('{theme}')")
        for _ in range(2):
            page.fill("manager", manager)
            cut = page.js(CUT)
            page.shoot(f"inspector-{width}-toolbar-{theme}-{page.js('language')}.png")
            page.fill("manager", "")
            words.append(page.js("document.getElementById('service').selectedOptions[0].text"))
            cut += page.js(CUT)
            assert not cut, f"cut at {width} px, {theme}, {page.js('language')}: {cut}"
            page.click("language")
    assert "Service: 全部" in words, words


# What is cut beside the toolbar: buttons, and the times of the waterfall, which would be other numbers.
HALVES = """[
    ...[...document.querySelectorAll("main button:not(#heads button), #banner button, #rules button")]
        .filter(node => node.offsetWidth && node.scrollWidth > node.clientWidth + 1),
    ...[...document.querySelectorAll("#heads .ticks span")].filter(node => {
        const [own, place] = [node, node.closest(".axis")].map(one => one.getBoundingClientRect());
        const box = node.parentElement.getBoundingClientRect();
        return own.width && (own.left < Math.max(box.left, place.left) - 1 || own.right > Math.min(box.right, place.right) + 1);
    })].map(node => node.textContent)"""


def check_pane(page):
    """The list beside the details has no sideways scrolling, and nothing in it is cut."""
    for width in (920, 1000, 1280, 1400):
        page.send("Emulation.setDeviceMetricsOverride", width=width, height=780, deviceScaleFactor=1, mobile=False)
        page.until(f"innerWidth === {width}")
        for _ in range(2):
            page.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            assert page.js(HALVES) == [], (width, page.js("language"), page.js(HALVES))
            tops = page.js("[...document.querySelectorAll('#heads .head')].filter(head => head.offsetWidth).map(head => head.offsetTop)")
            assert max(tops) - min(tops) < 10, f"the heads of the columns are {tops} at {width} px"
            assert page.js("list.view.scrollWidth <= list.view.clientWidth"), f"the list scrolls sideways at {width} px"
            page.click("language")


def check_widths(page):
    """One pane and no sideways scrolling at 390 px, a toolbar of one line at 1280 and 1400 px, and the current row by name."""
    page.js("list.select(list.rows.at(-1).id)")
    page.js("list.reveal(list.rows.length - 1)")
    page.until("document.querySelector('#detail h2')")
    assert page.js("document.getElementById(list.view.getAttribute('aria-activedescendant')).classList.contains('current')")
    check_pane(page)
    metrics = dict(height=780, deviceScaleFactor=1, mobile=False)
    page.send("Emulation.setDeviceMetricsOverride", width=390, **metrics)
    page.until("getComputedStyle(document.getElementById('calls')).display === 'none'", seconds=5)
    page.shoot("inspector-390-detail.png")
    assert page.js("document.documentElement.scrollWidth") <= 390
    page.click("back")
    page.until("getComputedStyle(document.getElementById('calls')).display !== 'none' && document.getElementById('detail').hidden")
    page.shoot("inspector-390.png")
    # What does not fit is in a menu.
    assert page.js("document.getElementById('export').offsetHeight") == 0
    page.click("menu")
    page.until("document.getElementById('export').offsetHeight > 0 && document.getElementById('menu').getAttribute('aria-expanded') === 'true'")
    tools = page.js("[...document.querySelectorAll('#tools > :not([hidden]):not(.space)')].map(tool => tool.getBoundingClientRect().right)")
    assert max(tools) <= 390, tools
    check_toolbar(page, 390)
    page.shoot("inspector-390-menu.png")
    page.click("menu")
    page.until("document.getElementById('export').offsetHeight === 0")
    heads = page.js("[...document.querySelectorAll('#heads .head')].filter(head => head.offsetWidth).map(head => [head.textContent, head.offsetTop])")
    assert [name for name, _ in heads] == ["Status", "Method", "Endpoint", "Duration"] and len({top for _, top in heads}) == 1, heads
    assert page.js("[...document.querySelectorAll('#heads button')].every(head => head.scrollWidth <= head.clientWidth)"), "the name of a column is cut"
    short = page.js("[...document.querySelectorAll('#rows .row')].filter(row => row.children[2].scrollWidth > row.children[2].clientWidth)"
                    ".map(row => row.children[2].textContent).filter(text => text.length < 15)")
    assert not short, f"cut at 390 px: {short}"
    statuses = page.js("[...document.querySelectorAll('#rows .row')].map(row => row.children[2].textContent).join()")
    assert page.js("language") == "en" and not re.search("[\u4e00-\u9fff]", statuses), f"rows in the language before: {statuses}"
    label = page.js("document.querySelector('#rows .row').getAttribute('aria-label')")
    assert re.search(r"No\. \d+, Time .*, Status .+, Method [A-Z]+", label), label
    assert page.js("document.documentElement.scrollWidth") <= 390
    for width in (1280, 1400):
        page.send("Emulation.setDeviceMetricsOverride", width=width, **metrics)
        for _ in range(2):
            page.until(f"innerWidth === {width}")
            page.shoot(f"inspector-{width}-{page.js('language')}.png")
            height = page.js("document.querySelector('header').offsetHeight")
            assert height < 50, f"the toolbar has a height of {height} px at {width} px"
            page.click("language")
        check_toolbar(page, width)
        # What does not fit is in a menu below the toolbar.
        assert page.js("document.getElementById('export').offsetHeight") == 0
        page.click("menu")
        page.until("document.getElementById('export').offsetHeight > 0")
        assert page.js(CUT) == [], page.js(CUT)
        page.shoot(f"inspector-{width}-menu.png")
        page.js("document.getElementById('list').click()")
        page.until("document.getElementById('export').offsetHeight === 0")
    page.send("Emulation.setDeviceMetricsOverride", width=1400, **metrics)
