extension InspectorPage {
    static let list = #"""
        // The list of calls: only the rows that are on screen exist, so that ten thousand calls scroll smoothly.

        const rowHeight = 26;
        const columns = ["number", "time", "status", "method", "endpoint", "service", "size", "duration", "waterfall"];

        class CallList {
          /**
           * @param choose is called when the selection has changed.
           * @param follow is called with whether the list shall follow new calls.
           * @param pinned returns the numbers of the pinned calls.
           */
          constructor(choose, follow, pinned) {
            this.rows = [];
            this.selection = new Set();
            this.current = null;
            this.anchor = null;
            this.isFollowing = true;
            this.choose = choose;
            this.follow = follow;
            this.pinned = pinned;
            /** Where the list was scrolled to, and the newest call that was shown while it followed. */
            this.top = 0;
            this.newest = 0;
            this.view = document.getElementById("list");
            this.canvas = document.getElementById("rows");
            this.pool = [];
            this.view.addEventListener("scroll", () => this.scrolled());
            new ResizeObserver(() => this.draw()).observe(this.view);
            this.canvas.addEventListener("mousedown", event => this.click(event));
            this.view.addEventListener("keydown", event => this.press(event));
          }

          /** Shows rows; the selection stays, as far as they have it. */
          show(rows) {
            this.rows = rows;
            this.canvas.style.height = `${rows.length * rowHeight}px`;
            if (this.isFollowing) {
              this.view.scrollTop = rows.length * rowHeight;
              this.newest = rows.reduce((newest, row) => Math.max(newest, row.id), 0);
            }
            this.draw();
          }

          /** How many calls came since the list stopped following. */
          get unseen() {
            return this.rows.reduce((count, row) => count + (row.id > this.newest), 0);
          }

          get isAtEnd() { return this.view.scrollTop + this.view.clientHeight >= this.view.scrollHeight - rowHeight / 2; }

          /** The list follows only while it is at its end and nothing is selected. */
          scrolled() {
            const top = this.view.scrollTop;
            if (this.isFollowing && !this.isAtEnd) this.follow(false);
            else if (!this.isFollowing && top > this.top && this.isAtEnd && this.selection.size === 0 && isNaturalOrder()) this.follow(true);
            this.top = top;
            this.draw();
          }

          draw() {
            const first = Math.max(0, Math.floor(this.view.scrollTop / rowHeight) - 2);
            const shown = this.rows.slice(first, first + Math.ceil(this.view.clientHeight / rowHeight) + 4);
            while (this.pool.length < shown.length) this.pool.push(this.canvas.appendChild(makeRow()));
            while (this.pool.length > shown.length) this.pool.pop().remove();
            const start = Math.min(...shown.map(startOf)), span = Math.max(1, Math.max(...shown.map(endOf)) - start);
            document.querySelector("#heads .ticks")?.replaceChildren(...shown.length ? ticksOf(0, span) : []);
            shown.forEach((row, index) => {
              const node = this.pool[index];
              node.style.top = `${(first + index) * rowHeight}px`;
              node.dataset.id = row.id;
              node.id = `call-${row.id}`;
              node.setAttribute("aria-selected", this.selection.has(row.id));
              node.classList.toggle("current", row.id === this.current);
              node.classList.toggle("pinned", this.pinned().has(row.id));
              fillRow(node, row, start, span);
            });
            if (shown.some(row => row.id === this.current)) this.view.setAttribute("aria-activedescendant", `call-${this.current}`);
            else this.view.removeAttribute("aria-activedescendant");
          }

          // Selection.

          click(event) {
            const node = event.target.closest(".row");
            if (!node) return;
            const id = Number(node.dataset.id);
            if (event.shiftKey) this.extend(id);
            else if (event.ctrlKey || event.metaKey) this.toggle(id);
            else this.select(id);
          }

          select(id) {
            this.selection = new Set([id]);
            this.anchor = this.current = id;
            this.tell();
          }

          toggle(id) {
            if (!this.selection.delete(id)) this.selection.add(id);
            this.anchor = this.current = id;
            this.tell();
          }

          extend(id) {
            const [from, to] = [this.index(this.anchor ?? id), this.index(id)].sort((a, b) => a - b);
            this.selection = new Set(this.rows.slice(Math.max(0, from), to + 1).map(row => row.id));
            this.current = id;
            this.tell();
          }

          selectNothing() {
            this.selection.clear();
            this.current = this.anchor = null;
            this.tell();
          }

          tell() {
            if (this.selection.size > 0) this.follow(false);
            this.draw();
            this.choose();
          }

          index(id) { return this.rows.findIndex(row => row.id === id); }

          press(event) {
            const page = Math.max(1, Math.floor(this.view.clientHeight / rowHeight) - 1);
            const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity };
            if (event.key === "a" && (event.ctrlKey || event.metaKey)) {
              this.selection = new Set(this.rows.map(row => row.id));
              this.tell();
            } else if (event.key in steps && this.rows.length) {
              const step = steps[event.key], now = this.index(this.current);
              const next = (now >= 0 ? now : step < 0 ? this.rows.length : -1) + step;
              const row = this.rows[Math.min(this.rows.length - 1, Math.max(0, next))];
              event.shiftKey ? this.extend(row.id) : this.select(row.id);
              this.reveal(this.index(row.id));
            } else {
              return;
            }
            event.preventDefault();
          }

          reveal(index) {
            const top = index * rowHeight, bottom = top + rowHeight - this.view.clientHeight;
            if (this.view.scrollTop > top) this.view.scrollTop = top;
            else if (this.view.scrollTop < bottom) this.view.scrollTop = bottom;
          }
        }

        function element(name, text, className) {
          const node = document.createElement(name);
          if (text !== undefined) node.textContent = text;
          if (className) node.className = className;
          return node;
        }

        function makeRow() {
          const row = element("div", undefined, "row");
          row.setAttribute("role", "option");
          for (const name of columns) row.append(element("span", undefined, name === "waterfall" ? "bars" : ""));
          row.children[0].className = "number faint";
          row.children[1].className = row.children[5].className = "faint";
          row.children[6].className = row.children[7].className = "number";
          return row;
        }

        /** A link to a call of the list; only its number where the list does not have it. */
        function linkTo(id) {
          if (!calls().byID.has(id)) return element("span", `#${id}`, "faint");
          const link = element("button", `#${id}`, "link");
          link.addEventListener("click", () => {
            setFollowing(false);
            list.select(id);
            // A call that the filter hides has its details, but no row.
            if (list.index(id) >= 0) list.reveal(list.index(id));
          });
          return link;
        }

        /** The color of an outcome. */
        function toneOf(row) {
          if (row.state === "running") return "faint";
          if (row.state === "failed") return row.errorKind === `cancelled` ? "odd" : "bad";
          return "good";
        }

        /** The color of a request: one that was canceled has not failed. */
        function toneOfBar(row, end, code) {
          if (end === null || (code === 0 && row.errorKind === `cancelled`)) return "odd";
          return code >= 400 || code === 0 ? "bad" : code >= 300 ? "odd" : "good";
        }

        /** The status, and what failed: not by color alone. */
        function statusText(row) {
          if (row.isCached) return word("cached");
          if (row.state === "running") return row.status ? String(row.status) : word("running");
          if (row.state !== "failed") {
            if (row.status) return String(row.status);
            return row.isSample ? word("sampled") : row.bars.length ? "–" : word("noRequest");
          }
          const kind = word("kinds")[row.errorKind] ?? row.errorKind?.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
          // Older versions wrote the status as the kind of an HTTP failure.
          const reason = row.code ?? (kind === String(row.status) ? word("kinds").http ?? "http" : kind);
          return [row.status, reason].filter(Boolean).join(" · ") || word("failed");
        }

        function fillRow(node, row, start, span) {
          const [number, time, status, method, endpoint, service, size, duration, bars] = node.children;
          number.textContent = row.id;
          time.textContent = clockText(row.date);
          status.textContent = status.title = statusText(row);
          status.className = toneOf(row);
          method.textContent = row.method;
          endpoint.textContent = row.endpoint;
          endpoint.title = [row.manager, row.url, row.error].filter(Boolean).join("\n");
          service.textContent = row.tag ? `${row.service} · ${row.tag}` : row.service;
          size.textContent = sizeText(row.size);
          duration.textContent = row.state === "running" ? "…" : timeText(row.duration);
          // A list has no heads that a screen reader knows.
          node.setAttribute("aria-label", columns.slice(0, -1).map((name, index) => `${word(name)} ${node.children[index].textContent}`).join(", "));
          const place = (bar, from, to) => {
            bar.style.left = `${100 * (from - start) / span}%`;
            bar.style.width = `${100 * Math.max(0, to - from) / span}%`;
            return bar;
          };
          // What is red or green, and from when to when.
          bars.title = [`${word("duration")}${word("colon")}${duration.textContent}`, ...row.bars.map(([from, to, code], index) =>
            `${index + 1}${word("colon")}${timeText(from)} – ${to === null ? "…" : timeText(to)}${code ? ` · ${code}` : ""}`)].join("\n");
          bars.replaceChildren(
            place(element("i", undefined, "whole"), row.date, endOf(row)),
            ...row.bars.map(([from, to, code]) => place(
              element("i", undefined, toneOfBar(row, to, code)),
              row.date + from, to === null ? endOf(row) : row.date + to)));
        }
        """#
}
