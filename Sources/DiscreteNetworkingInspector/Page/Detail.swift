extension InspectorPage {
    static let detail = #"""
        // One call in full: why it was slow, why it failed, what was sent and what came back. All of it is text: nothing that a
        // server sends is ever read as HTML.

        const tabs = ["overview", "request", "response", "steps"];
        /** The open tab, for all calls, and the chosen attempt of the call with a key. */
        let openTab = "overview", chosenAttempt = { key: null, index: 0 };

        /**
         * @param part the page and the entries of a call, as in a HAR file.
         * @param link makes a link to the call with a number.
         * @param actions what can be done with the call, as buttons.
         */
        function drawDetail(view, part, link, actions = []) {
          const { page, entries } = part, key = page?.id ?? entries[0]?.startedDateTime;
          if (chosenAttempt.key !== key) chosenAttempt = { key, index: null };
          const offered = tabs.filter(name => name === "overview" || (name === "steps" ? page : entries.length));
          if (!offered.includes(openTab)) openTab = "overview";
          const redraw = () => {
            const focused = document.activeElement?.id;
            drawDetail(view, part, link, actions);
            if (focused) document.getElementById(focused)?.focus();
          };
          // The last attempt says how it ended.
          const index = Math.min(chosenAttempt.index ?? Infinity, entries.length - 1);
          const panel = element("div", undefined, "panel");
          panel.id = "panel";
          panel.setAttribute("role", "tabpanel");
          panel.setAttribute("aria-labelledby", `tab-${openTab}`);
          if (openTab === "request" || openTab === "response") panel.append(...attemptChoice(entries, index, redraw));
          panel.append(...panels[openTab](part, index, link));
          view.replaceChildren(...headParts(part, actions), tabBar(offered, redraw), panel);
        }

        /** The call's name, how it ended and when, and its error, once. */
        function headParts({ page, entries }, actions) {
          const [entry] = entries, error = page ? page._error : entry?._error;
          const row = page ? rowOfPage(page, entries) : rowOfEntry(entry, 0);
          const parts = [element("h2", page?.title ?? `${entry.request.method} ${readableURL(entry.request.url)}`), summaryOf(row)];
          if (actions.length) {
            const bar = element("div", undefined, "line actions");
            bar.append(...actions);
            parts.push(bar);
          }
          if (error) parts.push(element("p", error, "why bad"));
          return parts;
        }

        /** What the list says of a call, in a line. */
        function summaryOf(row) {
          const line = element("p", undefined, "summary faint");
          const texts = [row.method, row.state === "running" ? "" : timeText(row.duration), dateText(row.date), row.manager, row.service, row.tag];
          line.append(element("b", statusText(row), toneOf(row)), ...texts.filter(Boolean).map(text => ` · ${text}`));
          return line;
        }

        function tabBar(offered, redraw) {
          const bar = element("div", undefined, "tabs");
          bar.setAttribute("role", "tablist");
          const open = name => {
            openTab = name;
            redraw();
            document.getElementById(`tab-${name}`).focus();
          };
          for (const name of offered) {
            const tab = bar.appendChild(element("button", word(name)));
            tab.id = `tab-${name}`;
            tab.setAttribute("role", "tab");
            tab.setAttribute("aria-controls", "panel");
            tab.setAttribute("aria-selected", name === openTab);
            tab.tabIndex = name === openTab ? 0 : -1;
            tab.addEventListener("click", () => open(name));
          }
          bar.addEventListener("keydown", event => {
            const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (!step) return;
            event.preventDefault();
            open(offered[(offered.indexOf(openTab) + step + offered.length) % offered.length]);
          });
          return bar;
        }

        function attemptChoice(entries, chosen, redraw) {
          if (entries.length < 2) return [];
          const bar = element("div", undefined, "line attempts");
          entries.forEach((entry, index) => {
            const attempt = entry._attempt ? ` · ${word("attempt")(entry._attempt)}` : "";
            const button = bar.appendChild(element("button", `${entry.response.status || word("noResponse")} · ${timeText(entry.time)}${attempt}`));
            button.id = `attempt-${index}`;
            button.setAttribute("aria-pressed", index === chosen);
            button.addEventListener("click", () => {
              chosenAttempt.index = index;
              redraw();
            });
          });
          return [bar];
        }

        const panels = {
          overview({ page, entries }, index, link) {
            const parts = [], entry = entries[entries.length - 1];
            const note = (name, text) => parts.push(element("p", text ?? word(name), "faint"));
            const comment = page ? page.comment : entry?.comment;
            if (comment) note("comment", comment);
            const slow = page && slowestStep(page);
            if (slow) parts.push(element("p", word("slowest")(slow.text, timeText(slow.time), slow.part), "why"));
            if (page?._isSample) note("sample");
            if (page?._isRenewal) note("renewal");
            if (entry?._isShared) note("shared");
            if (Array.isArray(page?._awaitedBy)) parts.push(linked(element("p", word("awaitedBy")), page._awaitedBy, link));
            if (entry) {
              parts.push(pairs([
                ["url", readableURL(entry.request.url)], ["method", entry.request.method], ["status", entry.response.status || word("noResponse")],
                ["version", entry.response.httpVersion], ["size", sizeText(sizeOf(entry.response.content))],
                ["duration", timeText(page ? endOfPage(page) : entry.time)], ["attempts", entries.length > 1 ? String(entries.length) : undefined],
              ]));
            }
            if (page?._businessCode !== undefined) {
              parts.push(element("h3", word("envelope")), pairs([["code", page._businessCode], ["message", page._businessMessage]]));
            }
            if (entry) parts.push(element("h3", word("timings")), timingTable(entry));
            if (page) parts.push(element("h3", word("params")), jsonOf(paramsText(page), null));
            return parts;
          },

          request({ page, entries }, index) {
            const entry = entries[index], { request } = entry, parts = attemptNotes(page, entry);
            parts.push(pairs([["url", request.url], ["method", request.method]]));
            if (request.queryString?.length) {
              parts.push(element("h3", word("query")), nameTable(request.queryString.map(({ name, value }) => [name, value])));
            }
            parts.push(element("h3", word("requestHeaders")), fields(request.headers));
            const data = request.postData;
            if (data) parts.push(element("h3", word("requestBody")), ...bodyParts({ text: data.text, type: data.mimeType, encoding: data._encoding, comment: data.comment }, null));
            if (entry._curl) parts.push(element("h3", "cURL"), curlBox(entry, page, index));
            return parts;
          },

          response({ page, entries }, index) {
            const entry = entries[index], { response } = entry, parts = attemptNotes(page, entry), content = response.content ?? {};
            parts.push(pairs([["status", response.status || word("noResponse")], ["version", response.httpVersion]]));
            parts.push(element("h3", word("responseHeaders")), fields(response.headers));
            const title = element("h3", word("responseBody"));
            title.append(element("span", ` (${sizeText(sizeOf(content))})`));
            parts.push(title);
            const marked = index === entries.length - 1 && Array.isArray(page?._errorPath) ? page._errorPath.map(String) : null;
            if (marked) parts.push(element("p", word("notDecoded")(pathText(marked.map(key => /^\d+$/.test(key) ? Number(key) : key))), "bad"));
            parts.push(...bodyParts({ text: content.text, type: content.mimeType, encoding: content.encoding, comment: content.comment }, marked));
            return parts;
          },

          steps({ page }, index, link) {
            return [stepTable(page, link)];
          },
        };

        /** What an attempt says that the call does not. */
        function attemptNotes(page, entry) {
          const parts = [];
          if (page && entry._error && entry._error !== page._error) parts.push(element("p", entry._error, "why bad"));
          if (page && entry.comment && !page.comment?.includes(entry.comment)) parts.push(element("p", entry.comment, "faint"));
          if (entry._isShared) parts.push(element("p", word("shared"), "faint"));
          return parts;
        }

        function fields(list) {
          const box = element("dl");
          for (const { name, value } of list ?? []) box.append(element("dt", name), element("dd", value));
          return box;
        }

        function pairs(list) {
          return fields(list.filter(([, value]) => value !== undefined && value !== null).map(([name, value]) => ({ name: word(name), value })));
        }

        /** The cURL line of a request; with its secrets where the app allows it. */
        function curlBox(entry, page, index) {
          const box = element("div"), line = box.appendChild(element("div", undefined, "line"));
          line.append(copyButton("copy", () => entry._curl));
          line.lastChild.className = "";
          // The calls of a file have the numbers of others in the app.
          if (page && canAct() && isAllowed("secrets")) {
            const button = line.appendChild(element("button", word("withSecrets")));
            button.addEventListener("click", async () => {
              const response = await act("curl", { call: page._requestID, request: index });
              if (response) box.lastChild.replaceWith(portioned([response.curl]));
            });
          }
          box.append(portioned([entry._curl]));
          return box;
        }
        """#
}
