import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { opensVisits, startChromium, withChromium } from '../oauth/testing/chromium';
import type { Chromium } from '../oauth/testing/chromium';
import { startPlatform } from '../oauth/testing/platform';
import type { Platform } from '../oauth/testing/platform';
import { patiently } from '../patiently';

withChromium('the stylesheet of an extension in Chromium', () => {
  let platform: Platform;
  let chromium: Chromium;
  let id = 0;
  beforeAll(async () => {
    [platform, chromium] = await Promise.all([startPlatform(), startChromium()]);
    id = Number((await send('POST', '/v1/ui_extensions', { name: 'Scoped' })).body['id']);
  });
  afterAll(async () => {
    await chromium.close();
    await platform.stop();
    await platform.remove();
  });
  const open = opensVisits(() => chromium);

  async function send(
    method: string,
    path: string,
    content?: object,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const init = {
      method,
      headers: {
        Authorization: `Bearer ${platform.demo.accounts.wdc.administrator.personal_access_token}`,
        'X-Service-Account': 'wdc',
        'Content-Type': 'application/json',
      },
      ...(content && { body: JSON.stringify(content) }),
    };
    const answer = await patiently(() => fetch(platform.origin + path, init));
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  /** The compiled stylesheet, or undefined when it is refused. */
  async function compile(css: string): Promise<string | undefined> {
    const { status, body } = await send('PATCH', `/v1/ui_extensions/${id}`, { css });
    if (status === 422) return undefined;
    expect(status).toBe(200);
    const { id: version } = body['prepared_version'] as { id: number };
    const { body: found } = await send('GET', `/v1/ui_extensions/${id}/versions/${version}`);
    return String(found['compiled_css']);
  }

  /** A page with the extension's element among others that look the same. */
  async function show(compiled: string, ownStyle = ''): Promise<Page> {
    const same = '<p class="a"><i class="b c" title="x"></i><i class="c"><b class="a b"></b></i></p>';
    const { page } = await open();
    await page.setContent(
      `<!doctype html><html class="dark a"><head><style>${compiled}</style><style>${ownStyle}</style></head>
       <body class="b"><div class="a b">${same}</div><main class="c">${same}
       <div id="extension" class="ui-extension-${id} b">${same}</div><div class="a b c">${same}</div><i class="a"></i></main></body></html>`,
    );
    return page;
  }

  const compound = fc.constantFrom(
    'html',
    'body',
    ':root',
    ':scope',
    '&',
    '&.a',
    'html.dark',
    'body.b',
    ':root:not(.x)',
    'html body',
    'html > body',
    '.a',
    '.b',
    '.c',
    'i',
    '*',
    'p.a',
    '[title=x]',
    ':not(&)',
    ':is(&, .a)',
    ':not(:root)',
    ':has(.b)',
    ':has(&)',
    '.a:not(&)',
    ':is(html, body)',
    ':where(&) .a',
    ':nth-child(1 of .a)',
    ':not(.x, & .y)',
    ':is(.a, .b > .c)',
  );
  const selector = fc
    .tuple(
      fc.constantFrom('', '', '', '', '> ', '+ ', '~ '),
      fc.array(fc.tuple(compound, fc.constantFrom(' ', ' > ', ' + ', ' ~ ')), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', '', '::before'),
    )
    .map(([lead, parts, pseudo]) => {
      const text = parts.map(([one, combinator], index) => (index === 0 ? one : combinator + one)).join('');
      return lead + text + pseudo;
    });

  test('no selector matches an element outside, and ordinary ones match inside', async () => {
    const selectors = fc.sample(selector, { numRuns: 600, seed: 46 });
    const rules = selectors.map((one, index) => `${one} { outline: ${index + 1}px solid; content: "" }`);
    const page = await show((await compile(rules.join('\n'))) ?? '');
    const hits = await page.evaluate(() => {
      const widths = (elements: Iterable<Element>) =>
        [...elements].flatMap((element) =>
          [undefined, '::before'].map((pseudo) => {
            const { outlineWidth, outlineStyle } = getComputedStyle(element, pseudo);
            return outlineStyle === 'none' ? 0 : parseFloat(outlineWidth);
          }),
        );
      return {
        outside: widths(document.querySelectorAll(':not(#extension, #extension *)')),
        inside: widths(document.querySelectorAll('#extension, #extension *')),
      };
    });
    expect(hits.outside.filter((width) => width > 0).map((width) => selectors[width - 1])).toEqual([]);
    expect(hits.inside.filter((width) => width > 0).length).toBeGreaterThan(5);
  });

  test.each([
    ['.a { outline-width: 7px }', 'p.a'],
    ['& .a { outline-width: 7px }', 'p.a'],
    [':root { outline-width: 7px }', ''],
    ['body.b { outline-width: 7px }', ''],
    ['html > body p { outline-width: 7px }', 'p.a'],
    ['> .a { outline-width: 7px }', 'p.a'],
    ['.dark & p { outline-width: 7px }', 'p.a'],
    ['a:hover, i + i { outline-width: 7px }', 'i + i'],
    ['@media (min-width: 1px) { @supports (color: red) { p { outline-width: 7px } } }', 'p.a'],
    ['@layer one, two; @layer two.three { p { outline-width: 7px } }', 'p.a'],
    ['@scope (.a) to (.none) { i + i { outline-width: 7px } }', 'i + i'],
    ['@scope { p { outline-width: 7px } }', 'p.a'],
    ['body { container: card / inline-size } @container card (min-width: 1px) { p { outline-width: 7px } }', 'p.a'],
    ['@property --p { syntax: "<length>"; inherits: true; initial-value: 7px } p { outline-width: var(--p) }', 'p.a'],
  ])('%s applies inside', async (css, selected) => {
    const page = await show((await compile(`* { outline-style: solid } :root { outline-style: solid } ${css}`)) ?? '');
    const width = await page.evaluate(
      (inside) => getComputedStyle(document.querySelector(`#extension ${inside}`) ?? document.body).outlineWidth,
      selected,
    );
    expect(width).toBe('7px');
  });

  test('what the page and the extension call by the same names stays apart', async () => {
    const names = (mine: string, size: string): string => `
      @keyframes spin { from { left: ${mine} } to { left: ${mine} } }
      @counter-style mark { system: cyclic; symbols: "${size}"; suffix: "" }
      @font-face { font-family: Face; src: local("${size}") }
      @layer ${size === 'page' ? 'low, high' : 'high, low'};
      @layer high { p { order: 2 } } @layer low { p { order: 1 } }
      p { animation: spin 9s; font-family: Face, serif; list-style: mark; --p: 1em; font-size: 20px }`;
    const property = '@property --p { syntax: "<length>"; inherits: false; initial-value: 0px }';
    const page = await show((await compile(names('1px', 'extension') + property)) ?? '', names('2px', 'page'));
    const seen = await page.evaluate((extension) => {
      const read = (element: Element | null) => {
        if (!element) throw new Error('no element');
        const style = getComputedStyle(element);
        const [animation] = element.getAnimations();
        const frames = (animation?.effect as KeyframeEffect | undefined)?.getKeyframes() ?? [];
        const own = style.getPropertyValue(`--ui-extension-${extension}-p`);
        return [frames[0]?.['left'], style.order, style.getPropertyValue('--p'), own];
      };
      return {
        page: read(document.querySelector('body > div > p')),
        extension: read(document.querySelector('#extension p')),
        fonts: [...document.fonts].map(({ family }) => family),
      };
    }, id);
    expect(seen.page.slice(0, 3)).toEqual(['2px', '2', '1em']);
    expect(seen.extension.slice(3)).toEqual(['20px']);
    expect(seen.fonts).toEqual([`ui-extension-${id}-Face`, 'Face']);
  });

  const atRules = [
    '@keyframes n { from { left: 0 } }',
    '@-webkit-keyframes n { from { left: 0 } }',
    '@font-face { font-family: n; src: url(a) }',
    '@counter-style n { symbols: a }',
    '@property --n { syntax: "*"; inherits: false }',
    '@layer n;',
    '@layer n { p { left: 0 } }',
    '@layer { p { left: 0 } }',
    '@container n (min-width: 1px) { p { left: 0 } }',
    '@media print { p { left: 0 } }',
    '@supports (left: 0) { p { left: 0 } }',
    '@starting-style { p { left: 0 } }',
    '@scope (p) { i { left: 0 } }',
    '@scope { i { left: 0 } }',
    '@font-feature-values n { @styleset { a: 1 } }',
    '@font-palette-values --n { font-family: n }',
    '@position-try --n { left: 0 }',
    '@page { margin: 0 }',
    '@page :first { margin: 0 }',
    '@namespace url(a);',
    '@namespace n url(a);',
    '@import url(a.css);',
    '@charset "utf-8";',
    '@view-transition { navigation: auto }',
    '@color-profile --n { src: url(a) }',
    '@function --n() { result: 1 }',
    '@custom-media --n print;',
    '@custom-selector :--n p;',
    '@document url(a) { p { left: 0 } }',
    '@viewport { width: 1px }',
    '@-ms-viewport { width: 1px }',
    '@nest p { left: 0 }',
    '@when media(print) { p { left: 0 } }',
    '@unheard of;',
  ];

  test('every at-rule is refused, or has all it says in the scope or under a name of the extension', async () => {
    const found: Record<string, string[]> = {};
    for (const wrapped of [(css: string) => css, (css: string) => `@media screen { ${css} }`]) {
      for (const atRule of atRules) {
        const compiled = await compile(`p { left: 0 } ${wrapped(atRule)}`);
        if (compiled === undefined) continue;
        const page = await show(compiled);
        found[wrapped(atRule)] = await page.evaluate((extension) => {
          const own = `ui-extension-${extension}`;
          const namesOf = (rule: CSSRule): string[] => {
            if (rule instanceof CSSStyleRule) return [rule.selectorText === `.${own}` ? own : rule.selectorText];
            if (rule.constructor.name === 'CSSScopeRule') return [(rule as CSSRule & { start: string }).start.slice(1)];
            if (rule instanceof CSSFontFaceRule)
              return [rule.style.getPropertyValue('font-family').replace(/["']/g, '')];
            if (rule instanceof CSSLayerStatementRule) return [...rule.nameList];
            if ('name' in rule && !('conditionText' in rule)) return [String(rule.name).replace(/^--/, '')];
            if ('fontFamily' in rule) return [String(rule.fontFamily)];
            const inside = 'cssRules' in rule ? [...(rule.cssRules as CSSRuleList)] : undefined;
            return inside ? inside.flatMap(namesOf) : [rule.cssText];
          };
          const [sheet] = document.styleSheets;
          return [...(sheet?.cssRules ?? [])].flatMap(namesOf).filter((name) => !name.startsWith(own));
        }, id);
        await page.close();
      }
    }
    expect(Object.fromEntries(Object.entries(found).filter(([, names]) => names.length > 0))).toEqual({});
    expect(Object.keys(found).length).toBeGreaterThan(30);
  });
});
