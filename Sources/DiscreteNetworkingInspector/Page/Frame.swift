extension InspectorPage {
    static let frame = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="referrer" content="no-referrer">
        <title>DiscreteNetworking</title>
        <link rel="icon" href="data:,">
        <style nonce="%nonce%">
        %style%
        </style>
        </head>
        <body data-allowed="%allowed%">
        <header>
          <h1>DiscreteNetworking</h1>
          <span id="state" role="status"></span>
          <button id="menu" aria-expanded="false" aria-controls="tools" data-word="menu"></button>
          <input id="text" type="search" data-placeholder="filterText" data-label="filterText" spellcheck="false">
          <div id="tools">
          <button id="deep" aria-pressed="false" data-word="deep" data-title="deepTitle" data-key="B"></button>
          <select id="service" data-label="service"></select>
          <select id="manager" data-label="manager"></select>
          <select id="tag" data-label="tag"></select>
          <select id="status" data-label="status"></select>
          <label><span data-word="duration"></span> ≥ <input id="duration" type="number" min="0" step="100" data-label="duration"> ms</label>
          <span class="space"></span>
          <button id="follow" aria-pressed="true" data-word="follow" data-key="F"></button>
          <button id="pause" aria-pressed="false" data-word="pause" data-key="P"></button>
          <button id="clear" data-word="clear" data-key="C"></button>
          <div id="extras">
          <button id="queue" aria-pressed="false" data-word="queue" data-key="Q"></button>
          <button id="export" data-word="export" data-key="E"></button>
          <button id="open" data-word="open" data-key="O"></button>
          <input id="file" type="file" accept=".har,.jsonl,application/json" hidden>
          <button id="language" data-word="language" data-key="L"></button>
          <button id="theme" data-word="theme" data-key="T"></button>
          </div>
          </div>
        </header>
        <div id="banner" hidden><span id="fileName"></span> <button id="live" data-word="backToLive"></button></div>
        <div id="queued" role="region" data-label="queue" tabindex="0" hidden></div>
        <div id="rules" role="status" hidden></div>
        <div id="note" role="alert" hidden><span></span> <button id="dismiss" data-word="close"></button></div>
        <button id="back" hidden data-word="back"></button>
        <main>
          <section id="calls">
            <div id="heads" class="row" role="group" data-label="columns"></div>
            <div id="list" role="listbox" tabindex="0" data-label="calls" aria-multiselectable="true"><div id="rows"></div></div>
            <p id="empty"></p>
            <button id="newer" hidden></button>
          </section>
          <section id="detail" hidden tabindex="0" data-label="details"></section>
        </main>
        <footer><span id="count"></span><span class="space"></span><span data-word="keys"></span></footer>
        <script nonce="%nonce%">
        "use strict";
        %script%
        </script>
        </body>
        </html>
        """#
}
