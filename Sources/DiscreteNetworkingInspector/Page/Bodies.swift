extension InspectorPage {
    static let bodies = #"""
        // A body as what it is: JSON as a tree, a form as a table, parts, events, an image, bytes. Of hostile bodies only texts and
        // images reach the page.

        /** Whether JSON is shown as a tree or as text. */
        let isTree = true;

        const picture = /^image\/(png|jpeg|gif|webp|bmp|avif|x-icon|vnd\.microsoft\.icon)\b/i;

        /**
         * @param body a body as in a HAR file: its text, type, encoding and comment.
         * @param marked the place in it that could not be decoded; null for none.
         */
        function bodyParts({ text, type = "", encoding, comment }, marked) {
          const parts = text ? [contentOf(text, type, encoding === "base64", marked)] : [];
          if (comment) parts.push(element("p", comment, "faint"));
          return parts;
        }

        function contentOf(text, type, isBase64, marked) {
          if (isBase64 && picture.test(type)) return imageOf(text, type);
          const bytes = isBase64 ? atob(text) : null;
          const boundary = /^multipart\/.*boundary="?([^";]+)/i.exec(type)?.[1];
          if (boundary) {
            const found = multipartOf(bytes ?? text, boundary, isBase64);
            if (found) return found;
          }
          if (isBase64) return portioned(hexOf(bytes));
          if (/^text\/event-stream/i.test(type)) return eventsOf(text);
          if (/^application\/x-www-form-urlencoded/i.test(type)) return nameTable(new URLSearchParams(text));
          return isJSON(text, type) ? jsonOf(text, marked) : portioned([text]);
        }

        function isJSON(text, type) {
          if (!/^\s*[[{]/.test(text)) return false;
          if (/json/i.test(type)) return true;
          try { JSON.parse(text); } catch { return false; }
          return true;
        }

        /** JSON, as a tree or as text. */
        function jsonOf(text, marked) {
          const box = element("div"), bar = box.appendChild(element("div", undefined, "line")), content = box.appendChild(element("div"));
          const buttons = [true, false].map(tree => {
            const button = bar.appendChild(element("button", word(tree ? "tree" : "plain")));
            button.addEventListener("click", () => {
              isTree = tree;
              show();
            });
            return button;
          });
          const show = () => {
            buttons.forEach((button, index) => button.setAttribute("aria-pressed", isTree === (index === 0)));
            content.replaceChildren(isTree ? jsonTree(text, marked) : portioned(indented(text)));
          };
          show();
          return box;
        }

        function imageOf(text, type) {
          const image = element("img");
          image.alt = type;
          image.src = `data:${type.split(";")[0]};base64,${text}`;
          return image;
        }

        /** A table that grows by a portion at a time. */
        function portionedTable(names, rows) {
          const box = element("div"), table = box.appendChild(element("table")), more = element("button", word("more"), "more");
          const head = table.createTHead().insertRow(), body = table.createTBody(), iterator = rows[Symbol.iterator]();
          head.append(...names.map(name => element("th", word(name))));
          let next = iterator.next();
          const grow = () => {
            for (let count = 0; count < treePortion && !next.done; count += 1, next = iterator.next()) {
              body.insertRow().append(...next.value.map(cell => cell instanceof Node ? wrapped(cell) : element("td", cell)));
            }
            if (next.done) more.remove();
            else box.append(more);
          };
          more.addEventListener("click", grow);
          grow();
          return box;
        }

        function wrapped(node) {
          const cell = element("td");
          cell.append(node);
          return cell;
        }

        /** Names and values in a table. */
        const nameTable = pairs => portionedTable(["name", "value"], pairs);

        /** The events of a stream (HTML Standard, section 9.2.6). */
        function eventsOf(text) {
          function* events() {
            for (const block of text.split(/\r?\n\r?\n|\r\r/)) {
              const fields = { event: "message", id: "", data: [] };
              for (const line of block.split(/\r\n|\n|\r/)) {
                const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
                if (name === "data") fields.data.push(value);
                else if (name === "event" || name === "id") fields[name] = value;
              }
              const data = fields.data.join("\n");
              if (fields.data.length) yield [fields.event, fields.id, isJSON(data, "") ? jsonTree(data) : data];
            }
          }
          return portionedTable(["event", "eventID", "data"], events());
        }

        /** The parts of a multipart body (RFC 2046, section 5.1); null if it has none. */
        function multipartOf(text, boundary, isBytes) {
          const pieces = `\r\n${text}`.split(`\r\n--${boundary}`).slice(1, 201);
          const box = element("div");
          for (const piece of pieces) {
            if (piece.startsWith("--")) break;
            const at = piece.indexOf("\r\n\r\n"), head = at < 0 ? piece : piece.slice(0, at), content = at < 0 ? "" : piece.slice(at + 4);
            const headers = head.split("\r\n").filter(Boolean).map(line => {
              const colon = line.indexOf(":");
              return { name: line.slice(0, Math.max(0, colon)), value: decoded(line.slice(colon + 1).trim(), isBytes) };
            });
            const type = headers.find(field => field.name.toLowerCase() === "content-type")?.value ?? "";
            const name = /name="([^"]*)"/.exec(headers.find(field => field.name.toLowerCase() === "content-disposition")?.value ?? "")?.[1];
            const part = element("details", undefined, "formPart");
            part.open = true;
            part.append(element("summary", name ?? word("part")), fields(headers));
            const words = decoded(content, isBytes);
            if (words !== null) part.append(content ? contentOf(words, type, false, null) : "");
            else part.append(contentOf(btoa(content), type, true, null));
            box.append(part);
          }
          return box.childElementCount ? box : null;
        }

        /** The text of bytes; null if they are none. */
        function decoded(text, isBytes) {
          if (!isBytes) return text;
          try {
            const words = new TextDecoder("utf-8", { fatal: true }).decode(bytesOf(text));
            return words.includes("\0") ? null : words;
          } catch {
            return null;
          }
        }

        const bytesOf = text => Uint8Array.from(text, character => character.charCodeAt(0));

        /** Bytes in lines of sixteen: where they are, in hexadecimal digits, and as ASCII. */
        function* hexOf(bytes) {
          const hex = (number, digits) => number.toString(16).padStart(digits, "0");
          for (let at = 0; at < bytes.length; at += 16) {
            const line = [...bytes.slice(at, at + 16)];
            const digits = line.map(character => hex(character.charCodeAt(0), 2)).join(" ").padEnd(48);
            yield `${hex(at, 8)}  ${digits} ${line.map(character => /[ -~]/.test(character) ? character : ".").join("")}\n`;
          }
        }
        """#
}
