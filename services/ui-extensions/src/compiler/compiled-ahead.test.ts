import { compileText } from './compile-text';
import { scopeAhead, withCompiledAhead } from './compiled-ahead';

const css = '.title { color: red; } @media print { p, .x { color: blue; } }';
const html = '<p>Hello</p>';

const compiled = (field: 'css' | 'html', text: string, scope: string) => {
  const outcome = compileText({ field, text, scope });
  if ('error' in outcome) throw new Error(outcome.error);
  return outcome.compiled;
};

const ahead = {
  css: { [css]: compiled('css', css, scopeAhead) },
  html: { [html]: compiled('html', html, scopeAhead) },
};

function start() {
  const asked: object[] = [];
  const compiler = withCompiledAhead(
    {
      start: () => undefined,
      compile(_accountId, written) {
        asked.push(written);
        return Promise.resolve({ formDefinitionReact: 'compiled' });
      },
      close: () => Promise.resolve(),
    },
    ahead,
  );
  return { compiler, asked };
}

test('texts that were compiled ahead are what compiling them gives, in the scope of the extension', async () => {
  const { compiler, asked } = start();
  const scope = '.ui-extension-12';
  expect(await compiler.compile('wdc', { css, html }, scope)).toEqual({
    formDefinitionReact: 'compiled',
    ...compiled('css', css, scope),
    ...compiled('html', html, scope),
  });
  expect(asked).toEqual([{}]);
});

test('other texts are compiled', async () => {
  const { compiler, asked } = start();
  const written = { css: '.other {}', html, formDefinition: '{}', javascript: '1' };
  await compiler.compile('wdc', written, '.ui-extension-12');
  await compiler.compile('wdc', { css: 'constructor', html: null }, '.ui-extension-12');
  expect(asked).toEqual([
    { css: '.other {}', formDefinition: '{}', javascript: '1' },
    { css: 'constructor', html: null },
  ]);
});
