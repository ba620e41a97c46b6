/** The page's styles. Colours are custom properties, so that the charts follow light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --paper: #fdfdfc; --ink: #1c2024; --soft: #5a6169; --line: #d9dce0; --panel: #f3f4f5;
  --progressive: #1f6feb; --complete: #0f8a5f; --whisker: #1c2024; --link: #0b57c2; --warn: #8a4b00; --warn-paper: #fff4e0; --bad: #b3261e; --bad-paper: #fdeceb; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e6e8ea; --soft: #a2a9b0; --line: #353b41; --panel: #1d2226;
  --progressive: #5b9dff; --complete: #3fc492; --whisker: #f2f4f5; --link: #8ab8ff; --warn: #ffc46b; --warn-paper: #33260d; --bad: #ff9d95; --bad-paper: #3a1a18; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 3rem) 4rem; max-width: 90rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: clamp(1.6rem, 4vw, 2.2rem); line-height: 1.2; margin: 0 0 .5rem; text-wrap: balance; }
h2 { font-size: 1.35rem; margin: 3rem 0 .5rem; } h3 { font-size: 1.05rem; margin: 2rem 0 .4rem; }
p { max-width: 46rem; margin: .5rem 0; } a { color: var(--link); } code { font-size: .9em; overflow-wrap: anywhere; }
.soft { color: var(--soft); } .small { font-size: .875rem; }
.banner { padding: .6rem .9rem; border-left: 4px solid var(--warn); background: var(--warn-paper); max-width: none; }
.lead { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .75rem; margin: 1.25rem 0; padding: 0; list-style: none; }
.lead li { background: var(--panel); border-radius: .5rem; padding: .75rem 1rem; } .lead b { display: block; font-size: 1.5rem; line-height: 1.25; }
.box { overflow-x: auto; margin: .75rem 0; } .box:focus-visible { outline: 2px solid var(--link); }
table { border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding: 0 0 .4rem; }
th, td { padding: .38rem .5rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; white-space: nowrap; }
th { position: sticky; top: 0; background: var(--paper); font-weight: 600; } thead th { white-space: normal; } th small, td small { display: block; color: var(--soft); font-weight: 400; }
th[scope=row], .left { text-align: left; } td.wrap { white-space: normal; min-width: 14rem; text-align: left; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; text-align: inherit; }
th button::after { content: " \\2195"; color: var(--soft); } [aria-sort=ascending] button::after { content: " \\2191"; color: inherit; } [aria-sort=descending] button::after { content: " \\2193"; color: inherit; }
.not-rankable { color: var(--warn); } .failed td { color: var(--bad); }
.filters { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: 1rem 0; } .filters input[type=search], .filters select { font: inherit; padding: .3rem .5rem; border: 1px solid var(--soft); border-radius: .3rem; background: var(--paper); color: inherit; }
.key span { display: inline-block; margin-right: 1rem; } .key span::before { content: ""; display: inline-block; width: .8em; height: .8em; margin-right: .4em; border-radius: .15em; background: var(--key); }
figure { margin: 1.25rem 0; max-width: 62rem; } figcaption { font-weight: 600; } figure .box svg { display: block; width: 100%; min-width: 40rem; height: auto; }
dl { display: grid; grid-template-columns: minmax(9rem, max-content) 1fr; gap: .15rem 1rem; font-size: .875rem; } dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
li { margin: .2rem 0; overflow-wrap: anywhere; } nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; list-style: none; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; } [hidden] { display: none !important; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; } }
@media print { .filters, nav { display: none; } th { position: static; } }
`;
