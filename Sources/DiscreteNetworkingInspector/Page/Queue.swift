extension InspectorPage {
    static let queue = #"""
        // Calls that an outbox or background transfers keep: waiting, being sent, or dead, with why.

        let isQueueOpen = false;

        /** Shows or hides the queue. It is asked for as long as it is shown. */
        function toggleQueue() {
          isQueueOpen = !isQueueOpen;
          const button = document.getElementById("queue");
          button.setAttribute("aria-pressed", isQueueOpen);
          document.getElementById("queued").hidden = !isQueueOpen;
          if (isQueueOpen) readQueue();
        }

        async function readQueue() {
          try {
            const response = await fetch("queue");
            if (response.ok) drawQueue((await response.json()).calls);
          } catch {
            // The page says that the app has ended.
          }
          if (isQueueOpen) setTimeout(readQueue, 1000);
        }

        function drawQueue(calls) {
          const box = document.getElementById("queued");
          if (!isQueueOpen) return;
          const table = element("table"), head = table.createTHead().insertRow(), body = table.createTBody();
          for (const name of ["state", "manager", "lane", "user", "attempts", "time", "reason"]) {
            head.append(element("th", word("queueColumns")[name]));
          }
          for (const call of calls) {
            const row = body.insertRow();
            row.className = call.state === "dead" ? "bad" : "";
            const texts = [word("queueStates")[call.state] ?? call.state, call.manager, call.lane, call.user ?? "", String(call.attempts),
              clockText(call.created * 1000), call.reason ?? ""];
            for (const text of texts) row.insertCell().textContent = text;
          }
          box.replaceChildren(calls.length ? table : element("p", word("queueEmpty"), "faint"));
        }
        """#
}
