extension InspectorPage {
    static let columns = #"""
        // The columns of the list: the order of the calls by one of them, and their widths.

        const orderKeys = {
          number: row => row.id, time: row => row.date, status: row => statusText(row), method: row => row.method ?? "", endpoint: row => row.endpoint,
          service: row => row.service, size: row => row.size ?? -1, duration: row => durationOf(row), waterfall: row => row.date,
        };
        const order = { column: "number", isDescending: false };
        const isNaturalOrder = () => order.column === "number" && !order.isDescending;

        /** The rows in the chosen order. */
        function inOrder(rows) {
          if (isNaturalOrder()) return rows;
          const sign = order.isDescending ? -1 : 1, key = orderKeys[order.column];
          return rows.map(row => ({ row, key: key(row) }))
            .sort((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) || a.row.id - b.row.id).map(({ row }) => row);
        }

        /** The heads of the columns; `changed` is called when the order has changed. */
        function drawHeads(box, changed) {
          box.replaceChildren(...columns.map(name => {
            const head = element("span", undefined, name === "waterfall" ? "head axis" : "head"), isChosen = order.column === name;
            if (name === "number" || name === "size" || name === "duration") head.classList.add("number");
            const arrow = order.isDescending ? " ▾" : " ▴";
            const button = head.appendChild(element("button", word(name) + (isChosen && !isNaturalOrder() ? arrow : "")));
            button.id = `sort-${name}`;
            if (name === "waterfall") button.title = word("legend");
            button.setAttribute("aria-label", word("sortBy")(word(name), isChosen && order.isDescending));
            button.addEventListener("click", () => {
              order.isDescending = isChosen && !order.isDescending;
              order.column = name;
              changed();
              document.getElementById(button.id).focus();
            });
            if (name === "waterfall") head.append(element("span", undefined, "ticks"));
            else head.append(grip(name));
            return head;
          }));
        }

        // Widths.

        const widths = new Map(Object.entries(readWidths()));

        function readWidths() {
          try {
            const read = JSON.parse(settings.read("widths") ?? "{}");
            return Object.fromEntries(Object.entries(read).filter(([name, width]) => columns.includes(name) && width > 0));
          } catch {
            return {};
          }
        }

        /** Sets the width of a column in pixels; undefined for the usual one. */
        function setWidth(name, width) {
          if (width === undefined) widths.delete(name);
          else widths.set(name, Math.round(Math.min(1200, Math.max(40, width))));
          settings.write("widths", JSON.stringify(Object.fromEntries(widths)));
          applyWidths();
        }

        function applyWidths() {
          const { style } = document.getElementById("calls");
          for (const name of columns) {
            if (widths.has(name)) style.setProperty(`--${name}`, `${widths.get(name)}px`);
            else style.removeProperty(`--${name}`);
          }
        }

        /** What a column's width is changed by: with the pointer, or with the arrow keys. */
        function grip(name) {
          const node = element("span", undefined, "grip");
          node.tabIndex = 0;
          node.setAttribute("role", "separator");
          node.setAttribute("aria-orientation", "vertical");
          node.setAttribute("aria-label", word("widthOf")(word(name)));
          const width = () => node.parentElement.getBoundingClientRect().width;
          node.addEventListener("pointerdown", event => {
            const start = event.clientX, before = width();
            node.setPointerCapture(event.pointerId);
            node.onpointermove = move => setWidth(name, before + move.clientX - start);
            event.preventDefault();
          });
          node.addEventListener("pointerup", () => node.onpointermove = null);
          node.addEventListener("dblclick", () => setWidth(name, undefined));
          node.addEventListener("keydown", event => {
            const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
            if (!step) return;
            setWidth(name, width() + step);
            event.preventDefault();
          });
          return node;
        }
        """#
}
