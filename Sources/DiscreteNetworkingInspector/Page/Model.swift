extension InspectorPage {
    static let model = #"""
        // Calls, as the app reports them or as a HAR file holds them, and which of them are shown.

        /** A call in the list: the summary that the app sends, or one that is made of an entry of a file. */
        class Calls {
          constructor() {
            this.byID = new Map();
            this.order = [];
            /** The calls up to this number were cleared. */
            this.cleared = 0;
            /** The numbers of calls that stay. */
            this.pinned = new Set();
          }

          /** Adds calls, or replaces them by what they have become. */
          put(rows) {
            let isSorted = true;
            for (const row of rows) {
              if (row.id <= this.cleared && !this.pinned.has(row.id)) continue;
              // The code of a business failure comes with the call's details.
              row.code ??= this.byID.get(row.id)?.code;
              if (!this.byID.has(row.id)) {
                isSorted &&= !(this.order.at(-1) > row.id);
                this.order.push(row.id);
              }
              row.haystack = [row.id, row.service, row.manager, row.endpoint, row.url, row.tag, row.method, row.status, row.error, row.errorKind]
                .filter(part => part !== undefined && part !== null).join(" ").toLowerCase();
              this.byID.set(row.id, row);
            }
            // They come in the order in which they changed: a refresh ends before the calls that wait for it.
            if (!isSorted) this.order.sort((a, b) => a - b);
          }

          /** Forgets the calls that the app no longer has. */
          dropBefore(id) {
            if (!(this.order[0] < id)) return;
            this.keep(other => other >= id || this.pinned.has(other));
          }

          clear() {
            this.cleared = Math.max(this.cleared, this.order.at(-1) ?? 0);
            this.keep(id => this.pinned.has(id));
          }

          keep(isKept) {
            for (const id of this.order) if (!isKept(id)) this.byID.delete(id);
            this.order = this.order.filter(isKept);
          }

          /** Forgets everything: the app has started again, and its numbers too. */
          forget() {
            this.pinned.clear();
            this.clear();
            this.cleared = 0;
          }

          get all() { return this.order.map(id => this.byID.get(id)); }

          /** The different values of a field, sorted. */
          values(field) {
            return [...new Set(this.all.map(row => row[field]).filter(Boolean))].sort();
          }
        }

        /** Whether a call passes the filter. */
        function passes(row, filter) {
          if (filter.service && row.service !== filter.service) return false;
          if (filter.manager && row.manager !== filter.manager) return false;
          if (filter.tag && row.tag !== filter.tag) return false;
          if (filter.duration > 0 && durationOf(row) < filter.duration) return false;
          if (!filter.text.every(part => row.haystack.includes(part)) && !filter.hits.has(row.id)) return false;
          switch (filter.status) {
            case "": return true;
            case "running": case "succeeded": case "failed": return row.state === filter.status;
            case "cached": return row.isCached === true;
            case "pinned": return filter.pinned.has(row.id);
            default: return Math.floor(row.status / 100) === Number(filter.status);
          }
        }

        const startOf = row => row.date;
        const durationOf = row => row.duration ?? Math.max(0, ...row.bars.map(bar => bar[1] ?? bar[0]));
        const endOf = row => row.state === "running" ? Math.max(Date.now(), row.date) : row.date + durationOf(row);

        /** Reads a HAR file: its rows, and the part of it that belongs to each. */
        /**
         * The log of a file: an archive, or an archive of one call on each line, of which the last of a call counts. The last line
         * is incomplete where the app was killed.
         */
        function logOf(text) {
          const lines = text.split("\n").filter(line => line.trim()), logs = new Map();
          let first;
          try { first = JSON.parse(lines[0]).log; } catch { return JSON.parse(text).log; }
          if (lines.length < 2) return first;
          for (const [index, line] of lines.entries()) {
            try {
              const log = index ? JSON.parse(line).log : first;
              logs.set(log.pages[0]._requestID, log);
            } catch (error) {
              if (index < lines.length - 1) throw error;
            }
          }
          const all = [...logs.values()];
          return { pages: all.flatMap(log => log.pages), entries: all.flatMap(log => log.entries) };
        }

        function readArchive(text) {
          const log = logOf(text);
          if (!log || !Array.isArray(log.entries)) throw new Error("log.entries");
          const pages = (log.pages ?? []).filter(page => page._requestID !== undefined);
          const parts = new Map(), rows = [], ofPage = new Map(pages.map(page => [page.id, []]));
          for (const entry of log.entries) ofPage.get(entry.pageref)?.push(entry);
          for (const page of pages) {
            const entries = ofPage.get(page.id);
            parts.set(page._requestID, { page, entries });
            rows.push(rowOfPage(page, entries));
          }
          // Archives of others: each entry is a row.
          let id = rows.reduce((highest, row) => Math.max(highest, row.id), 0);
          for (const entry of log.entries.filter(entry => !ofPage.has(entry.pageref))) {
            id += 1;
            parts.set(id, { page: null, entries: [entry] });
            rows.push(rowOfEntry(entry, id));
          }
          return { rows, parts };
        }

        function rowOfPage(page, entries) {
          const last = entries.at(-1);
          return {
            id: page._requestID, date: Date.parse(page.startedDateTime), state: page._state, service: page._service,
            manager: page._manager, endpoint: page.title.replace(/ #\d+$/, "").replace(/^[^/]*\//, ""), method: page._method,
            tag: page._tag, url: last?.request.url, status: last?.response.status || undefined, size: sizeOf(last?.response.content),
            duration: page.pageTimings.onLoad >= 0 ? page.pageTimings.onLoad : undefined, error: page._error, errorKind: page._errorKind, code: page._businessCode,
            isCached: page._steps?.some(step => step.name === "servedFromCache"), isSample: page._isSample, isRenewal: page._isRenewal,
            bars: entries.map(entry => [entry._start, entry._end ?? null, entry.response.status]),
          };
        }

        function rowOfEntry(entry, id) {
          const url = entry.request.url;
          const slash = url.indexOf("/", url.indexOf("//") + 2);
          const failed = entry.response.status >= 400 || entry.response.status === 0;
          return {
            id, date: Date.parse(entry.startedDateTime), state: failed ? "failed" : "succeeded", service: slash < 0 ? url : url.slice(0, slash),
            manager: "", endpoint: slash < 0 ? "/" : url.slice(slash), method: entry.request.method, url, status: entry.response.status || undefined,
            size: sizeOf(entry.response.content), duration: entry.time, error: entry._error ?? undefined,
            bars: [[0, entry.time, entry.response.status]],
          };
        }

        /** The archive of some rows of an opened file. */
        function archiveOf(parts, ids) {
          const chosen = ids.map(id => parts.get(id)).filter(Boolean);
          return { log: {
            version: "1.2", creator: { name: "DiscreteNetworkingInspector", version: "1" },
            pages: chosen.map(part => part.page).filter(Boolean), entries: chosen.flatMap(part => part.entries),
          } };
        }

        // Units.

        /** The time of day, to the second. */
        function clockText(milliseconds) {
          const date = new Date(milliseconds), two = number => String(number).padStart(2, "0");
          return Number.isNaN(date.getTime()) ? "–" : [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
        }

        /** The day and the time of day, as the list has it. */
        function dateText(milliseconds) {
          const date = new Date(milliseconds), two = number => String(number).padStart(2, "0");
          if (Number.isNaN(date.getTime())) return "–";
          return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clockText(milliseconds)}`;
        }

        /**
         * A URL to be read: letters and brackets instead of their percent-encoding. Delimiters, spaces, and characters that show
         * nothing or turn the direction of text stay encoded.
         */
        function readableURL(url) {
          try {
            return decodeURI(url).replace(/[\p{C}\p{Z}]/gu, encodeURIComponent);
          } catch {
            return url;
          }
        }

        function timeText(milliseconds) {
          if (milliseconds === undefined || milliseconds === null || milliseconds < 0) return "–";
          if (milliseconds < 1) return `${milliseconds.toFixed(2)} ms`;
          return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
        }

        /** The size of a body; undefined where it is unknown, as of a stream. */
        const sizeOf = content => content?._isSizeUnknown ? undefined : content?.size;

        function sizeText(bytes) {
          if (bytes === undefined || bytes === null || bytes < 0) return "–";
          if (bytes < 1000) return `${bytes} B`;
          return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
        }
        """#
}
