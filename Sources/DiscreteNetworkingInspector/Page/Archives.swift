extension InspectorPage {
    static let archives = #"""
        // HAR files: what is shown is exported, and what was exported is opened.

        async function exportArchive() {
          const shown = list.rows.map(row => row.id);
          const ids = list.selection.size > 1 ? shown.filter(id => list.selection.has(id)) : shown;
          const text = opened ? JSON.stringify(archiveOf(opened.parts, ids))
            : await kept.archive(ids);
          const link = element("a");
          link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
          link.download = "calls.har";
          link.click();
          setTimeout(() => URL.revokeObjectURL(link.href), 10000);
        }

        /** Opens the file that the page is served for. */
        async function openServed() {
          const response = await fetch("file"), name = response.headers.get("Content-Disposition").split("''")[1];
          get("live").hidden = true;
          await openArchive(new File([await response.blob()], decodeURIComponent(name)));
        }

        async function openArchive(file) {
          let note = file.name;
          try {
            const { rows, parts } = readArchive(await file.text());
            opened = { calls: new Calls(), parts };
            opened.calls.put(rows);
            // Calls of another file have the same numbers.
            drawn = null;
            searchAgain();
            list.selectNothing();
            list.view.scrollTop = 0;
          } catch (error) {
            note = `${word("notAFile")}${file.name} (${error.message})`;
          }
          get("fileName").textContent = note;
          get("banner").hidden = false;
          setFollowing(false);
          draw();
        }

        function closeArchive() {
          opened = drawn = null;
          searchAgain();
          get("banner").hidden = true;
          list.selectNothing();
          draw();
        }
        """#
}
