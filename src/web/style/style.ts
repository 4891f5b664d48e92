import { CHART_COLOURS, type Theme } from '../chart/colours.js';
import { EMBED_STYLE } from './embed-style.js';
import { MAP_STYLE } from './map-style.js';

/** The colours of charts as properties, of which other parts of pages have some, too. */
function colours(theme: Theme): string {
  const { lines, ...named } = CHART_COLOURS[theme];
  const all = [...Object.entries(named), ...lines.map((colour, index) => [`line${index}`, colour] as const)];
  return all.map(([name, colour]) => `--${name}: ${colour};`).join(' ');
}

/**
 * The stylesheet of all pages. Colours of lines and classes are told apart by people who see few
 * colours, and never say anything alone. Logical properties keep it right where text runs to the
 * left.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  ${colours('light')}
  --raised: #f4f6f8; --link: #0b5cad; --high: #fbdcd5; --moderate: #fdf0cf; --normal: #e1f0e6;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    ${colours('dark')}
    --raised: #1d232a; --link: #7cc0ff; --high: #5c241c; --moderate: #514112; --normal: #1d4030;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-block-start: 1rem; }
body {
  margin: 0; background: var(--ground); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, :is(input, select, textarea, button, summary):focus-visible {
  outline: 3px solid var(--link); outline-offset: 2px;
}
.skip { position: absolute; inset-inline-start: -100vw; }
.skip:focus { inset-inline-start: 1rem; background: var(--ground); padding: .5rem; z-index: 1; }
.bar { border-block-end: 1px solid var(--rule); background: var(--raised); }
.bar > div, main, footer { inline-size: calc(100% - 2rem); max-inline-size: 68rem; margin-inline: auto; }
.bar > div { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: center; padding-block: .6rem; }
.bar .home { font-weight: 650; text-decoration: none; color: var(--text); margin-inline-end: auto; }
.bar nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
main nav a[aria-current], .bar a[aria-current] { color: var(--text); text-decoration: none; font-weight: 600; }
main { padding-block: 1rem 2rem; }
footer { border-block-start: 1px solid var(--rule); color: var(--muted); font-size: .875rem; padding-block: 1rem 2rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin-block: .5rem .25rem; }
h2 { font-size: 1.15rem; margin-block: 2rem .5rem; }
h3 { font-size: 1rem; margin-block: 1rem .25rem; }
p { margin-block: .5rem; max-inline-size: 46rem; }
h1, caption, p { text-wrap: pretty; }
.scroll + .scroll { margin-block-start: 1rem; }
.muted, caption, figcaption { color: var(--muted); }
.notice { margin: 0; max-width: none; padding: .4rem 1rem; text-align: center; background: var(--moderate); }
.path { font-size: .9rem; }
form.row { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin-block: 1rem; }
form.row > .wide { flex: 1 1 16rem; }
label { display: grid; grid-template-columns: minmax(0, 1fr); gap: .2rem; font-size: .875rem; color: var(--muted); }
input, select, textarea, button {
  font: inherit; color: var(--text); background: var(--ground); border: 1px solid var(--muted);
  border-radius: .3rem; padding: .4rem .6rem; inline-size: 100%; min-block-size: 2.5rem;
}
button { background: var(--link); border-color: var(--link); color: var(--ground); inline-size: auto; cursor: pointer; padding-inline: 1.1rem; }
.visually-hidden { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
.wide { position: relative; }
.suggestions {
  position: absolute; z-index: 2; inset-inline-start: 0; inline-size: max(100%, min(28rem, 100vw - 2rem)); inset-block-start: 100%; margin: .25rem 0 0; padding: .4rem 0;
  max-block-size: 60vh; overflow-y: auto; list-style: none; background: var(--ground);
  border: 1px solid var(--muted); border-radius: .3rem; box-shadow: 0 .3rem 1rem #0003;
}
.suggestions ul { list-style: none; padding: 0; }
.suggestions li[id]:not([role=option]) { font-size: .8rem; padding: .35rem .7rem .1rem; }
.suggestions [role=option] { padding: .4rem .7rem; cursor: pointer; }
.suggestions [role=option]:is(:hover, [aria-selected=true]) { background: var(--raised); }
.suggestions [role=option][aria-selected=true] { outline: 2px solid var(--link); outline-offset: -2px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; min-inline-size: min(100%, 40rem); font-size: .925rem; }
caption { text-align: start; padding-block-end: .4rem; max-inline-size: min(46rem, 100vw - 2rem); }
th, td { text-align: start; padding: .35rem .6rem; border-block-end: 1px solid var(--rule); vertical-align: baseline; overflow-wrap: normal; }
th { font-weight: 600; }
tbody th { font-weight: 500; }
thead :is(th, td) { border-block-end: 2px solid var(--rule); vertical-align: bottom; }
th.number { text-align: end; }
:is(th, td).long { min-inline-size: 16rem; }
td li { overflow-wrap: anywhere; }
td.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.number + :is(td, th):not(.number) { padding-inline-start: 1.75rem; }
.nowrap, .price-unit { white-space: nowrap; }
th[aria-sort=ascending] a::after { content: ' ▲'; }
th[aria-sort=descending] a::after { content: ' ▼'; }
.filters { flex-basis: 100%; grid-column: 1 / -1; }
.filters > .row { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 7.5rem), 1fr)); align-items: end; margin-block-start: .5rem; }
@media (min-width: 40rem) {
  @supports selector(::details-content) {
    .filters > summary { display: none; }
    .filters::details-content { content-visibility: visible; block-size: auto; }
  }
}
.chips { display: flex; flex-wrap: wrap; gap: .4rem; padding: 0; list-style: none; font-size: .9rem; }
.chips > li { background: var(--raised); border: 1px solid var(--rule); border-radius: 1rem; padding: .1rem .3rem .1rem .7rem; }
.chips a { display: inline-block; min-inline-size: 1.75rem; text-align: center; text-decoration: none; }
td .unit { display: inline-block; min-inline-size: 5.5rem; }
button.tick { inline-size: 1.5rem; min-block-size: 1.5rem; padding: 0; margin-inline-end: .3rem; line-height: 1.2; background: var(--ground); color: var(--link); border-color: var(--muted); }
button.tick[aria-pressed=true]::before { content: '✓'; }
.compare-bar { position: sticky; inset-block-end: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding-block: .6rem; background: var(--ground); border-block-start: 1px solid var(--rule); }
.compare-bar p { flex-basis: 100%; margin: 0; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .6rem; margin: 1rem 0; padding: 0; list-style: none; }
.facts > li { background: var(--raised); border: 1px solid var(--rule); border-radius: .4rem; padding: .6rem .8rem; font-size: .9rem; }
.facts strong { display: block; font-size: 1.2rem; font-variant-numeric: tabular-nums; }
.facts .muted { font-size: .85rem; }
.facts .class { font-size: 1rem; white-space: normal; }
.class { border-radius: .3rem; padding: .05rem .45rem; white-space: nowrap; }
.class.high, .class.crisis, .class.alert { background: var(--high); }
.class.moderate, .class.stress { background: var(--moderate); }
.class.normal { background: var(--normal); }
figure { margin: 1rem 0; }
.plot { position: relative; }
.cursor { position: absolute; inset: 0; touch-action: pan-y; cursor: crosshair; }
.cursor:focus { outline: none; }
.cursor .range { position: absolute; top: 0; bottom: 0; background: var(--link); opacity: 0.15; pointer-events: none; }
.cursor:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.readout {
  position: absolute; inset-block-start: 15%; max-inline-size: 45%; padding: .35rem .6rem; pointer-events: none;
  font-size: .85rem; font-variant-numeric: tabular-nums; background: var(--ground);
  border: 1px solid var(--rule); border-radius: .3rem; box-shadow: 0 .2rem .6rem #0003;
}
.readout .key { display: inline-block; inline-size: .7em; block-size: .7em; margin-inline-end: .4em; background: var(--line0); }
.readout .key.band { opacity: .3; }
.chart .rule { stroke: var(--muted); stroke-dasharray: 3 3; }
.charts { display: grid; gap: 0 1.5rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); }
svg.chart { display: block; inline-size: 100%; block-size: auto; }
svg.chart.narrow { display: none; }
svg.chart.spark { inline-size: 6rem; }
svg.chart.wide, svg.chart.narrow { background: var(--ground); }
.chart .ground { fill: var(--ground); }
.chart text { fill: var(--text); }
.chart .muted { fill: var(--muted); }
.chart .level { stroke: var(--muted); }
.chart .grid { stroke: var(--rule); }
.chart .band { fill: var(--band); }
.chart .mark { stroke: var(--mark); }
.chart path.line, .chart line.line { stroke: var(--line0); }
.chart circle.line, .chart .edge { fill: var(--line0); }
${[1, 2, 3, 4, 5, 6, 7]
  .map(
    (index) =>
      `.chart path.line${index}, .chart line.line${index} { stroke: var(--line${index}); }\n` +
      `.chart circle.line${index}, .chart .edge${index} { fill: var(--line${index}); }\n` +
      `.readout .line${index} { background: var(--line${index}); }`,
  )
  .join('\n')}
main[aria-busy=true] { cursor: progress; }
.copied { position: relative; }
.citation { display: block; padding-inline-end: 5.5rem; }
.copy { position: absolute; inset-block-start: .4rem; inset-inline-end: .4rem; min-block-size: 0; padding: .1rem .6rem; font-size: .8rem; }
pre { background: var(--raised); border: 1px solid var(--rule); border-radius: .4rem; padding: .7rem; padding-inline-end: 5.5rem; overflow-x: auto; font-size: .85rem; white-space: pre-wrap; }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .3rem 1.25rem; margin: 0; }
dt { color: var(--muted); }
dd { margin: 0; }
dl.terms { grid-template-columns: minmax(7rem, 15rem) 1fr; gap: .6rem 1.25rem; max-inline-size: 62rem; }
.guide h3 { font-size: 1rem; margin-block: 1.5rem .5rem; }
.guide :is(ul, ol) { max-inline-size: 46rem; }
.guide td { min-inline-size: 6rem; }
.guide .scroll { margin-block: .75rem 1rem; }
.guide td code { overflow-wrap: anywhere; }
.term { color: inherit; text-decoration-style: dotted; }
.pages { display: flex; gap: 1rem; margin-block: 1rem; flex-wrap: wrap; }
.columns { display: grid; gap: 0 2.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); }
ul.plain { list-style: none; padding: 0; }
ul.plain > li { padding-block: .3rem; border-block-end: 1px solid var(--rule); }
:is(input[type='radio'], input[type='checkbox']) { inline-size: auto; min-block-size: 0; }
label.inline { display: inline-flex; gap: .4rem; align-items: center; margin-inline-end: .75rem; }
fieldset { border: 0; margin: 0; padding: 0; }
td input:not([type='radio'], [type='checkbox']) { min-inline-size: 6rem; }
td a:has(+ br) { display: inline-block; min-block-size: 1.5rem; }
.scroll + label { margin-block: 1rem .75rem; }
form.stack { display: grid; gap: .9rem; max-inline-size: 26rem; margin-block: 1rem; }
.bar form { display: flex; gap: .75rem; align-items: center; }
.bar form button { min-block-size: 2rem; padding-block: .1rem; background: none; color: var(--link); }
form.stack span { font-size: .85rem; }
form.stack.wide { max-inline-size: 62rem; }
/* A choice of a mapping, with its reason beside it. */
.choice { display: grid; gap: .25rem 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); align-items: start; }
.choice > p { margin: 0; align-self: center; }
.choice > .constant { display: none; }
.choice:has(option[value="value"]:checked) > .constant { display: block; }
fieldset > .choice { margin-block-start: .25rem; }
fieldset > legend { font-weight: 600; padding: 0; }
form.dropping { outline: 2px dashed var(--link); outline-offset: .6rem; }
.buttons { display: flex; align-items: center; gap: .75rem; flex-wrap: wrap; margin-block: 1rem; }
td button { white-space: nowrap; min-block-size: 0; padding: .1rem .6rem; font-size: inherit; }
.actions { display: grid; gap: 0 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); align-items: start; }
a.button { display: inline-block; background: var(--link); color: var(--ground); padding: .45rem 1.1rem; border-radius: .3rem; text-decoration: none; }
.error { color: var(--mark); font-weight: 600; }
.printed { display: none; }
@media (max-width: 40rem) {
  svg.chart.wide { display: none; }
  svg.chart.narrow { display: block; }
  dl, dl.terms { grid-template-columns: 1fr; gap: 0; }
  dd { margin-block-end: .5rem; }
  table { font-size: .875rem; }
  th, td { padding-inline: .25rem; }
  .price-unit { white-space: normal; }
  .number + :is(td, th):not(.number) { padding-inline-start: .6rem; }
  form.row { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); }
  form.row > :is(.wide, button) { grid-column: 1 / -1; }
}
@media (max-width: 25rem) {
  table { font-size: .8125rem; }
  th, td { padding-inline: .15rem; }
  .number + :is(td, th):not(.number) { padding-inline-start: .4rem; }
}
${MAP_STYLE}${EMBED_STYLE}
progress { inline-size: 100%; max-inline-size: 40rem; block-size: 1.25rem; accent-color: var(--link); }
label.check { display: flex; gap: .5rem; align-items: center; }
label.check input { inline-size: auto; min-block-size: auto; }
label.slider b { color: var(--text); font-weight: 600; }
input[type='range'] { padding: 0; border: 0; min-block-size: 1.75rem; accent-color: var(--link); }
@media (scripting: none) { label.slider { display: none; } }
section + details { margin-block-start: 2rem; }
.folded { margin-block: 1rem; }
summary h2 { display: inline; }
.minor button { background: none; color: var(--link); }
@media print {
  .bar :is(nav, form), form:is(.row, .stack), .compare-bar, .pages, .skip, .api, .embed-code, button, th input, form > label { display: none; }
  section:has(> form.stack):not(:has(table)), h2:has(+ .api), .action, a.button, p:has(> a[download]), .keys, input:has(+ .printed) { display: none; }
  .printed { display: inline; }
  td input:not([type='radio'], [type='checkbox']) { border: 0; padding: 0; min-block-size: 0; min-inline-size: 0; background: none; }
  :root { color-scheme: light; --ground: #fff; --text: #000; --muted: #444; --raised: #fff; }
  a { color: inherit; }
  .scroll { overflow: visible; }
  table { font-size: .7rem; min-inline-size: 0; }
  th, td { padding-inline: .25rem; }
  .facts > li, figure { break-inside: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
`;
