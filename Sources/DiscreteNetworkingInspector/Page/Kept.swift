extension InspectorPage {
    static let kept = #"""
        // The details of calls that stay on the page when the app has ended: of failed calls, and of calls that somebody has looked at.

        class KeptParts {
          /** At most so many, the newest; a response of more bytes than this is fetched only when somebody looks. */
          static count = 200;
          static size = 1e6;

          /** @param pinned the numbers of calls that stay. */
          constructor(pinned) {
            this.pinned = pinned;
            this.parts = new Map();
            this.waiting = [];
            this.isFetching = false;
          }

          /** Fetches the details of failed calls, one after another; `done` is called with the number and the details. */
          async fetchAhead(rows, done) {
            this.waiting.push(...rows.filter(row => row.state === "failed" && !((row.size ?? 0) > KeptParts.size)).map(row => row.id));
            this.waiting = [...new Set(this.waiting)].slice(-KeptParts.count);
            if (this.isFetching) return;
            this.isFetching = true;
            while (this.waiting.length) {
              const id = this.waiting.shift();
              const part = await this.part(id);
              if (part) done(id, part);
            }
            this.isFetching = false;
          }

          /** The details of a call: the details that the app has, or the kept ones. */
          async part(id) {
            try {
              const response = await fetch(`calls/${id}`);
              if (response.ok) {
                const text = await response.text(), { log } = JSON.parse(text), [page] = log.pages;
                // A parser rounds large numbers. An export does not have it twice.
                Object.defineProperty(page, "paramsText", { value: rawAt(text, ["log", "pages", 0, "_params"]) });
                this.keep(id, { page, entries: log.entries });
              }
            } catch { /* The app has ended. */ }
            return this.parts.get(id);
          }

          keep(id, part) {
            this.parts.delete(id);
            this.parts.set(id, part);
            if (this.parts.size <= KeptParts.count) return;
            for (const old of this.parts.keys()) if (!this.pinned.has(old)) return void this.parts.delete(old);
          }

          /** The archive of some calls, by the app; what was kept of them if it has ended. */
          async archive(ids) {
            try {
              const response = await fetch("har", { method: "POST", body: JSON.stringify(ids) });
              if (response.ok) return await response.text();
            } catch { /* The app has ended. */ }
            return JSON.stringify(archiveOf(this.parts, ids));
          }

          clear() {
            for (const id of [...this.parts.keys()]) if (!this.pinned.has(id)) this.parts.delete(id);
            this.waiting = [];
          }
        }
        """#
}
