// One call in full: why it was slow, why it failed, what was sent and what came back. All of it is text: nothing that a
// server sends is ever read as HTML.

/**
 * @param part the page and the entries of a call, as in a HAR file.
 * @param link makes a link to the call with a number.
 */
function drawDetail(view, { page, entries }, link) {
  view.replaceChildren(...(page ? callParts(page, link) : []), ...entries.flatMap((entry, index) => exchangeParts(entry, index, !page)));
}

function callParts(page, link) {
  const parts = [element("h2", page.title), element("p", new Date(page.startedDateTime).toLocaleString(document.documentElement.lang), "faint"), element("p", [page._manager, page._service, page._tag].filter(Boolean).join(" · "), "faint")];
  if (page._error) parts.push(element("p", page._error, "why bad"));
  if (page.comment) parts.push(element("p", page.comment, "faint"));
  const slow = slowestStep(page);
  if (slow) parts.push(element("p", word("slowest")(slow.text, timeText(slow.time), slow.part), "why"));
  if (page._isSample) parts.push(element("p", word("sample"), "faint"));
  if (page._isRenewal) parts.push(element("p", word("renewal"), "faint"));
  if (Array.isArray(page._awaitedBy)) parts.push(linked(element("p", word("awaitedBy")), page._awaitedBy, link));
  parts.push(element("h3", word("steps")), stepTable(page, link));
  if (page._businessCode !== undefined) {
    parts.push(element("h3", word("envelope")), pairs([["code", page._businessCode], ["message", page._businessMessage]]));
  }
  parts.push(element("h3", word("params")), portioned(piecesOf(JSON.stringify(page._params ?? null), "json")));
  return parts;
}

const endOfPage = page => page.pageTimings.onLoad >= 0 ? page.pageTimings.onLoad : page._steps.at(-1).time;

/** The time from each step to the next one. */
function spansOf(page) {
  return page._steps.map((step, index) => ({ step, time: (page._steps[index + 1]?.time ?? endOfPage(page)) - step.time }));
}

function slowestStep(page) {
  const total = endOfPage(page);
  if (!(total >= 1)) return null;
  const longest = spansOf(page).reduce((a, b) => b.time > a.time ? b : a);
  const part = Math.round(100 * longest.time / total);
  return part < 50 ? null : { text: word("spans")[longest.step.name] ?? longest.step.name, time: longest.time, part };
}

/** Adds links to calls behind a text. */
function linked(node, numbers, link) {
  for (const number of numbers) node.append(" ", link(number));
  return node;
}

/** What a step is called; one that waited for a refresh or a login says how long, and for which. */
function stepCell(step, time, link) {
  const waited = word("waited")[step.name];
  if (waited && Array.isArray(step.waitedFor)) return linked(element("td", waited(timeText(time))), step.waitedFor, link);
  const name = word("stepNames")[step.name] ?? step.name;
  if (typeof name === "function") return element("td", name(step.text));
  const seconds = !step.seconds ? "" : ` (${timeText(step.seconds * 1000)})`;
  return element("td", [name, step.text].filter(Boolean).join(step.text?.includes(" ") ? ": " : " ") + seconds);
}

function stepTable(page, link) {
  const table = element("table"), total = Math.max(endOfPage(page), 0.001);
  for (const { step, time } of spansOf(page)) {
    const row = table.insertRow();
    row.append(element("td", timeText(step.time), "number faint"), stepCell(step, time, link));
    const bar = element("i"), cell = element("td", undefined, "part");
    bar.style.marginLeft = `${Math.min(99, 100 * step.time / total)}%`;
    bar.style.width = `${Math.max(0, 100 * time / total)}%`;
    cell.append(bar);
    row.append(cell);
  }
  return table;
}

function exchangeParts(entry, index, isOpen) {
  const box = element("details"), { request, response } = entry;
  box.open = isOpen || index === 0;
  const status = response.status || word("noResponse");
  const attempt = entry._attempt ? ` · ${word("attempt")(entry._attempt)}` : "";
  box.append(element("summary", `${request.method} ${status} · ${timeText(entry.time)}${attempt}`));
  box.append(pairs([["url", request.url], ["version", response.httpVersion]]));
  if (entry._error) box.append(element("p", entry._error, "why bad"));
  // That of a call has it already.
  if (isOpen && entry.comment) box.append(element("p", entry.comment, "faint"));
  if (entry._isShared) box.append(element("p", word("shared"), "faint"));
  if (entry._curl) box.append(element("h3", "cURL"), copyable(entry._curl));
  box.append(element("h3", word("timings")), timingTable(entry));
  box.append(element("h3", word("requestHeaders")), fields(request.headers));
  const data = request.postData;
  if (data) box.append(element("h3", word("requestBody")), ...body(data.text, data.mimeType, data._encoding, data.comment));
  box.append(element("h3", word("responseHeaders")), fields(response.headers));
  const content = response.content ?? {};
  box.append(element("h3", `${word("responseBody")} (${sizeText(content.size)})`));
  box.append(...body(content.text, content.mimeType ?? "", content.encoding, content.comment));
  return [box];
}

function body(text, type, encoding, comment) {
  const parts = [];
  if (encoding === "base64") parts.push(element("p", `${type} · ${word("binary")}`, "faint"));
  if (text) parts.push(portioned(encoding ? [text] : piecesOf(text, type)));
  if (comment) parts.push(element("p", comment, "faint"));
  return parts;
}

function timingTable(entry) {
  const table = element("table"), names = ["blocked", "dns", "connect", "ssl", "send", "wait", "receive"];
  const total = Math.max(entry.time, 0.001);
  for (const name of names.filter(name => entry.timings[name] >= 0)) {
    const row = table.insertRow(), bar = element("i"), cell = element("td", undefined, "part");
    bar.style.width = `${100 * entry.timings[name] / total}%`;
    cell.append(bar);
    row.append(element("td", word("phases")[name]), element("td", timeText(entry.timings[name]), "number"), cell);
  }
  return table;
}

function fields(list) {
  const box = element("dl");
  for (const { name, value } of list ?? []) box.append(element("dt", name), element("dd", value));
  return box;
}

function pairs(list) {
  return fields(list.filter(([, value]) => value !== undefined && value !== null).map(([name, value]) => ({ name: word(name), value })));
}

function copyable(text) {
  const line = element("div", undefined, "line"), button = element("button", word("copy"));
  button.addEventListener("click", async () => {
    // Only a page of this machine may write to the clipboard; elsewhere the text is selected.
    if (!navigator.clipboard) return getSelection().selectAllChildren(box.lastChild);
    await navigator.clipboard.writeText(text);
    button.textContent = word("copied");
  });
  line.append(button);
  const box = element("div");
  box.append(line, portioned([text]));
  return box;
}
