import { compileStylesheet } from './stylesheet';

const compiled = (scss: string): unknown => {
  const result = compileStylesheet(scss, '.x');
  return 'css' in result ? result.css.replace(/\s+/g, ' ').trim() : result;
};

test.each([
  ['.a { .b & { c: d } }', '.x .b .a { c: d; }'],
  ['.a, .b > i { c: d }', '.x .a, .x .b > i { c: d; }'],
  ['@media print { .a { c: d } }', '@media print { .x .a { c: d; } }'],
  ['@keyframes k { from { c: d } 50% { c: e } }', '@keyframes k { from { c: d; } 50% { c: e; } }'],
  [':root { --c: red; }', '.x { --c: red; }'],
  ['html body.dark .a { c: d }', '.x.dark .a { c: d; }'],
  ['body .a { c: d }', '.x .a { c: d; }'],
  ['body-like { c: d }', '.x body-like { c: d; }'],
  ['body ~ .a { c: d }', '.x * ~ .a { c: d; }'],
  ['.a:is(b, c), :not(.d) { c: d }', '.x .a:is(b, c), .x :not(.d) { c: d; }'],
  ['.a::before { content: "é, {" }', '.x .a::before { content: "é, {"; }'],
  ['@use "sass:math"; .a { width: math.div(10px, 4) }', '.x .a { width: 2.5px; }'],
  ['', ''],
])('%s', (scss, css) => {
  expect(compiled(scss)).toBe(css);
});

test('warnings and debug output of a stylesheet are not printed', () => {
  expect(compiled('@debug "x"; @warn "y"; .a { c: d }')).toBe('.x .a { c: d; }');
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
