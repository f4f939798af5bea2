import { createStylesheet } from '@itsm/shared/api/pages/stylesheet';

/** The frame's surroundings. */
export const previewStylesheet = createStylesheet(/* css */ `
body { height: 100vh; height: 100dvh; display: flex; flex-direction: column; font-size: .9375rem; }
header { background: var(--surface); border-bottom: 1px solid var(--line); padding: .625rem 1rem; display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; }
h1 { font-size: 1.0625rem; line-height: 1.3; margin: 0; flex: 1 1 16rem; }
h1 span { display: block; font-weight: 400; font-size: .8125rem; color: var(--muted); }
nav { display: flex; flex-wrap: wrap; border: 1px solid var(--muted); border-radius: 8px; overflow: hidden; }
nav a { padding: .4rem .7rem; min-height: 2.125rem; color: var(--text); text-decoration: none; font-size: .875rem; }
nav a + a { border-left: 1px solid var(--line); }
nav a[aria-current] { background: var(--accent); color: var(--on-accent); font-weight: 600; }
nav a:focus-visible { outline-offset: -3px; }
nav a[aria-current]:focus-visible { outline-color: var(--on-accent); }
.notes { margin: 0; padding: .5rem 1rem; font-size: .875rem; color: var(--muted); background: var(--surface); border-bottom: 1px solid var(--line); }
.notes p { margin: 0; }
main { flex: 1; min-height: 0; display: flex; justify-content: center; padding: 1rem; }
iframe { flex: 1; min-width: 0; border: 1px solid var(--line); border-radius: 10px; background: #ffffff; color-scheme: light; }
iframe.narrow { max-width: 390px; }
:root[data-theme=dark] iframe.follows { background: #121212; color-scheme: dark; }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) iframe.follows { background: #121212; color-scheme: dark; } }
.empty { margin: 20vh auto 0; max-width: 28rem; padding: 0 1rem; text-align: center; }
/* Where the window is as narrow as a phone there is nothing to choose. */
@media (max-width: 30rem) { header, .notes { padding: .5rem .75rem; } h1 { flex-basis: 100%; } nav[aria-label=Width] { display: none; } main { padding: .5rem; } }
`);
