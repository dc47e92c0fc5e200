extension InspectorPage {
    static let portions = #"""
        // Texts of any size: a portion of them is on the page, and a button adds the next one.

        const portionLines = 2000, portionLength = 50000;

        /** The text of a body, or a cURL line, in a box that grows by a portion at a time. */
        function portioned(pieces) {
          const box = element("div"), text = box.appendChild(element("pre"));
          const more = element("button", word("more"), "more");
          const portions = portionsOf(pieces);
          let next = portions.next();
          const grow = () => {
            if (next.done) return;
            text.append(next.value);
            next = portions.next();
            if (next.done) more.remove();
            else if (!more.isConnected) box.append(more);
          };
          more.addEventListener("click", grow);
          grow();
          return box;
        }

        /** Joins pieces until they have the length or the lines of a portion. */
        function* portionsOf(pieces) {
          let portion = "", lines = 0;
          for (const piece of pieces) {
            // One string of a body may have megabytes.
            for (let start = 0; start < piece.length; start += portionLength) {
              const part = piece.slice(start, start + portionLength);
              portion += part;
              for (let at = part.indexOf("\n"); at >= 0; at = part.indexOf("\n", at + 1)) lines += 1;
              if (lines < portionLines && portion.length < portionLength) continue;
              yield portion;
              portion = "";
              lines = 0;
            }
          }
          if (portion) yield portion;
        }

        /** The pieces of a body: JSON with indents, also if its end is missing; any other text as it is. */
        function piecesOf(text, type = "") {
          if (!/^\s*[[{]/.test(text)) return [text];
          if (/json/i.test(type)) return indented(text);
          try { JSON.parse(text); } catch { return [text]; }
          return indented(text);
        }

        /**
         * JSON with indents, piece by piece: nothing is read before it is shown. Numbers would be rounded and duplicate names lost
         * by a parser: what is shown differs from what was received by white space only.
         */
        function* indented(json) {
          // A body that is nested a hundred thousand levels deep must not become a text of gigabytes.
          const line = () => "\n" + "  ".repeat(Math.max(0, Math.min(depth, 40)));
          const token = /[[\]{},:]|[^\s[\]{},:"]+/y, space = /\s+/y;
          let depth = 0, isOpened = false, at = 0;
          while (at < json.length) {
            space.lastIndex = at;
            if (space.test(json)) at = space.lastIndex;
            if (at >= json.length) return;
            let piece;
            if (json[at] === "\"") {
              piece = json.slice(at, endOfString(json, at));
            } else {
              token.lastIndex = at;
              [piece] = token.exec(json);
            }
            at += piece.length;
            const closes = piece === "}" || piece === "]";
            if (closes) depth -= 1;
            // Nothing stands between the brackets of an empty object or array.
            if (closes !== isOpened) yield line();
            isOpened = piece === "{" || piece === "[";
            if (isOpened) depth += 1;
            yield piece === "," ? "," + line() : piece === ":" ? ": " : piece;
          }
        }

        /** The index behind a string that begins at an index; the end of the text if its quotation mark is missing. */
        function endOfString(json, start) {
          for (let quote = json.indexOf("\"", start + 1); quote >= 0; quote = json.indexOf("\"", quote + 1)) {
            let slashes = 0;
            while (json[quote - 1 - slashes] === "\\") slashes += 1;
            if (slashes % 2 === 0) return quote + 1;
          }
          return json.length;
        }
        """#
}
