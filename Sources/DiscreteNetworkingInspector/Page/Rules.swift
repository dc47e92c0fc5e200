extension InspectorPage {
    static let rules = #"""
        // What can be done to calls from here: send again, respond in place of the backend, slow down. The app says what it allows.

        /** The buttons for a call, as far as the app allows them. */
        function actionsOn(part, sent) {
          const offer = (ability, name, run) => isAllowed(ability) ? [actionButton(name, run)] : [];
          return [
            ...offer("replay", "sendAgain", () => replay(part, {}, sent)),
            ...offer("replay", "editAndSend", () => askForEdits(part, sent)),
            ...offer("mock", "mock", () => askForMock(part)),
            ...offer("throttle", "slowDown", () => askForDelay(part)),
          ];
        }

        function actionButton(name, run) {
          const button = element("button", word(name));
          button.addEventListener("click", run);
          return button;
        }

        /** @param params JSON, sent as it is written: a parser would round large numbers. */
        async function replay({ page }, { params, headers = {} }, sent) {
          const members = [`"call":${page._requestID}`, `"headers":${JSON.stringify(headers)}`];
          if (params) members.push(`"params":${params}`);
          const response = await act("replay", `{${members.join(",")}}`);
          if (response) sent(response.call);
          return response;
        }

        function askForEdits(part, sent) {
          ask("editAndSend", part, [
            ["params", "textarea", [...indented(paramsText(part.page))].join("")],
            ["moreFields", "textarea", ""],
          ], ({ params, moreFields }) => {
            const headers = {};
            for (const line of moreFields.split("\n").filter(line => line.trim())) {
              const colon = line.indexOf(":");
              if (colon < 1) throw new Error(line);
              headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
            }
            JSON.parse(params);
            return replay(part, { params, headers }, sent);
          });
        }

        const endpointOf = ({ page }) => ({ service: page._service, method: page._method, methodName: page._methodName });

        function askForMock(part) {
          const { response } = part.entries.at(-1) ?? {}, content = response?.content ?? {};
          // A parser would round large numbers.
          const isJSONText = isJSON(content.text ?? "", content.mimeType ?? "");
          ask("mock", part, [
            ["status", "number", String(response?.status || 200)],
            ["contentType", "text", content.encoding ? "application/json" : content.mimeType || "application/json"],
            ["responseBody", "textarea", content.encoding ? "" : isJSONText ? [...indented(content.text)].join("") : content.text ?? ""],
            ["times", "number", "1"],
          ], ({ status, contentType, responseBody, times }) => act("mock", {
            ...endpointOf(part), status: Number(status), headers: { "Content-Type": contentType }, body: responseBody, count: Number(times),
          }).then(drawRules));
        }

        function askForDelay(part) {
          ask("slowDown", part, [["seconds", "number", "2"]], ({ seconds }) =>
            act("throttle", { ...endpointOf(part), seconds: Number(seconds) }).then(drawRules));
        }

        const nameOf = ({ service, method, methodName }) => `${method} ${service}/${methodName}`;

        /** Asks for values in a dialog, for the endpoint of a call; it closes when `done` returns something. */
        function ask(title, part, list, done) {
          const dialog = element("dialog"), inputs = new Map();
          dialog.append(element("h2", word(title)), element("p", nameOf(endpointOf(part)), "faint"));
          for (const [name, kind, value] of list) {
            const label = dialog.appendChild(element("label", word(name))), input = label.appendChild(element(kind === "textarea" ? kind : "input"));
            if (kind !== "textarea") input.type = kind;
            input.name = name;
            input.value = value;
            if (name === "moreFields") input.placeholder = "X-Name: value";
            // As high as what is in it, which is shown from its start.
            if (kind === "textarea") {
              input.rows = Math.min(16, Math.max(3, value.split("\n").length + 1));
              input.setSelectionRange(0, 0);
            }
            inputs.set(name, input);
          }
          const problem = dialog.appendChild(element("p", "", "bad")), bar = dialog.appendChild(element("div", undefined, "line"));
          const run = actionButton("do", async () => {
            try {
              const values = Object.fromEntries([...inputs].map(([name, input]) => [name, input.value]));
              if (await done(values)) dialog.close();
            } catch (error) {
              problem.textContent = `${word("wrongInput")}${error.message}`;
            }
          });
          run.className = "do";
          bar.append(run, actionButton("cancel", () => dialog.close()));
          dialog.addEventListener("close", () => dialog.remove());
          document.body.append(dialog);
          dialog.showModal();
        }

        /** The rules that apply now. */
        let rules = { mocks: [], delays: [] };
        const hasRules = () => rules.mocks.length + rules.delays.length > 0;

        /** Shows the rules that apply now, each with a button that ends it. */
        function drawRules(current) {
          if (!current) return current;
          rules = current;
          const box = document.getElementById("rules");
          const rule = (text, path, end) => {
            const node = element("span", text, "rule"), button = node.appendChild(element("button", "✕"));
            button.setAttribute("aria-label", word("endRule"));
            button.addEventListener("click", async () => drawRules(await act(path, end)));
            return node;
          };
          box.replaceChildren(
            ...rules.mocks.map(mock => rule(word("mocked")(nameOf(mock), mock.status, mock.count), "mock", { ...mock, count: 0 })),
            ...rules.delays.map(delay => rule(word("slowed")(nameOf(delay), delay.seconds), "throttle", { ...delay, seconds: 0 })));
          draw();
          return rules;
        }
        """#
}
