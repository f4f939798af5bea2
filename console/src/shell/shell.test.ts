import { builtFiles, startConsole } from '../testing/start-console';

const policyOf = (headers: unknown): Record<string, string> =>
  Object.fromEntries(
    ((headers as Record<string, string>)['content-security-policy'] ?? '').split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ');
      return [name, values.join(' ')];
    }),
  );

/** The attributes of each tag with this name. */
const tags = (html: string, name: string): Record<string, string>[] =>
  [...html.matchAll(new RegExp(`<${name}( [^>]*)?>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries([...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value])),
  );

test('an address that is not UTF-8 is a 400 with its place', async () => {
  const started = await startConsole();
  for (const path of ['/accounts/wdc?x=%FF', '/accounts/%FF', '/console/sign-in?next=%FF', '/console/assets/%FF']) {
    const message = `The address is not UTF-8: byte ${path.indexOf('%')}`;
    await started.http.get(path).expect(400, { message });
  }
  await started.close();
});

test('every address of an account is the same page, which starts the browser part and contains no data', async () => {
  const started = await startConsole();
  const { http, calls } = started;
  for (const path of ['/accounts', '/accounts/wdc', '/accounts/wdc/requests/101', '/accounts/wdc/webhooks/7?x=1']) {
    const { text, headers } = await http.get(path).set('Cookie', '__Host-console=forged').expect(200);
    const { nonce, ...facts } = JSON.parse(
      (tags(text, 'meta').find(({ name }) => name === 'console')?.['content'] ?? '').replaceAll('&quot;', '"'),
    ) as Record<string, string>;
    expect(facts).toEqual({ build: expect.stringMatching(/^[\da-f]{12}$/) as string, baseUrl: 'https://itsm.example' });
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'permissions-policy': expect.stringMatching(/camera=\(\).*clipboard-write=\(self\)/) as string,
    });
    expect(headers).not.toHaveProperty('set-cookie');
    expect(policyOf(headers)).toEqual({
      'default-src': "'none'",
      'script-src': `'nonce-${nonce}' 'strict-dynamic'`,
      'style-src': `'self' 'nonce-${nonce}'`,
      'connect-src': "'self'",
      'img-src': "'self' data:",
      'frame-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
    });
    const scripts = tags(text, 'script');
    expect(scripts.map((script) => script['nonce'])).toEqual([nonce, nonce]);
    expect(scripts[1]).toMatchObject({ type: 'module', src: '/console/assets/assets/main-B1.js' });
    expect(tags(text, 'link').slice(1)).toEqual([
      { rel: 'stylesheet', href: '/console/assets/assets/main-D3.css' },
      { rel: 'stylesheet', href: '/console/assets/assets/shared-E4.css' },
      { rel: 'modulepreload', nonce, href: '/console/assets/assets/shared-C2.js' },
    ]);
    expect(text).toContain('<div id="root"></div>');
    expect(text).toContain('<noscript>');
    for (const { src, href } of [...scripts, ...tags(text, 'link').slice(1)]) {
      const file = src ?? href;
      if (file !== undefined) await http.get(file).expect(200);
    }
  }
  expect(calls).toEqual([]);
  await started.close();
});

test('every answer has a new nonce, and every build a new name', async () => {
  const one = await startConsole();
  const [first, second] = [await one.http.get('/accounts/wdc'), await one.http.get('/accounts/wdc')];
  const nonceIn = ({ text }: { text: string }): unknown => tags(text, 'script')[0]?.['nonce'];
  expect(nonceIn(first)).not.toBe(nonceIn(second));
  const manifest = (builtFiles['.vite/manifest.json'] ?? '').replaceAll('main-B1', 'main-B2');
  const other = await startConsole({ files: { ...builtFiles, '.vite/manifest.json': manifest } });
  const buildOf = async ({ http }: typeof one) =>
    /build&quot;:&quot;(\w+)/.exec((await http.get('/accounts/wdc')).text)?.[1];
  expect(await buildOf(one)).toEqual(expect.any(String));
  expect(await buildOf(one)).not.toBe(await buildOf(other));
  await one.close();
  await other.close();
});

test('the address of the platform is escaped in the page', async () => {
  const started = await startConsole({ settings: { BASE_URL: "https://itsm.example/'><script>" } });
  const { text } = await started.http.get('/accounts/wdc');
  expect(text).not.toContain("'><script>");
  await started.close();
});

test('pages allow GET and HEAD only; without a built browser part there are none', async () => {
  const started = await startConsole({ files: {} });
  await started.http.post('/accounts/wdc').expect(405);
  await started.http.get('/accounts/wdc').expect(503);
  await started.close();
});
