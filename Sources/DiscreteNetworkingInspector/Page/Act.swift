extension InspectorPage {
    static let act = #"""
        // What the page asks of the app beside calls, as far as the app allows it.

        const isAllowed = name => (document.body.dataset.allowed ?? "").split(" ").includes(name);

        /** Whether the app that made the shown calls is there, so that it can be asked for something. */
        const canAct = () => isConnected && !opened;

        /**
         * Posts an action, a value or JSON; a browser sends no JSON to here for a page of another origin.
         * @returns the response; null if the app refused, which the page shows.
         */
        async function act(path, body) {
          let reason;
          try {
            const response = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: typeof body === "string" ? body : JSON.stringify(body) });
            if (response.ok) return await response.json();
            reason = (await response.text()).trim() || String(response.status);
          } catch {
            reason = word("disconnected");
          }
          notify(`${word("refused")}${reason}`);
          return null;
        }

        /** Shows a text until the next one, or until it is closed. */
        function notify(text) {
          const note = document.getElementById("note");
          note.firstElementChild.textContent = text;
          note.hidden = false;
        }

        /** The call to select as soon as the app has reported it. */
        let expected = null;

        function selectWhenThere(id) {
          expected = id;
          if (!live.byID.has(id)) return;
          expected = null;
          list.select(id);
          if (list.index(id) >= 0) list.reveal(list.index(id));
        }
        """#
}
