extension InspectorPage {
    static let style = #"""
        :root {
          color-scheme: light dark;
          --ground: light-dark(#ffffff, #1c1d20);
          --panel: light-dark(#f4f5f7, #26282c);
          --line: light-dark(#dcdfe4, #3a3d43);
          --text: light-dark(#1f2328, #e4e6ea);
          --faint: light-dark(#5f6773, #9aa1ac);
          --accent: light-dark(#0a63c9, #6cb2ff);
          --chosen: light-dark(#dcebff, #1b3652);
          --good: light-dark(#14712f, #57c46f);
          --odd: light-dark(#855a00, #e0b04a);
          --bad: light-dark(#c5221f, #ff7b72);
          --fixed: light-dark(#7b3fb5, #c9a4ff);
          --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
          font: 13px/1.45 system-ui, -apple-system, "Segoe UI", "Noto Sans", "Noto Sans CJK SC", "PingFang SC", sans-serif;
        }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        body { margin: 0; height: 100vh; display: flex; flex-direction: column; background: var(--ground); color: var(--text); }
        header, footer, #banner { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; padding: 6px 10px; background: var(--panel); }
        header { border-bottom: 1px solid var(--line); }
        footer { border-top: 1px solid var(--line); color: var(--faint); padding: 3px 10px; }
        #banner { background: var(--chosen); }
        h1 { font-size: 14px; margin: 0 4px 0 0; }
        h2 { font-size: 15px; margin: 0 0 4px; overflow-wrap: anywhere; }
        h3 { font-size: 12px; margin: 16px 0 4px; color: var(--faint); text-transform: uppercase; letter-spacing: .04em; }
        /* kB is not KB. */
        h3 > span { text-transform: none; }
        .space { flex: 1; }
        #state { color: var(--faint); margin-right: 6px; }
        #state::before { content: "●"; color: var(--odd); margin-right: 4px; }
        #state.connected::before { color: var(--good); }
        button, select, input { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 5px; padding: 2px 8px; }
        select, input { max-width: 10em; }
        button { cursor: pointer; white-space: nowrap; }
        button:hover { border-color: var(--accent); }
        button[aria-pressed="true"] { background: var(--chosen); border-color: var(--accent); }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: -1px; }
        #text { width: 9.5em; }
        header { font-size: 12px; }
        header button, header select, header input { padding: 2px 6px; }
        #duration { width: 4.5em; }
        main { flex: 1; display: flex; min-height: 0; }
        #calls { flex: 1; min-width: 0; display: flex; flex-direction: column; position: relative; container: calls / inline-size; }
        #detail { flex: 0 0 46%; overflow: auto; border-left: 1px solid var(--line); padding: 10px 14px 24px; }
        #list { flex: 1; overflow-y: scroll; position: relative; }
        #rows { position: relative; }
        .row { display: grid; grid-template-columns: var(--number, 76px) var(--time, 84px) var(--status, 128px) var(--method, 66px) var(--endpoint, minmax(120px, 2.2fr)) var(--service, minmax(60px, .8fr)) var(--size, 80px) var(--duration, 74px) minmax(90px, 1.6fr); height: 26px; align-items: center; }
        .row > * { padding: 0 7px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .narrow .row { grid-template-columns: var(--number, 72px) var(--time, 80px) var(--status, 118px) var(--method, 66px) var(--endpoint, minmax(100px, 1.6fr)) var(--duration, 74px) minmax(120px, 1fr); }
        .narrow .row > :nth-child(6), .narrow .row > :nth-child(7) { display: none; }
        #heads { overflow: hidden; scrollbar-gutter: stable; background: var(--panel); color: var(--faint); border-bottom: 1px solid var(--line); font-size: 12px; }
        #heads .head { position: relative; }
        #heads .axis { display: flex; gap: 8px; }
        #heads .axis button { min-width: 0; }
        #heads .ticks { flex: 1 0 auto; }
        #heads button { font: inherit; color: inherit; border: none; background: none; padding: 0; max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
        #heads button:hover { color: var(--text); }
        .ticks { flex: 1; display: flex; justify-content: space-between; gap: 6px; overflow: hidden; font-variant-numeric: tabular-nums; font-size: 11px; line-height: 2; }
        .grip { position: absolute; right: 0; top: 0; bottom: 0; width: 7px; cursor: col-resize; border-right: 1px solid var(--line); touch-action: none; }
        .grip:hover, .grip:focus-visible { border-right: 3px solid var(--accent); }
        #rows .pinned > :first-child::before { content: "★ "; color: var(--odd); }
        #rows .row { position: absolute; left: 0; right: 0; cursor: default; border-bottom: 1px solid color-mix(in srgb, var(--line) 45%, transparent); }
        #rows .row:hover { background: var(--panel); }
        #rows .row[aria-selected="true"] { background: var(--chosen); }
        #rows .row.current { box-shadow: inset 3px 0 var(--accent); }
        .number { text-align: right; font-variant-numeric: tabular-nums; }
        .faint { color: var(--faint); }
        .good { color: var(--good); } .odd { color: var(--odd); } .bad { color: var(--bad); }
        .bars { position: relative; height: 12px; padding: 0 !important; margin: 0 7px; }
        .bars i { position: absolute; top: 2px; height: 8px; min-width: 2px; border-radius: 2px; background: currentColor; }
        /* Where requests of a few pixels overlap, the failure is seen. */
        .bars .bad { z-index: 1; }
        .bars i.whole { top: 5px; height: 2px; color: var(--faint); opacity: .5; }
        #empty { position: absolute; inset: 90px 20px auto; text-align: center; color: var(--faint); pointer-events: none; }
        #detail > p { margin: 4px 0; overflow-wrap: anywhere; }
        .why { border-left: 3px solid var(--accent); padding: 4px 10px; background: var(--panel); }
        .why.bad { border-color: var(--bad); }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: 1px 12px; margin: 0; }
        dt { color: var(--faint); }
        dd { margin: 0; overflow-wrap: anywhere; }
        pre { font: 12px/1.5 var(--mono); background: var(--panel); border: 1px solid var(--line); border-radius: 5px; padding: 8px 10px; margin: 4px 0; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24em; overflow: auto; }
        table { border-collapse: collapse; width: 100%; }
        thead { position: static; } thead th { border-bottom: 1px solid var(--line); }
        td, th { padding: 2px 8px 2px 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
        th { color: var(--faint); font-weight: normal; }
        td.number, th.number { white-space: nowrap; }
        td.part { width: 26%; }
        td.part i { display: block; height: 8px; min-width: 1px; margin-top: 6px; border-radius: 2px; background: var(--accent); opacity: .7; }
        .link { border: none; background: none; padding: 0; color: var(--accent); text-decoration: underline; font-variant-numeric: tabular-nums; }
        .tabs { display: flex; gap: 2px; margin: 10px 0 8px; border-bottom: 1px solid var(--line); }
        .tabs button { border: none; border-radius: 0; background: none; padding: 4px 10px; color: var(--faint); border-bottom: 2px solid transparent; margin-bottom: -1px; }
        .tabs button[aria-selected="true"] { color: var(--text); border-bottom-color: var(--accent); }
        .attempts, .actions { flex-wrap: wrap; margin-bottom: 8px; }
        .panel > p { margin: 4px 0; overflow-wrap: anywhere; }
        .panel img { max-width: 100%; border: 1px solid var(--line); border-radius: 5px; }
        .tree { font: 12px/1.6 var(--mono); background: var(--panel); border: 1px solid var(--line); border-radius: 5px; padding: 6px 8px; margin: 4px 0; max-height: 40em; overflow: auto; }
        .nested { padding-left: 18px; border-left: 1px solid var(--line); margin-left: 6px; }
        .leaf { overflow-wrap: anywhere; border-radius: 4px; }
        .leaf:hover, .leaf:focus-within { background: var(--chosen); }
        .leaf.marked { background: color-mix(in srgb, var(--bad) 8%, transparent); outline: 1px solid var(--bad); }
        .twisty { border: none; background: none; padding: 0; width: 16px; color: var(--faint); }
        .leaf { position: relative; }
        .leaf.folded { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .tools { position: absolute; top: 0; right: 2px; opacity: 0; }
        .leaf:hover > .tools, .leaf:focus-within > .tools { opacity: 1; }
        .copies { font: 11px/1.2 system-ui, sans-serif; padding: 0 5px; margin-left: 4px; }
        .key { color: var(--accent); } .string { color: var(--good); } .digits { color: var(--odd); } .literal { color: var(--fixed); }
        th.part { width: 26%; } th.part .ticks { line-height: inherit; } .ticks span { white-space: nowrap; }
        .differences td, .differences th { width: 33%; border-bottom: 1px solid var(--line); }
        .rule { display: inline-block; margin-right: 12px; } .rule button { padding: 0 5px; margin-left: 4px; }
        #queued { max-height: 35vh; overflow: auto; padding: 4px 10px; border-bottom: 1px solid var(--line); }
        #queued td, #queued th { padding: 2px 12px 2px 0; text-align: left; vertical-align: top; }
        #rules { padding: 4px 10px; background: color-mix(in srgb, var(--odd) 20%, var(--panel)); border-bottom: 1px solid var(--line); }
        dialog { color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 8px; width: min(620px, 92vw); }
        dialog > p { margin: 0; }
        dialog label { display: block; margin: 8px 0; color: var(--faint); }
        dialog :is(input, textarea) { display: block; width: 100%; max-width: none; color: var(--text); margin-top: 2px; }
        dialog .do { background: var(--chosen); border-color: var(--accent); }
        dialog textarea { font: 12px/1.5 var(--mono); padding: 6px 8px; background: var(--panel); border: 1px solid var(--line); border-radius: 5px; }
        #note { padding: 6px 10px; background: color-mix(in srgb, var(--bad) 18%, var(--panel)); }
        details { border-top: 1px solid var(--line); padding: 6px 0; }
        summary { cursor: pointer; }
        .line { display: flex; gap: 8px; align-items: center; }
        #newer { position: absolute; bottom: 10px; left: 50%; transform: translateX(-50%); background: var(--chosen); border-color: var(--accent); }
        .more { margin-bottom: 6px; }
        #back, #menu { display: none; }
        #tools { display: flex; gap: 6px; align-items: center; flex: 1; min-width: 0; }
        #tools select { field-sizing: content; max-width: 20em; }
        #extras { display: contents; }
        @media (max-width: 1750px) { h1 { display: none; } header, #tools { gap: 4px; } }
        @media (min-width: 901px) and (max-width: 1500px) {
          header { position: relative; }
          #menu { display: block; order: 1; }
          #tools:not(.open) #extras { display: none; }
          #tools.open #extras { display: flex; flex-direction: column; gap: 4px; position: absolute; z-index: 2; top: 100%; right: 10px;
            padding: 8px; background: var(--panel); border: 1px solid var(--line); border-radius: 0 0 6px 6px; }
        }
        @media (max-width: 1270px) { #tools { flex-wrap: wrap; } #text { width: 8em; } #duration { width: 3.5em; } }
        @media (min-width: 901px) and (max-width: 1100px) { label [data-word="duration"] { display: none; } }
        /* A tick that is cut is another number. */
        @container calls (max-width: 1000px) {
          #heads .ticks { justify-content: flex-end; }
          #heads .ticks span:nth-child(-n+2) { display: none; }
        }
        @container calls (max-width: 660px) {
          .narrow .row { grid-template-columns: var(--number, 72px) var(--time, 80px) var(--status, 118px) var(--method, 66px) var(--endpoint, minmax(60px, 1fr)) var(--duration, 74px); }
          .narrow .row > :nth-child(9) { display: none !important; }
        }
        @media (max-width: 900px) {
          #menu { display: block; }
          #text { flex: 1; width: auto; max-width: none; }
          #tools:not(.open) { display: none; }
          #tools { flex: 1 0 100%; flex-wrap: wrap; }
          .space { display: none; }
          footer [data-word="keys"] { display: none; }
          #calls.narrow { display: none; }
          #detail { flex: 1; min-width: 0; border-left: none; }
          #back:not([hidden]) { display: block; margin: 6px 10px; align-self: flex-start; }
          .row { grid-template-columns: 64px 84px 118px 66px minmax(0, 1fr) 74px; }
          .row > :is(:nth-child(6), :nth-child(7), :nth-child(9)) { display: none !important; }
        }
        @media (max-width: 480px) {
          /* The details have the number and the time. */
          .row { grid-template-columns: 108px 58px minmax(0, 1fr) 68px; }
          .row > * { padding: 0 5px; }
          .row > :is(:nth-child(1), :nth-child(2)) { display: none !important; }
          #rows .pinned > :nth-child(3)::before { content: "★ "; color: var(--odd); }
          td.part, th.part { width: 18%; }
          th.part .ticks span:not(:last-child) { display: none; }
          th.part .ticks { justify-content: flex-end; }
        }
        """#
}
