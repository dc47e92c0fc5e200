extension InspectorPage {
    static let search = #"""
        // Searches what the list does not have: params, header fields and bodies. The app searches what it would show, without
        // secrets; the content of an opened file is searched here.

        class ContentSearch {
          static batch = 300;

          /** @param found is called when calls were found. */
          constructor(found) {
            this.found = found;
            this.ask(null, []);
          }

          /** Starts a search; without texts it finds nothing. */
          ask(file, texts) {
            this.file = file;
            this.texts = texts;
            this.hits = new Set();
            this.searched = new Map();
            this.run = Symbol("run");
            this.isRunning = false;
          }

          /** Searches the calls that were not searched, or that have changed since; the newest first. */
          async look(rows) {
            this.rows = rows;
            if (this.isRunning || !this.texts.length) return;
            this.isRunning = true;
            const { run } = this;
            while (run === this.run) {
              const next = this.rows.filter(row => this.searched.get(row.id) !== (row.revision ?? 0)).slice(-ContentSearch.batch);
              if (!next.length) break;
              const hits = await this.hitsAmong(next.map(row => row.id));
              if (run !== this.run) return;
              // The app has ended.
              if (!hits) break;
              for (const row of next) this.searched.set(row.id, row.revision ?? 0);
              for (const id of hits) this.hits.add(id);
              this.found();
            }
            if (run === this.run) this.isRunning = false;
          }

          async hitsAmong(ids) {
            if (!this.file) return (await act("search", { calls: ids, texts: this.texts }))?.calls;
            await new Promise(requestAnimationFrame);
            return ids.filter(id => {
              const text = JSON.stringify(this.file.parts.get(id)).toLowerCase();
              return this.texts.every(part => text.includes(JSON.stringify(part).slice(1, -1)));
            });
          }
        }
        """#
}
