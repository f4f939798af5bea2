import { createHash } from 'node:crypto';
import { createStylesheet } from '@itsm/shared/api/pages/stylesheet';

/** The stylesheet of all pages of this service; light and dark follow the system. */
export const { css: stylesheet } = createStylesheet(/* css */ `
body { display: flex; flex-direction: column; }
.who { color: var(--muted); font-size: .875rem; font-weight: 500; text-decoration: none; overflow-wrap: anywhere; }
.who:hover { color: var(--text); }
.bar button.plain { padding: 0; text-decoration: none; }
/* On a phone the name gets a line of its own, below the one with the way out. */
@media (max-width: 30rem) { .who { order: 1; flex-basis: 100%; } }
main { flex: 1; width: 100%; max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
main.narrow { max-width: 29rem; padding-top: clamp(1.5rem, 8vh, 5rem); }
.card + .card { margin-top: 1.5rem; }
@media (max-width: 30rem) {
  main { padding-left: .875rem; padding-right: .875rem; }
  main.narrow { padding-top: 1.5rem; }
}
h2 + form, h2 + .notice { margin-top: 1rem; }
label, legend { font-weight: 600; font-size: .9375rem; padding: 0; }
.field { margin: 0 0 1.125rem; }
.field > label { display: block; margin-bottom: .35rem; }
input[type=text], input[type=password], input[type=url], select, textarea {
  width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--surface);
  border: 1px solid var(--muted); border-radius: 8px;
}
textarea { resize: vertical; line-height: 1.4; }
#redirectUris, #rules { font: .875rem/1.5 var(--mono); }
[aria-invalid=true] { border-color: var(--bad) !important; }
fieldset { border: 0; margin: 0 0 1.125rem; padding: 0; min-width: 0; }
button.danger, .button.danger { color: var(--bad); border-color: var(--bad); }
button.danger:hover, .button.danger:hover { background: var(--bad-ground); }
button.plain { border: 0; background: none; padding: 0 .25rem; min-height: 1.5rem; color: var(--accent); font-weight: 500; font-size: .875rem; text-decoration: underline; text-underline-offset: .15em; }
form.inline { display: inline; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
.actions button { flex: 1 1 9rem; }
.notice { border-radius: 10px; padding: .75rem 1rem; margin: 0 0 1.25rem; border: 1px solid var(--line); background: var(--sunken); }
.notice.bad { color: var(--bad); background: var(--bad-ground); border-color: currentcolor; }
.notice.good { color: var(--good); background: var(--good-ground); border-color: currentcolor; }
.notice p:last-child { margin: 0; }
details { margin: 0 0 1.125rem; }
summary { cursor: pointer; color: var(--muted); font-size: .9375rem; padding: .25rem 0; }
details .field { margin-top: .75rem; }
ul.scopes { list-style: none; margin: .5rem 0 1.25rem; padding: 0; border: 1px solid var(--line); border-radius: 10px; background: var(--sunken); }
ul.scopes li { padding: .6rem .9rem .6rem 2.35rem; position: relative; }
ul.scopes li + li { border-top: 1px solid var(--line); }
ul.scopes li::before { content: "\\2713"; position: absolute; left: .95rem; color: var(--good); font-weight: 700; }
ul.scopes li.never::before { content: "\\2715"; color: var(--bad); }
.pair { display: flex; align-items: center; gap: .75rem; margin-bottom: 1.25rem; }
.pair p { margin: 0; overflow-wrap: anywhere; }
.below { margin: 1.25rem .25rem 0; }
.card > .below { margin: 1.25rem 0 0; }
.tile {
  width: 3rem; height: 3rem; flex: none; border-radius: 12px; display: grid; place-items: center; font-weight: 700; font-size: 1.25rem;
  background: var(--accent); color: var(--on-accent);
}
ul.rows { list-style: none; margin: 1rem 0 0; padding: 0; }
ul.rows > li { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: flex-start; justify-content: space-between; padding: 1rem 0; border-top: 1px solid var(--line); }
ul.rows > li > div { flex: 1 1 16rem; min-width: 0; }
ul.rows > li:last-child { padding-bottom: 0; }
ul.rows h2 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
ul.rows p { margin: .15rem 0 0; }
ol.log { list-style: none; margin: 1rem 0 0; padding: 0; }
ol.log > li { padding: .75rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
ol.log > li:last-child { padding-bottom: 0; }
ol.log > li.alert { border-left: 3px solid var(--bad); padding-left: .75rem; background: var(--bad-ground); padding-right: .75rem; padding-bottom: .75rem; }
ol.log p { margin: 0; }
.badge { display: inline-block; padding: 0 .5rem; border: 1px solid currentcolor; border-radius: 999px; color: var(--bad); font-size: .8125rem; font-weight: 600; }
.pager { display: flex; gap: 1.25rem; margin-top: 1.25rem; }
.pager a { padding: .25rem 0; }
form.filter { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; }
form.filter .field { flex: 1 1 14rem; margin: 0; }
nav.tabs { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-bottom: 1.25rem; }
nav.tabs a { padding: .35rem 0; color: var(--muted); text-decoration: none; font-weight: 500; border-bottom: 2px solid transparent; }
nav.tabs a:hover { color: var(--text); }
nav.tabs a[aria-current] { color: var(--text); border-color: var(--accent); }
@media (forced-colors: active) { nav.tabs a:not([aria-current]) { border-color: Canvas; } }
.heading { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: center; justify-content: space-between; margin-bottom: .5rem; }
.heading h1 { margin: 0; }
main > .heading { margin-bottom: 1.25rem; }
.choices { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
ul.rows > li > .choices { flex: 0 1 auto; margin: 0; }
details.confirm { margin: 0; }
@media (min-width: 40rem) { details.confirm { text-align: right; } }
details.confirm > summary { display: inline-flex; list-style: none; font-size: 1rem; padding: .5rem 1.125rem; color: var(--bad); }
details.confirm > summary::-webkit-details-marker { display: none; }
details.confirm > form { max-width: 16rem; margin-top: .75rem; }
details.confirm > form > p { margin: 0 0 .75rem; }
.notice:focus { outline: 0; }
.notice:focus-visible { outline: 3px solid var(--accent); }
form.after { margin-top: 1.5rem; }
.card code { font: .875em/1.4 var(--mono); overflow-wrap: anywhere; }
dl.secret { margin: .5rem 0 0; }
dl.secret dt { font-weight: 600; font-size: .875rem; margin-top: .5rem; }
dl.secret dd { margin: .25rem 0 0; }
.field p { margin: .35rem 0 0; }
dl.facts + h2 { margin: 1.25rem 0 0; font-size: 1rem; }
.card p { overflow-wrap: anywhere; }
/* On a line of its own before it breaks. */
.address { display: inline-block; max-width: 100%; }
.matrix + details { margin-top: .75rem; }
h1 + form, h1 + .notice { margin-top: 1.25rem; }
.check input { flex: none; }
form > h2 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
form > h3 { margin: 1.5rem 0 .5rem; }
.notice ul { margin: .25rem 0 0; padding-left: 1.25rem; }
.notice ul:not(:last-child) { margin-bottom: .75rem; }
.notice a { color: inherit; }
svg.qr { display: block; width: min(100%, 15rem); height: auto; margin: 0 0 1rem; border-radius: 8px; }
ul.codes { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: .35rem 1rem; }
ul.codes code { font-size: 1rem; user-select: all; }
.or { text-align: center; color: var(--muted); margin: 1rem 0; font-size: .875rem; }
.empty { padding: 1rem; border: 1px dashed var(--line); border-radius: 10px; color: var(--muted); margin: 1rem 0 0; }
.token { display: block; padding: .75rem; border-radius: 8px; background: var(--surface); color: var(--text); border: 1px solid var(--line); font: .875rem/1.4 var(--mono); overflow-wrap: anywhere; user-select: all; }
.matrix { border: 1px solid var(--line); border-radius: 10px; overflow-x: auto; margin-top: .5rem; }
.matrix table { border-collapse: collapse; width: 100%; font-size: .875rem; }
.matrix th, .matrix td { padding: .35rem .5rem; text-align: center; border-top: 1px solid var(--line); }
.matrix thead th { background: var(--sunken); border-top: 0; font-weight: 600; }
.matrix th:first-child { text-align: left; font-weight: 500; padding-left: .9rem; }
.matrix td label { display: grid; place-items: center; min-height: 1.75rem; cursor: pointer; }
@media (max-width: 30rem) {
  .matrix table { font-size: .8125rem; }
  .matrix th, .matrix td { padding: .3rem .2rem; }
  .matrix th:first-child { padding-left: .6rem; }
  .matrix thead th { font-size: .75rem; }
}
@media (max-width: 22.5rem) {
  main { padding-left: .5rem; padding-right: .5rem; }
  .matrix table, .matrix thead th { font-size: .6875rem; }
  .matrix thead th { font-weight: 500; }
  .matrix th, .matrix td { padding-left: .1rem; padding-right: .1rem; }
  .matrix th:first-child { padding-left: .4rem; }
}
input[type=checkbox] { width: 1.15rem; height: 1.15rem; margin: 0; accent-color: var(--accent); }
.split { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 0 1.25rem; }
.check { display: flex; gap: .6rem; align-items: center; font-weight: 500; min-height: 2rem; }
.check:has(.small) { align-items: flex-start; padding: .25rem 0; }
.check .small { display: block; font-weight: 400; }
/* What otherwise only a colour says. */
@media (forced-colors: active) {
  .bar button.plain { color: LinkText; }
  :is(input, select, textarea)[aria-invalid=true] { border-width: 3px; }
  .notice.bad { border-left-width: 6px; }
  .tile { border: 1px solid; }
}
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
footer { padding: 1rem 1.25rem 1.5rem; text-align: center; color: var(--muted); font-size: .8125rem; }
`);

/** Contains a content hash, so that browsers may cache the file forever. */
export const stylesheetPath = `/oauth/style-${createHash('sha256').update(stylesheet).digest('hex').slice(0, 12)}.css`;
