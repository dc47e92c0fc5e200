"""Draws a column of a table of the article Performance as bars, light and dark."""
import html, pathlib

CATALOG = pathlib.Path(__file__).resolve().parent.parent / "Sources/DiscreteNetworking/DiscreteNetworking.docc"
ARTICLE = CATALOG / "Articles/Performance.md"
FONT = "-apple-system, BlinkMacSystemFont, Helvetica Neue, Arial, sans-serif"
THEMES = (("", "#1d1d1f", "#ffffff", "#86868b", "#0066cc"), ("~dark", "#f5f5f7", "#1d1d1f", "#86868b", "#0a84ff"))


def rows_below(head):
    """The cells of each row of the table that has this head."""
    rows = []
    for line in ARTICLE.read_text().split(f"\n{head}", 1)[1].splitlines()[2:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip().replace("`", "") for cell in line.strip("|").split("|")])
    return rows


def draw(name, title, heading, bars):
    """Writes NAME.svg and NAME~dark.svg. A bar is a label, a number as the table has it, and whether it stands out."""
    most = max(int(number.replace(",", "")) for _, number, _ in bars)
    for suffix, text, ground, plain, bright in THEMES:
        height = 56 + 30 * len(bars)
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 920 {height}" width="920" height="{height}" '
            f'font-family="{FONT}" font-size="13" fill="{text}">',
            f"<title>{html.escape(title)}</title>",
            f'<rect width="920" height="{height}" fill="{ground}"/>',
            f'<text x="20" y="28" font-weight="600">{html.escape(heading)}</text>',
        ]
        for index, (label, number, stands_out) in enumerate(bars):
            y, width = 44 + 30 * index, round(400 * int(number.replace(",", "")) / most)
            lines += [
                f'<text x="430" y="{y + 17}" text-anchor="end">{html.escape(label)}</text>',
                f'<rect x="442" y="{y}" width="{width}" height="22" rx="4" fill="{bright if stands_out else plain}"/>',
                f'<text x="{450 + width}" y="{y + 16}">{number}</text>',
            ]
        (CATALOG / "Resources" / f"{name}{suffix}.svg").write_text("\n".join(lines + ["</svg>", ""]))
