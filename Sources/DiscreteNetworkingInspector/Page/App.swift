extension InspectorPage {
    static let app = #"""
        // What happens on the page: the app's events come in, the filter and the selection change.

        const get = id => document.getElementById(id);
        const live = new Calls(), kept = new KeptParts(live.pinned);
        /** The opened file: its calls and the part of the archive that belongs to each; null while the app is shown. */
        let opened = null;
        let isPaused = false, isConnected = false;
        /** The stream of events, and the last change that it reported. */
        let source = null, seen = 0;
        let drawn = null;

        const list = new CallList(chosen, setFollowing, () => calls().pinned);
        const contents = new ContentSearch(draw);
        const calls = () => opened ? opened.calls : live;

        const filters = ["service", "manager", "tag"];
        const states = ["running", "succeeded", "failed", "cached", "pinned", "2", "3", "4", "5"];

        function filter() {
          return {
            service: get("service").value, manager: get("manager").value, tag: get("tag").value, status: get("status").value,
            duration: Number(get("duration").value), text: wantedTexts(), hits: contents.hits, pinned: calls().pinned,
          };
        }

        /** The texts that a call must have. */
        const wantedTexts = () => get("text").value.toLowerCase().split(/\s+/).filter(Boolean);

        /** Begins a search in what the calls contain, as the page's user asks for it. */
        function searchAgain() {
          contents.ask(opened, get("deep").getAttribute("aria-pressed") === "true" ? wantedTexts() : []);
          contents.look(calls().all);
          draw();
        }

        // Drawing, at most once for each frame.

        let isDue = false;
        function draw() {
          if (isDue) return;
          isDue = true;
          requestAnimationFrame(() => {
            isDue = false;
            drawNow();
          });
        }

        function drawNow() {
          const all = calls().all, wanted = filter(), rows = inOrder(all.filter(row => passes(row, wanted)));
          for (const name of filters) offer(get(name), calls().values(name), word(name));
          list.show(rows);
          const chosen = list.selection.size > 1 ? word("chosen")(list.selection.size) : "";
          get("count").textContent = word("count")(rows.length, all.length) + chosen;
          const unseen = opened || list.isFollowing ? 0 : list.unseen;
          get("newer").hidden = unseen === 0;
          get("newer").textContent = word("newer")(unseen);
          get("empty").textContent = all.length === 0 ? word("empty") : rows.length === 0 ? word("nothing") : "";
          const state = opened ? "file" : isPaused ? "paused" : isConnected ? "connected" : "disconnected";
          get("rules").hidden = !canAct() || !hasRules();
          get("state").textContent = word(state);
          get("state").className = state;
        }

        /** The choices of a filter; what was chosen stays chosen. */
        function offer(select, values, title) {
          const key = JSON.stringify([language, title, values]);
          if (select.dataset.key === key) return;
          const chosen = select.value;
          select.dataset.key = key;
          select.replaceChildren(new Option(`${title}: ${word("all")}`, ""), ...values.map(value => new Option(value, value)));
          if (chosen && !values.includes(chosen)) select.append(new Option(chosen, chosen));
          select.value = chosen;
        }

        function offerStates() {
          const names = { running: word("isRunning"), succeeded: word("succeeded"), failed: word("failed"), cached: word("isCached"), pinned: word("pinnedOnes") };
          const chosen = get("status").value;
          get("status").replaceChildren(new Option(`${word("status")}: ${word("all")}`, ""), ...states.map(state => new Option(names[state] ?? `${state}xx`, state)));
          get("status").value = chosen;
        }

        // Details.

        const partOf = id => opened ? opened.parts.get(id) : kept.part(id);

        /** Shows the current call; again only when it has changed. */
        async function chosen() {
          draw();
          const id = list.current, row = calls().byID.get(id);
          const key = row && `${id} ${row.revision} ${language} ${opened !== null} ${isConnected} ${calls().pinned.has(id)} ${[...list.selection].length}`;
          get("detail").hidden = get("back").hidden = !row;
          get("calls").classList.toggle("narrow", Boolean(row));
          if (!row || key === drawn) return;
          const isSame = drawn?.split(" ")[0] === String(id), top = get("detail").scrollTop;
          drawn = key;
          // They belong to the call that was shown before.
          if (!isSame) get("detail").querySelector(".actions")?.remove();
          const part = await partOf(id);
          if (drawn !== key) return;
          if (part) drawDetail(get("detail"), part, linkTo, buttonsFor(id, part));
          else get("detail").replaceChildren(
            element("h2", `${row.service}/${row.endpoint} #${id}`), summaryOf(row), ...row.error ? [element("p", row.error, "why bad")] : [],
            element("p", word(isConnected || opened ? "gone" : "notKept"), "faint"));
          get("detail").scrollTop = isSame ? top : 0;
        }

        function buttonsFor(id, part) {
          const pin = actionButton(calls().pinned.has(id) ? "unpin" : "pin", commands.pin);
          pin.id = "pin";
          const compare = list.selection.size === 2 ? [actionButton("compare", commands.compare)] : [];
          return [pin, ...compare, ...canAct() && part.page ? actionsOn(part, selectWhenThere) : []];
        }

        // Events of the app.

        function receive(message) {
          live.put(message.calls);
          live.dropBefore(message.oldest);
          kept.fetchAhead(message.calls, (id, part) => {
            const row = live.byID.get(id);
            if (!row || part.page._businessCode === undefined) return;
            row.code = part.page._businessCode;
            draw();
          });
          if (opened) return;
          contents.look(live.all);
          if (hasRules()) act("rules", {}).then(drawRules);
          if (expected !== null) selectWhenThere(expected);
          if (message.calls.some(row => row.id === list.current)) chosen();
          draw();
        }

        /** What can be done with a call is offered only while the app is there. */
        function connected(isNow) {
          if (isConnected === isNow) return;
          isConnected = isNow;
          chosen();
        }

        function listen() {
          // There is no app.
          if (isAllowed("file")) return void openServed();
          source = new EventSource(`events?after=${seen}`);
          source.onopen = () => connected(true);
          source.onerror = () => connected(false);
          source.onmessage = event => {
            // Another run of the app counts from the start.
            if (Number(event.lastEventId) < seen) {
              live.forget();
              kept.clear();
            }
            seen = Number(event.lastEventId);
            receive(JSON.parse(event.data));
          };
        }

        // Commands, by button and by key.

        function setFollowing(isOn) {
          if (list.isFollowing === isOn) return;
          list.isFollowing = isOn;
          if (isOn && !isNaturalOrder()) {
            Object.assign(order, { column: "number", isDescending: false });
            drawHeads(get("heads"), reordered);
          }
          get("follow").setAttribute("aria-pressed", isOn);
          draw();
        }

        function reordered() {
          if (!isNaturalOrder()) setFollowing(false);
          drawHeads(get("heads"), reordered);
          draw();
        }

        const commands = {
          queue: toggleQueue,
          menu() {
            const isOpen = get("tools").classList.toggle("open");
            get("menu").setAttribute("aria-expanded", isOpen);
          },
          deep() {
            const isOn = get("deep").getAttribute("aria-pressed") !== "true";
            get("deep").setAttribute("aria-pressed", isOn);
            searchAgain();
          },
          pin() {
            const { pinned } = calls(), id = list.current;
            if (id === null) return;
            if (!pinned.delete(id)) pinned.add(id);
            chosen();
          },
          async compare() {
            const [left, right] = await Promise.all([...list.selection].sort((a, b) => a - b).map(partOf));
            if (!left || !right) return;
            drawn = null;
            drawComparison(get("detail"), left, right);
          },
          follow: () => setFollowing(!list.isFollowing),
          back: () => list.selectNothing(),
          newer() {
            list.selectNothing();
            setFollowing(true);
          },
          pause() {
            isPaused = !isPaused;
            get("pause").setAttribute("aria-pressed", isPaused);
            // The app keeps what happens meanwhile.
            isPaused ? source?.close() : listen();
            draw();
          },
          clear() {
            calls().clear();
            if (!opened) kept.clear();
            list.selectNothing();
          },
          export: exportArchive,
          open: () => get("file").click(),
          live: closeArchive,
          dismiss: () => get("note").hidden = true,
          language() {
            language = language === "zh" ? "en" : "zh";
            settings.write("language", language);
            translate();
          },
          theme() {
            const isDark = getComputedStyle(document.documentElement).colorScheme === "dark"
              || getComputedStyle(document.documentElement).colorScheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches;
            setTheme(isDark ? "light" : "dark");
          },
        };
        const keys = { b: "deep", q: "queue", m: "pin", d: "compare", f: "follow", p: "pause", c: "clear", e: "export", o: "open", l: "language", t: "theme" };

        function setTheme(theme) {
          document.documentElement.style.colorScheme = theme ?? "";
          if (theme) settings.write("theme", theme);
        }

        function translate() {
          translatePage();
          get("note").hidden = true;
          offerStates();
          drawHeads(get("heads"), reordered);
          drawRules(rules);
          list.draw();
          chosen();
        }

        for (const [name, run] of Object.entries(commands)) get(name)?.addEventListener("click", run);
        get("text").addEventListener("input", searchAgain);
        get("duration").addEventListener("input", draw);
        for (const id of [...filters, "status"]) get(id).addEventListener("change", draw);
        get("file").addEventListener("change", event => {
          if (event.target.files[0]) openArchive(event.target.files[0]);
          event.target.value = "";
        });
        addEventListener("click", event => {
          if (get("tools").classList.contains("open") && !event.target.closest("header")) commands.menu();
        });
        addEventListener("dragover", event => event.preventDefault());
        addEventListener("drop", event => {
          event.preventDefault();
          if (event.dataTransfer.files[0]) openArchive(event.dataTransfer.files[0]);
        });
        addEventListener("keydown", event => {
          // The browser closes it.
          if (event.key === "Escape" && document.querySelector("dialog[open]")) return;
          if (event.key === "Escape") {
            if (document.activeElement === get("text")) get("text").value = "";
            list.selectNothing();
            get("list").focus();
            return;
          }
          if (document.querySelector("dialog[open]")) return;
          const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName);
          if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
          const command = event.key === "/" ? () => get("text").focus() : commands[keys[event.key.toLowerCase()]];
          if (!command) return;
          event.preventDefault();
          command();
        });

        setTheme(settings.read("theme"));
        applyWidths();
        translate();
        listen();
        if (isAllowed("mock") || isAllowed("throttle")) act("rules", {}).then(drawRules);
        """#
}
