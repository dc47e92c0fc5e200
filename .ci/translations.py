"""Compares the Chinese pages of a catalog with the English ones, part by part, and checks how they are written.

A Chinese page is `Articles/zh-CN/NAME-zh.md`, its English page `NAME.md` in `Articles` or a folder in it. `Chinese.md` lists all
of them.
"""
import collections, re

FOLDER, SUFFIX, LIST = "zh-CN", "-zh", "Chinese"
TO_CHINESE, TO_ENGLISH = "简体中文：<doc:{}>", "English: <doc:{}>"

HAN = "[\u4e00-\u9fff]"
RULES = [(re.compile(pattern), advice) for pattern, advice in {
    r"[，。；：？！、）】”] (?!\|)": "no space after a full-width mark",
    rf"{HAN}[,;:?!]|{HAN}\.(?!\w)": "a full-width mark after Chinese text",
    rf"{HAN}[A-Za-z0-9]|[A-Za-z0-9]{HAN}": "a space between Chinese and Latin text",
    "令牌": "token",
    "管理器": "Manager",
    "委托": "delegate",
    "端点": "接口",
    "应答|答复|回应": "响应",
    "(?<!开)头部|标头|头字段": "请求头, 响应头",
    "正文|主体": "请求体, 响应体",
    "业务代码|错误代码": "业务码",
    "派发": "分发",
    "登出|注销|登入": "登录, 退出登录",
    "应用程序": "App",
    "断路器": "熔断",
    "有效载荷|负载": "数据部分",
    "存根|打桩": "模拟响应",
    "缺省": "默认",
    "您": "你",
    # docc adds it, in English, only where a page begins without a heading.
    "^## Overview$": "概述",
}.items()]

# Examples for every rule, and for what no rule may refuse.
REFUSED = ["先登录， 再调用。", "先登录,再调用。", "每个Manager", "新的令牌", "管理器", "委托", "端点", "应答", "头部", "正文", "业务代码", "派发", "登出",
           "应用程序", "断路器", "负载", "存根", "缺省", "您好", "## Overview"]
ALLOWED = ["刷新 token：见 <doc:Services-zh>。", "| 一个，两个。 | 第 1 次 |", "类型是`String`", "iOS 15、macOS 12。", "**缓存。** Manager", "响应的开头部分"]


def plain(text):
    """The prose of a page, line by line: code is left out, inline code and links are not words."""
    is_code = False
    for number, line in enumerate(text.split("\n"), 1):
        is_code ^= line.startswith("```")
        if not is_code and not line.startswith("```"):
            yield number, re.sub(r"``.*?``|`[^`]*`|\]\([^)]*\)|<[^>]*>", "\0", line)


def misspelled(text):
    """The line and the description of each fault of a Chinese text."""
    for number, line in plain(text):
        for pattern, advice in RULES:
            for match in pattern.finditer(line):
                yield number, f"“{match[0]}”: {advice}"


def parts(text):
    """The kind and the text of each heading, paragraph, item of a list, row of a table and block of code, in order."""
    found, kind = [], None
    for line in text.split("\n"):
        if kind == "code":
            found[-1][1] += "\n" + line
            kind = None if line.startswith("```") else kind
        elif not line.strip():
            kind = None
        elif mark := re.match(r"```|(#+) |\||- |\d+\. ", line):
            kind = {"`": "code", "#": f"heading of level {len(mark[1] or '')}", "|": f"row of {line.count('|') - 1} cells",
                    "-": "item"}.get(line[0], "numbered item")
            found.append([kind, line])
        elif kind:
            found[-1][1] += "\n" + line
        else:
            kind = "paragraph"
            found.append([kind, line])
    return found


def facts(text):
    """What a translation may not change: links, inline code, and numbers."""
    text = " ".join(text.split())
    code = re.findall(r"(?<!`)`([^`]+)`(?!`)", text)
    links = re.findall(r"``.*?``|<[^>]*>|\]\([^)]*\)", text)
    rest = re.sub(r"``.*?``|`[^`]*`|<[^>]*>|\]\([^)]*\)|^\d+\. ", " ", text)
    return collections.Counter(links), collections.Counter(code), collections.Counter(
        re.findall(r"(?<![\w.])\d+(?:[.,]\d+)*", rest))


def differences(english, chinese, pages=()):
    """What a Chinese page has that its English page does not have, or the other way round; `pages` are translated."""
    body = english.split("\n## Topics")[0]
    mapped = re.sub(r"<doc:(\w+)>", lambda link: f"<doc:{link[1]}{SUFFIX if link[1] in pages else ''}>", body)
    ours, theirs = parts(mapped), parts(chinese)
    for (kind, text), (other, translation) in zip(ours, theirs):
        place = " ".join(text.split())[:60]
        if kind != other:
            yield f"{kind} “{place}”, in Chinese {other} “{translation[:30]}”"
            return
        if kind == "code":
            if text != translation:
                yield f"the code is another one: {place}"
            continue
        (links, code, numbers), (its_links, its_code, its_numbers) = facts(text), facts(translation)
        if links != its_links:
            yield f"links of “{place}”: {sorted((links - its_links) + (its_links - links))}"
        if missing := sorted(code - its_code) + sorted(numbers - its_numbers):
            yield f"“{place}” has, and the Chinese page has not: {missing}"
        if added := sorted(name for name in its_code if name not in " ".join(body.split())):
            yield f"“{place}” does not have: {added}"
    for kind, text in ours[len(theirs):]:
        yield f"not translated: {kind} “{text[:60]}”"
    for kind, text in theirs[len(ours):]:
        yield f"not in English: {kind} “{text[:60]}”"


def faults(articles, readme):
    """What is wrong with the Chinese pages of a folder of articles, and with the README."""
    def own(page, line):
        if line not in page.read_text().split("\n"):
            yield f"{page}: has no line “{line}”"

    pages = {page.stem.removesuffix(SUFFIX): page for page in sorted((articles / FOLDER).glob(f"*{SUFFIX}.md"))}
    listing = articles / FOLDER / f"{LIST}.md"
    for name, page in pages.items():
        english = next(articles.rglob(f"{name}.md"), None)
        if not english:
            yield f"{page}: there is no {name}.md in {articles}"
            continue
        yield from own(english, TO_CHINESE.format(name + SUFFIX))
        yield from own(page, TO_ENGLISH.format(name))
        yield from own(listing, f"- <doc:{name}{SUFFIX}>")
        without = [file.read_text().replace("\n" + line + "\n", "\n") for file, line in (
            (english, TO_CHINESE.format(name + SUFFIX)), (page, TO_ENGLISH.format(name)))]
        yield from (f"{page}: {difference}" for difference in differences(*without, pages))
    for page in (*pages.values(), listing, readme):
        yield from (f"{page}:{number}: {fault}" for number, fault in misspelled(page.read_text()))


def broken():
    """What the checks do not find in examples, or find where nothing is wrong."""
    page = "# A\n\nSee <doc:Calling>.\n\n- `a` is 3.\n\n| A |\n|---|\n| ``B`` |\n\n```swift\na\n```\n"
    good = page.replace("See <doc:Calling>.", "见 <doc:Calling-zh>。").replace("is 3.", "是 3。")
    changes = [("# A", "## A"), ("Calling-zh", "Calling"), ("`a` 是", "是"), ("3", "4"), ("- `a`", "1. `a`"), ("``B``", "``C``"),
               ("| ``B`` |\n", ""), ("\na\n", "\nb\n"), ("```swift\na\n```\n", ""), ("3。", "3。\n\n新的一段。"), ("3。", "3，`zz`。")]
    yield from (f"no difference: {change}" for change in changes if not list(differences(page, good.replace(*change), {"Calling"})))
    yield from (f"a difference: {fault}" for fault in differences(page + "\n## Topics\n\n- ``A``\n", good, {"Calling"}))
    yield from (f"not refused: {text}" for text in REFUSED if not list(misspelled(text)))
    yield from (f"no example for the rule: {advice}" for pattern, advice in RULES if not any(map(pattern.search, REFUSED)))
    yield from (f"refused: {text}: {fault}" for text in ALLOWED for _, fault in misspelled(text))
