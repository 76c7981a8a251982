/** The style sheet of the API reference. The content security policy allows it by its hash. */
export const docsStyle = `
:root{color-scheme:light dark;--line:light-dark(#ddd,#3a3a3a);--soft:light-dark(#f5f5f5,#1f1f1f);--dim:light-dark(#5c5c5c,#a5a5a5);
--read:light-dark(#0b5a8f,#7cc0f0);--write:light-dark(#7a4a00,#f0b860);--end:light-dark(#a3201d,#ff9c94)}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{font:16px/1.5 system-ui,sans-serif;max-width:66rem;margin:2rem auto;padding:0 1rem}
h1{margin:0}h2{margin:2.5rem 0 .6rem}h3{margin:1.4rem 0 .3rem;font-size:1rem}
a{color:var(--read)}
code{font-family:ui-monospace,monospace;font-size:.94em;overflow-wrap:anywhere}
.lead,.dim{color:var(--dim)}
nav{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;margin:1rem 0;padding:.6rem .8rem;background:var(--soft);border-radius:6px}
details{border:1px solid var(--line);border-radius:6px;margin:.4rem 0}
details[open]{margin-bottom:1rem}
summary{cursor:pointer;padding:.45rem .8rem;display:grid;grid-template-columns:4.6rem minmax(0,24rem) minmax(0,1fr);gap:.2rem .8rem;align-items:baseline}
summary:hover{background:var(--soft)}
summary b{font-family:ui-monospace,monospace;font-size:.9em}
.read{color:var(--read)}.write{color:var(--write)}.end{color:var(--end)}
details>div{padding:.2rem .8rem 1rem;border-top:1px solid var(--line)}
table{border-collapse:collapse;width:100%;font-size:.92em}
th{font-weight:600;color:var(--dim)}
td,th{border-bottom:1px solid var(--line);padding:.3rem .5rem .3rem 0;text-align:left;vertical-align:top}
td:nth-child(1){width:34%}td:nth-child(2){width:30%}
td small{color:var(--dim);white-space:nowrap}
@media(max-width:42rem){
body{margin-top:1rem}
summary{grid-template-columns:4.6rem minmax(0,1fr)}summary span{grid-column:1/-1;color:var(--dim)}
tr:first-child:has(th){display:none}
tr{display:block;border-bottom:1px solid var(--line);padding:.35rem 0}
td{display:block;border:0;padding:0}td:nth-child(n){width:auto}td:empty{display:none}
}
`;
