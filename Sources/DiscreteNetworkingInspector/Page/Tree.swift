extension InspectorPage {
    static let tree = #"""
        // JSON as a tree. Nothing is read before it is opened, and numbers and duplicate names stay as they were received.

        /** So many members of an object or array are shown at once, and so many levels are open at first. */
        const treePortion = 100, openLevels = 3;
        /** A string of more characters than this is cut until it is opened. */
        const leafLength = 400;
        /** The members of the whole value are counted up to this number. */
        const countLimit = 10000;

        /** The index behind the value that begins at an index; the end of the text if the value is cut. */
        function endOfValue(json, start) {
          if (json[start] === "\"") return endOfString(json, start);
          if (!opens(json, start)) {
            const literal = /[^\s,\]}:]+/y;
            literal.lastIndex = start;
            return start + (literal.exec(json)?.[0].length ?? 1);
          }
          const mark = /["[\]{}]/g;
          mark.lastIndex = start;
          let depth = 0;
          for (let found = mark.exec(json); found; found = mark.exec(json)) {
            if (found[0] === "\"") mark.lastIndex = endOfString(json, found.index);
            else if (found[0] === "{" || found[0] === "[") depth += 1;
            else if (--depth === 0) return found.index + 1;
          }
          return json.length;
        }

        const opens = (json, at) => json[at] === "{" || json[at] === "[";

        function behindSpace(json, start) {
          const space = /\s*/y;
          space.lastIndex = start;
          space.test(json);
          return space.lastIndex;
        }

        /** The members of the object or array that begins at an index, one after another. */
        function* membersOf(json, start) {
          const isObject = json[start] === "{";
          let at = behindSpace(json, start + 1);
          for (let index = 0; at < json.length && json[at] !== "}" && json[at] !== "]"; index += 1) {
            let key = index;
            if (isObject) {
              const end = endOfValue(json, at);
              key = stringOf(json.slice(at, end));
              at = behindSpace(json, end);
              if (json[at] === ":") at = behindSpace(json, at + 1);
              if (at >= json.length) return;
            }
            const end = endOfValue(json, at);
            yield { key, start: at, end };
            at = behindSpace(json, end);
            if (json[at] === ",") at = behindSpace(json, at + 1);
          }
        }

        /** The text of the value at a path; undefined if there is none. */
        function rawAt(json, path) {
          let found = { start: behindSpace(json, 0), end: json.length };
          for (const key of path) {
            if (!opens(json, found.start)) return undefined;
            const { start } = found;
            found = null;
            for (const member of membersOf(json, start)) {
              if (member.key === key) found = member;
              if (found) break;
            }
            if (!found) return undefined;
          }
          return json.slice(found.start, found.end);
        }

        /** The params of a call as JSON. */
        const paramsText = page => page.paramsText ?? JSON.stringify(page._params ?? null);

        /** The text of a JSON string; as it is if it is none. */
        function stringOf(raw) {
          try {
            const value = JSON.parse(raw);
            return typeof value === "string" ? value : raw;
          } catch {
            return raw;
          }
        }

        /** A path as in JavaScript: `content.items[2].name`. */
        function pathText(path) {
          return path.reduce((text, key) => {
            if (typeof key === "number") return `${text}[${key}]`;
            if (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key)) return text ? `${text}.${key}` : key;
            return `${text}[${JSON.stringify(key)}]`;
          }, "");
        }

        /**
         * @param marked the place to mark, as names and indexes in texts; null for none.
         */
        function jsonTree(json, marked) {
          const tree = element("div", undefined, "tree"), start = behindSpace(json, 0);
          tree.append(treeNode(json, { start, end: endOfValue(json, start) }, [], marked?.length ? marked : null));
          return tree;
        }

        /** @param rest what of the marked path is behind this value; null if the value is not on it. */
        function treeNode(json, { key, start, end }, path, rest) {
          const node = element("div"), line = node.appendChild(element("div", undefined, "leaf"));
          const twisty = line.appendChild(element("button", undefined, "twisty"));
          if (key !== undefined) line.append(element("span", String(key), "key"), element("span", ": ", "faint"));
          if (rest?.length === 0) line.classList.add("marked");
          if (opens(json, start) && !/^[[{]\s*[\]}]$/.test(json.slice(start, Math.min(end, start + 100)))) {
            treeBranch(json, { start, end }, { node, line, twisty }, path, rest);
          } else {
            twisty.disabled = true;
            line.append(treeLeaf(json, start, end));
          }
          const raw = () => json.slice(start, end);
          // Over the line, so that what is hidden takes no room.
          const tools = line.appendChild(element("span", undefined, "tools"));
          tools.append(
            copyButton("copyValue", () => json[start] === "\"" ? stringOf(raw()) : [...indented(raw())].join("")),
            copyButton("copyPath", () => pathText(path)));
          return node;
        }

        function treeLeaf(json, start, end) {
          const isString = json[start] === "\"", kind = isString ? "string" : /[-\d]/.test(json[start]) ? "digits" : "literal";
          const text = json.slice(start, end);
          if (text.length <= leafLength) return element("span", text, kind);
          const box = element("span", `${text.slice(0, leafLength)}…`, kind), more = element("button", word("more"), "link");
          more.addEventListener("click", () => {
            more.remove();
            box.replaceChildren(portioned([isString ? stringOf(text) : text]));
          });
          const both = element("span");
          both.append(box, " ", more);
          return both;
        }

        function treeBranch(json, { start, end }, { node, line, twisty }, path, rest) {
          const preview = element("span", json.slice(start, Math.min(end, start + 80)).replace(/\s+/g, " ") + (end - start > 80 ? "…" : ""), "faint");
          const nested = element("div", undefined, "nested");
          // Without a name in front of it, only the triangle would be there.
          if (path.length === 0) line.append(element("span", `${rootText(json, start)} `, "faint root"));
          line.append(preview);
          let isFilled = false;
          const turn = isOpen => {
            twisty.textContent = isOpen ? "▾" : "▸";
            twisty.setAttribute("aria-expanded", isOpen);
            preview.hidden = isOpen;
            line.classList.toggle("folded", !isOpen);
            nested.hidden = !isOpen;
            if (!isOpen || isFilled) return;
            isFilled = true;
            fillBranch(json, start, nested, line, path, rest);
          };
          twisty.setAttribute("aria-label", word("openClose"));
          twisty.addEventListener("click", () => turn(nested.hidden));
          node.append(nested);
          turn(path.length < openLevels || rest?.length > 0);
        }

        /** The type of an object or array, and the number of its members: "Object, 3 members". */
        function rootText(json, start) {
          const members = membersOf(json, start);
          let count = 0;
          while (count <= countLimit && !members.next().done) count += 1;
          const number = Math.min(count, countLimit).toLocaleString("en");
          return word(json[start] === "{" ? "objectOf" : "arrayOf")(count > countLimit ? word("over")(number) : number);
        }

        function fillBranch(json, start, nested, line, path, rest) {
          const members = membersOf(json, start), more = element("button", word("more"), "more");
          const wanted = rest?.[0];
          let isFound = false;
          const show = member => {
            const isWanted = wanted !== undefined && String(member.key) === wanted;
            isFound ||= isWanted;
            return treeNode(json, member, [...path, member.key], isWanted ? rest.slice(1) : null);
          };
          let next = members.next();
          const grow = () => {
            const rows = document.createDocumentFragment();
            for (let count = 0; count < treePortion && !next.done; count += 1, next = members.next()) rows.append(show(next.value));
            more.before(rows);
            if (next.done) more.remove();
          };
          nested.append(more);
          more.addEventListener("click", grow);
          grow();
          if (wanted === undefined || isFound) return;
          // Behind what is shown, or missing.
          for (const member of membersOf(json, start)) {
            if (String(member.key) === wanted) return nested.append(show(member));
          }
          line.classList.add("marked");
          line.append(element("span", word("missing")(wanted), "bad"));
        }

        /** A button that copies what a function returns. */
        function copyButton(name, text) {
          const button = element("button", word(name), "copies");
          button.addEventListener("click", async () => {
            if (await copyText(text())) button.textContent = word("copied");
          });
          return button;
        }

        /** Writes to the clipboard; where the browser does not allow it, by a selection. */
        async function copyText(text) {
          try {
            await navigator.clipboard.writeText(text);
            return true;
          } catch {
            const field = document.body.appendChild(element("textarea", text));
            field.select();
            const isCopied = document.execCommand("copy");
            field.remove();
            return isCopied;
          }
        }
        """#
}
