extension InspectorPage {
    static let compare = #"""
        // Two calls side by side: what differs in their params, header fields and bodies.

        /** So many values of a body are compared. */
        const comparedValues = 5000;

        function drawComparison(view, left, right) {
          const groups = [
            ["overview", overviewOf(left), overviewOf(right)],
            ["params", valuesOf(paramsOf(left)), valuesOf(paramsOf(right))],
            ["query", namesOf(sentBy(left)?.queryString), namesOf(sentBy(right)?.queryString)],
            ["requestHeaders", namesOf(sentBy(left)?.headers), namesOf(sentBy(right)?.headers)],
            ["requestBody", sentBodyOf(left), sentBodyOf(right)],
            ["responseHeaders", namesOf(lastOf(left)?.response.headers), namesOf(lastOf(right)?.response.headers)],
            ["responseBody", valuesOf(lastOf(left)?.response.content?.text), valuesOf(lastOf(right)?.response.content?.text)],
          ];
          const names = new Set([left, right].map(({ page }) => page?.title.replace(/ #\d+$/, "")).filter(Boolean));
          view.replaceChildren(
            element("h2", word("compared")(titleOf(left), titleOf(right))), element("p", [...names].join(" · "), "faint"));
          for (const [name, a, b] of groups) {
            if (!a.size && !b.size) continue;
            const rows = [...new Set([...a.keys(), ...b.keys()])].filter(key => a.get(key) !== b.get(key))
              .map(key => [key, a.get(key) ?? "–", b.get(key) ?? "–"]);
            view.append(element("h3", word(name)), rows.length ? differenceTable(rows, left, right) : element("p", word("identical"), "faint"));
          }
        }

        function differenceTable(rows, left, right) {
          const box = portionedTable(["name", "value", "value"], rows);
          box.className = "differences";
          const heads = box.querySelectorAll("th");
          [heads[1].textContent, heads[2].textContent] = [titleOf(left), titleOf(right)];
          return box;
        }

        const lastOf = part => part.entries.at(-1);
        const sentBy = part => lastOf(part)?.request;
        const sentBodyOf = part => valuesOf(sentBy(part)?.postData?.text, sentBy(part)?.postData?.mimeType);
        const titleOf = part => part.page ? `#${part.page._requestID}` : lastOf(part).request.url;
        const paramsOf = part => part.page ? paramsText(part.page) : undefined;

        function overviewOf(part) {
          const entry = lastOf(part), { page } = part;
          const pairs = [
            ["url", sentBy(part)?.url], ["method", sentBy(part)?.method], ["status", entry?.response.status],
            ["duration", timeText(page ? endOfPage(page) : entry.time)], ["size", sizeText(sizeOf(entry?.response.content))], ["error", page?._error],
            ["code", page?._businessCode],
          ];
          return new Map(pairs.filter(([, value]) => value !== undefined && value !== null).map(([name, value]) => [word(name), String(value)]));
        }

        /** Values by their names; several of one name in their order. */
        function namesOf(list) {
          const values = new Map();
          for (const { name, value } of list ?? []) values.set(name, values.has(name) ? `${values.get(name)}, ${value}` : value);
          return values;
        }

        /** The values of JSON by their paths; the lines of any other text by their numbers. */
        function valuesOf(text, type = "") {
          const values = new Map();
          if (!text) return values;
          if (/^application\/x-www-form-urlencoded/i.test(type)) return namesOf([...new URLSearchParams(text)].map(([name, value]) => ({ name, value })));
          if (!isJSON(text, "")) {
            text.split("\n", comparedValues).forEach((line, index) => values.set(String(index + 1), line));
            return values;
          }
          const rest = [{ start: behindSpace(text, 0), path: [] }];
          while (rest.length && values.size < comparedValues) {
            const { start, end = endOfValue(text, start), path } = rest.pop();
            const members = opens(text, start) ? firstMembers(text, start) : [];
            if (!members.length) values.set(pathText(path) || ".", text.slice(start, end));
            else rest.push(...members.map(member => ({ ...member, path: [...path, member.key] })).reverse());
          }
          return values;
        }

        function firstMembers(text, start) {
          const members = [];
          for (const member of membersOf(text, start)) {
            if (members.push(member) >= comparedValues) break;
          }
          return members;
        }
        """#
}
