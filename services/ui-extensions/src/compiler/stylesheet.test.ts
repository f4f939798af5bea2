import { compileStylesheet } from './stylesheet';

const compiled = (scss: string): unknown => {
  const result = compileStylesheet(scss, '.x');
  return 'css' in result ? result.css : result;
};

const within = (css: string): string => `.x{${css}}`;

test.each([
  ['.a { .b & { c: d } }', '.b .a{c:d}'],
  ['.a, .b > i { c: d }', '.a,.b>i{c:d}'],
  ['@media print { .a { c: d } }', '@media print{.a{c:d}}'],
  ['@supports (display: grid) { @media print { html { c: d } } }', '@supports(display: grid){@media print{&{c:d}}}'],
  ['.a { @starting-style { opacity: 0 } }', '@starting-style{.a{opacity:0}}'],
  [':root { --c: red; }', '&{--c: red}'],
  ['* { c: d }', '*{c:d}'],
  ['::selection { c: d }', '::selection{c:d}'],
  ['body-like { c: d }', 'body-like{c:d}'],
  ['bodyé :root-x { c: d }', 'bodyé :root-x{c:d}'],
  ['.a:is(b, c), :not(.d) { c: d }', '.a:is(b,c),:not(.d){c:d}'],
  ['.a::before { content: "é, {" }', '.a::before{content:"é, {"}'],
  ['.a[title="& > :root"] \\& { c: d }', '.a[title="& > :root"] \\&{c:d}'],
  ['.a { b: url(x}y) } .c { d: e }', '.a{b:url(x}y)}.c{d:e}'],
  ['@use "sass:math"; .a { width: math.div(10px, 4) }', '.a{width:2.5px}'],
  ['/*! Licence */ /* Note */ .a { b: c }', '/*! Licence */.a{b:c}'],
  ['@charset "utf-8"; .a { b: c }', '.a{b:c}'],
])('%s is put into the rule of the scope', (scss, css) => {
  expect(compiled(scss)).toBe(within(css));
});

test('an empty stylesheet stays empty', () => {
  expect(compiled('$a: 1px; .b {}')).toBe('');
});

// `&` at the top is the root element of the page, as `:scope` is.
test.each([
  ['html body.dark .a { c: d }', '&.dark .a{c:d}'],
  ['html.x > body:hover > .a { c: d }', '&.x:hover>.a{c:d}'],
  ['body .a { c: d }', '& .a{c:d}'],
  ['html::before { c: d }', '&::before{c:d}'],
  [':root:not(.dark) .a { c: d }', '&:not(.dark) .a{c:d}'],
  ['& .a { c: d }', '& .a{c:d}'],
  ['&.a, :scope > .b { c: d }', '&.a,&>.b{c:d}'],
  ['> .a { c: d }', '>.a{c:d}'],
  ['.dark & .a { c: d }', '.dark & .a{c:d}'],
  ['.dark & { c: d }', '.dark &{c:d}'],
  // Siblings of the scope are outside of it.
  ['body ~ .a { c: d }', '& *~.a{c:d}'],
  ['body.dark + .a { c: d }', '&.dark *+.a{c:d}'],
  ['html > body ~ .a { c: d }', '& *~.a{c:d}'],
  ['& + .a { c: d }', '& *+.a{c:d}'],
  ['.b & ~ .a > .c { c: d }', '.b & *~.a>.c{c:d}'],
  ['+ .a { c: d }', '*+.a{c:d}'],
  ['~ .a .b { c: d }', '*~.a .b{c:d}'],
  // A browser puts nothing before a selector that has the scope somewhere.
  ['.a:not(&) { c: d }', '& .a:not(&){c:d}'],
  [':is(&, .b) .c { c: d }', '& :is(&,.b) .c{c:d}'],
  ['.a:has(&) { c: d }', '& .a:has(&){c:d}'],
])('%s is about the scope', (scss, css) => {
  expect(compiled(scss)).toBe(within(css));
});

test.each([
  [
    '@keyframes k { from { c: d } 50% { c: e } } .a { animation: k 1s ease, other 2s; } .b { animation-name: k, "k" }',
    '@keyframes x-k{from{c:d}50%{c:e}}.x{.a{animation:x-k 1s ease,other 2s}.b{animation-name:x-k,x-k}}',
  ],
  [
    '@-webkit-keyframes "my k" { from { c: d } } .a { -webkit-animation-name: my\\ k; content: "my k" }',
    '@-webkit-keyframes x-my\\20 k{from{c:d}}.x{.a{-webkit-animation-name:x-my\\20 k;content:"my k"}}',
  ],
  [
    '@keyframes ease { from { c: d } } .a { animation: ease 1s ease } .b { animation: 1s ease }',
    '@keyframes x-ease{from{c:d}}.x{.a{animation:ease 1s x-ease}.b{animation:1s ease}}',
  ],
  [
    '@keyframes k { from { c: d } } .a { --x: k 1s; --y: "k"; transition: k 1s }',
    '@keyframes x-k{from{c:d}}.x{.a{--x: x-k 1s;--y: "k";transition:k 1s}}',
  ],
  [
    '@font-face { font-family: "My Font"; src: url(a), local("My Font") } .a { font-family: my  font, serif; font: bold 12px/30px "My Font", b }',
    '@font-face{font-family:x-My\\20 Font;src:url(a),local("My Font")}.x{.a{font-family:x-my\\20 font,serif;font:bold 12px/30px x-My\\20 Font,b}}',
  ],
  [
    '@font-face { font-family: F; src: url(a) } .a { font: 12px F; font-family: Not F; --f: F, x; }',
    '@font-face{font-family:x-F;src:url(a)}.x{.a{font:12px x-F;font-family:Not F;--f: x-F, x}}',
  ],
  ['@font-feature-values Arial { @styleset { a: 1 } }', '@font-feature-values x-arial{@styleset{a:1}}'],
  [
    '@font-palette-values --p { font-family: F } .a { font-palette: --p }',
    '@font-palette-values --x-p{font-family:F}.x{.a{font-palette:--x-p}}',
  ],
  [
    '@counter-style c { system: extends decimal; fallback: d } @counter-style d { symbols: a b } .a { list-style: inside c }',
    '@counter-style x-c{system:extends decimal;fallback:x-d}@counter-style x-d{symbols:a b}.x{.a{list-style:inside x-c}}',
  ],
  [
    '@counter-style c { symbols: a } .a { counter-reset: c; content: counter(c, c) counters(c, "c", c) }',
    '@counter-style x-c{symbols:a}.x{.a{counter-reset:c;content:counter(c, x-c) counters(c, "c", x-c)}}',
  ],
  [
    '@property --p { syntax: "*"; inherits: false } .a { --p: 1px; --q: 2px; width: var(--p); transition: --p 1s; content: "--p" }',
    '@property --x-p{syntax:"*";inherits:false}.x{.a{--x-p: 1px;--q: 2px;width:var(--x-p);transition:--x-p 1s;content:"--p"}}',
  ],
  [
    '@position-try --p { left: 0 } .a { position-try-fallbacks: --p }',
    '@position-try --x-p{left:0}.x{.a{position-try-fallbacks:--x-p}}',
  ],
  [
    '.p { container: card / inline-size; width: calc(card) } @container card (card > 1px) { .b { c: d } } @container page (width > 1px) { .b { c: d } }',
    '.x{.p{container:x-card/inline-size;width:calc(card)}@container x-card (card > 1px){.b{c:d}}@container page (width > 1px){.b{c:d}}}',
  ],
  [
    '@layer a, b; .q { r: s } @layer a.b { .c { d: e } } @layer { .d { e: f } } @layer c;',
    '@layer x-a, x-b;.x{.q{r:s}@layer x-a.x-b{.c{d:e}}@layer{.d{e:f}}}@layer x-c',
  ],
  [
    '@layer b { .a { c: d } } @layer a { @keyframes k { from { c: d } } .b { animation: k } }',
    '.x{@layer x-b{.a{c:d}}}@layer x-a{@keyframes x-k{from{c:d}}}.x{@layer x-a{.b{animation:x-k}}}',
  ],
  [
    '@media print { .a { c: d } @font-face { font-family: F } }',
    '@media print{@font-face{font-family:x-F}}.x{@media print{.a{c:d}}}',
  ],
  [
    '.z { a: b } @scope (.a) to (.b) { img { c: d } } @scope { i { c: d } } .y { a: b }',
    '.x{.z{a:b}}@scope (.x .a) to (.b){img{c:d}}@scope(.x){i{c:d}}.x{.y{a:b}}',
  ],
  ['@scope (html, > .a, &.b, .c &) { i { c: d } }', '@scope (.x,.x .a,.x.b,.c .x){i{c:d}}'],
])('what %s defines has a name of its own', (scss, css) => {
  expect(compiled(scss)).toBe(css);
});

test.each([
  'page',
  'namespace',
  'view-transition',
  'color-profile',
  'custom-media',
  'custom-selector',
  'viewport',
  '-ms-viewport',
  'document',
  'function',
  'when',
  'unknown',
])('@%s is refused, because it cannot be kept within the scope', (name) => {
  const refused = { error: expect.stringContaining(`must not contain @${name}, which cannot be kept`) as unknown };
  expect(compiled(`.a { b: c }\n @${name} --a { .b { c: d } }`)).toEqual(refused);
  expect(compiled(`@media print { @${name} --a { b: c } }`)).toEqual(refused);
});

test('a refused at-rule is named with its place, if the stylesheet has it as it is', () => {
  expect(compiled('.a { b: c }\n  @PAGE :first { d: e }')).toEqual({
    error: 'must not contain @PAGE, which cannot be kept within the extension (line 2, column 3)',
  });
  expect(compiled('$p: "pa"; @#{$p}ge { d: e }')).toEqual({
    error: 'must not contain @page, which cannot be kept within the extension',
  });
});

test('warnings and debug output of a stylesheet are not printed', () => {
  expect(compiled('@debug "x"; @warn "y"; .a { c: d }')).toBe('.x{.a{c:d}}');
});

test.each([
  ['.a { color: }', 'is not valid: Expected expression. (line 1, column 13)'],
  ['\n  @error "no";', 'is not valid: "no" (line 2, column 3)'],
  ['@use "package.json";', "is not valid: Can't find stylesheet to import. (line 1, column 1)"],
  ['@use "sass:meta"; @include meta.load-css("file:///etc/passwd");', "is not valid: Can't find stylesheet to import."],
  ['.a { c: d }\n @import url(https://example.com/a.css);', 'must not import anything (line 2, column 2)'],
])('%s is refused with the place', (scss, error) => {
  expect(compiled(scss)).toEqual({ error: expect.stringContaining(error) as unknown });
});

test.each(['.a{'.repeat(20_000), `.a{b:${'('.repeat(30_000)}`, '@mixin a { @include a; } .b { @include a; }'])(
  'a stylesheet nested without end is refused',
  (scss: string) => {
    expect(compiled(scss)).toEqual({ error: 'is nested too deeply' });
  },
);
