// The details of calls that stay on the page when the app has ended: of failed calls, and of those that were looked at.

class KeptParts {
  /** At most so many, the newest; a response of more bytes than this is fetched only when somebody looks. */
  static count = 200;
  static size = 1e6;

  constructor() {
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

  /** The details of a call: those of the app, or those that were kept. */
  async part(id) {
    try {
      const response = await fetch(`calls/${id}`);
      if (response.ok) {
        const { log } = await response.json();
        this.keep(id, { page: log.pages[0], entries: log.entries });
      }
    } catch { /* The app has ended. */ }
    return this.parts.get(id);
  }

  keep(id, part) {
    this.parts.delete(id);
    this.parts.set(id, part);
    if (this.parts.size > KeptParts.count) this.parts.delete(this.parts.keys().next().value);
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
    this.parts.clear();
    this.waiting = [];
  }
}
