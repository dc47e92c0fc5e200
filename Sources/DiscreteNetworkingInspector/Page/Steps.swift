extension InspectorPage {
    static let steps = #"""
        // The steps of a call and the phases of a request, on an axis of time.

        const endOfPage = page => page.pageTimings.onLoad >= 0 ? page.pageTimings.onLoad : page._steps.at(-1)?.time ?? 0;

        /** The time from each step to the next one. */
        function spansOf(page) {
          return page._steps.map((step, index) => ({ step, time: (page._steps[index + 1]?.time ?? endOfPage(page)) - step.time }));
        }

        function slowestStep(page) {
          const total = endOfPage(page);
          if (!(total >= 1)) return null;
          const longest = spansOf(page).reduce((a, b) => b.time > a.time ? b : a);
          const part = Math.round(100 * longest.time / total);
          const { name } = longest.step;
          return part < 50 ? null : { text: word("spans")[name] ?? word("stepNames")[name] ?? name, time: longest.time, part };
        }

        /** Adds links to calls behind a text. */
        function linked(node, numbers, link) {
          for (const number of numbers) node.append(" ", link(number));
          return node;
        }

        /** What a step is called; one that waited for a refresh or a login says how long, and for which. */
        function stepCell(step, time, link, error) {
          const waited = word("waited")[step.name];
          if (waited && Array.isArray(step.waitedFor)) return linked(element("td", waited(timeText(time))), step.waitedFor, link);
          const name = word("stepNames")[step.name] ?? step.name;
          if (typeof name === "function") return element("td", name(step.text));
          const seconds = !step.seconds ? "" : ` (${timeText(step.seconds * 1000)})`;
          // The call's error is above the tabs.
          const text = step.text === error ? undefined : step.text;
          return element("td", [name, text].filter(Boolean).join(text?.includes(" ") ? word("colon") : " ") + seconds);
        }

        function stepTable(page, link) {
          const table = element("table"), total = Math.max(endOfPage(page), 0.001);
          const head = table.createTHead().insertRow(), axis = element("th", undefined, "part"), ticks = axis.appendChild(element("div", undefined, "ticks"));
          ticks.append(...ticksOf(0, total));
          head.append(element("th", word("time"), "number"), element("th", word("step")), axis);
          const body = table.createTBody();
          for (const { step, time } of spansOf(page)) {
            const row = body.insertRow();
            row.append(element("td", timeText(step.time), "number faint"), stepCell(step, time, link, page._error));
            const bar = element("i"), cell = element("td", undefined, "part");
            bar.style.marginLeft = `${Math.min(99, 100 * step.time / total)}%`;
            bar.style.width = `${Math.max(0, 100 * time / total)}%`;
            cell.append(bar);
            row.append(cell);
          }
          return table;
        }

        /** The times at the beginning, in the middle and at the end of an axis, in milliseconds. */
        const ticksOf = (from, span) => [0, 0.5, 1].map(part => element("span", timeText(from + part * span)));

        function timingTable(entry) {
          const table = element("table"), names = ["blocked", "dns", "connect", "ssl", "send", "wait", "receive"];
          const total = Math.max(entry.time, 0.001);
          for (const name of names.filter(name => entry.timings[name] >= 0)) {
            const row = table.insertRow(), bar = element("i"), cell = element("td", undefined, "part");
            bar.style.width = `${100 * entry.timings[name] / total}%`;
            cell.append(bar);
            row.append(element("td", word("phases")[name]), element("td", timeText(entry.timings[name]), "number"), cell);
          }
          return table;
        }
        """#
}
