import { startStore } from '../testing/start-service';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

const hostile = `<h1 onclick="alert(1)">Order</h1><script>fetch('https://evil.example')</script><img src=x onerror=alert(1)>`;
const tokenIn = (uri: string): string => uri.split('/').at(-1) ?? '';
const form = { sections: [{ name: 'S<b>', fields: [{ id: 'a', type: 'text', label: 'Field "a"' }] }] };

async function startWithPreview() {
  const service = await store.start();
  // The clock is in the future, so that the store's TTL index, which has a clock of its own, deletes nothing.
  service.clock.time = new Date('2126-03-18T19:04:06Z');
  const client = service.as('wdc');
  const input = {
    name: 'Laptop <order>',
    html: hostile,
    css: '.a { content: "</style><script>" }',
    javascript: 'alert(1)',
  };
  await client
    .post('/v1/ui_extensions')
    .send({ ...input, form_definition: JSON.stringify(form) })
    .expect(201);
  const translations = { Order: 'Bestel' };
  await client.put('/v1/ui_extensions/1/translations/nl').send({ translations }).expect(200);
  const opened = await client.post('/v1/ui_extensions/1/preview').expect(201);
  const body = opened.body as { uri: string; expires_at: string; version: object };
  const visit = (address: string) => service.anonymous.get(address);
  return { ...service, body, uri: body.uri, visit };
}

test('a preview is an address that opens the prepared version for an hour, without a session', async () => {
  const { body, uri, visit, clock, as } = await startWithPreview();
  expect(body).toEqual({
    uri: expect.stringMatching(/^https:\/\/api\.example\/ui_extension_previews\/[\w-]{43}$/) as unknown,
    expires_at: '2126-03-18T20:04:06Z',
    version: { id: 1, version_nr: 1 },
  });
  const { text } = await visit(uri).expect(200).expect('Cache-Control', 'no-store');
  expect(text).toContain('<h1>Laptop &lt;order&gt;<span>Version 1, being prepared</span></h1>');
  for (const place of ['/', '/accounts/wdc', '/oauth/profile'])
    expect(text).toContain(`href="https://api.example${place}"`);
  await as('wdc').patch('/v1/ui_extensions/1').send({ html: '<p>Newer', activate: true }).expect(200);
  expect((await visit(`${uri}/content`).expect(200)).text).toContain('<p>Newer');
  clock.time = new Date('2126-03-18T20:04:06Z');
  await visit(uri).expect(404);
  await visit(`${uri}/content`).expect(404);
});

test('the log does not contain the URL of a preview', async () => {
  const { uri, visit, errors, collection } = await startWithPreview();
  await collection('extensions').updateMany({}, { $unset: { prepared: '' } });
  await visit(uri).expect(500);
  const lines = errors.map((line) => JSON.parse(line) as { message: string; path: string });
  expect(lines).toMatchObject([{ message: 'request failed', path: '/ui_extension_previews/[redacted]' }]);
  expect(errors.join()).not.toContain(tokenIn(uri));
});

test("the designer's HTML is in a frame without scripts, connections and session", async () => {
  const { uri, visit } = await startWithPreview();
  const page = await visit(uri).expect(200);
  expect(page.text).toContain('sandbox=""');
  expect(page.text).not.toContain('onclick');
  const policy = String(page.headers['content-security-policy']).split('; ');
  expect(policy).toEqual(
    expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", `frame-src ${uri}/content`]),
  );
  const content = await visit(`${uri}/content?locale=nl`).expect(200).expect('X-DNS-Prefetch-Control', 'off');
  expect(String(content.headers['content-security-policy']).split('; ')).toEqual([
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "form-action 'none'",
    'sandbox',
  ]);
  expect(content.text).toContain(hostile.replace('Order', 'Bestel'));
  expect(content.text).toContain('<body class="ui-extension-1">');
  expect(content.text).toContain('<legend>S&lt;b&gt;</legend>');
  expect(content.text.match(/<\/style/g)).toHaveLength(2);
  await visit(`${uri}/content?theme=dark`).set('Sec-Fetch-Dest', 'iframe').expect(200);
  const alone = visit(`${uri}/content?theme=dark`).set('Sec-Fetch-Dest', 'document');
  await alone.expect(303).expect('Location', `/ui_extension_previews/${tokenIn(uri)}?theme=dark`);
  expect(page.headers['set-cookie'] ?? content.headers['set-cookie']).toBeUndefined();
});

test('no link or frame is left through which a browser would connect', async () => {
  const { uri, visit, as } = await startWithPreview();
  const tags = [
    '<link rel=preconnect href=//evil.example>',
    '<LINK/rel=preconnect>',
    '<iframe\nsrcdoc="&lt;link>">',
    '<links>',
    '<a\nTarget =_self>',
    '<a href=""target=_self>',
  ];
  await as('wdc')
    .patch('/v1/ui_extensions/1')
    .send({ html: tags.join('') })
    .expect(200);
  const { text } = await visit(`${uri}/content`).expect(200);
  expect(text).not.toMatch(/<(link|iframe)[\s/>]/i);
  expect(text).toContain('<x-link rel=preconnect href=//evil.example><x-LINK/rel=preconnect><x-iframe');
  expect(text).toContain('<links><a\nx-target =_self><a href=""x-target=_self>');
});

test('rules for light and dark follow the chosen theme, or the system', async () => {
  const { uri, visit, as } = await startWithPreview();
  const css =
    '@media (prefers-color-scheme:dark) { .a { b: c } } @media print and (Prefers-Color-Scheme : light) { .a { b: d } }';
  const client = as('wdc');
  const queries = async (theme: string) =>
    [...(await visit(`${uri}/content?theme=${theme}`)).text.matchAll(/@media ?([^{]+?)\s*\{/g)].map(
      ([, query]) => query,
    );
  await client.patch('/v1/ui_extensions/1').send({ css, dark_mode_safe: true }).expect(200);
  expect(await queries('dark')).toEqual(['(min-width: 0)', 'print and (max-width: 0)']);
  expect(await queries('light')).toEqual(['(max-width: 0)', 'print and (min-width: 0)']);
  expect(String(await queries('auto'))).toMatch(/prefers-color-scheme.*prefers-color-scheme/i);
  await client.patch('/v1/ui_extensions/1').send({ dark_mode_safe: false }).expect(200);
  expect(await queries('dark')).toEqual(['(max-width: 0)', 'print and (min-width: 0)']);
});

test('theme, width and language are chosen in the URL; unknown values are ignored', async () => {
  const { uri, visit, as } = await startWithPreview();
  const { text } = await visit(`${uri}?theme=dark&width=phone&locale=nl`).expect(200);
  expect(text).toContain('data-theme="dark"');
  expect(text).toContain('class="narrow"');
  expect(text).toContain('stays light');
  const schemeOf = async () => /color-scheme: ([^;]+);/.exec((await visit(`${uri}/content?theme=dark`)).text)?.[1];
  expect(await schemeOf()).toBe('light');
  await as('wdc').patch('/v1/ui_extensions/1').send({ dark_mode_safe: true }).expect(200);
  expect(await schemeOf()).toBe('dark');
  await visit(`${uri}?theme=%22%3E&width[]=1&locale=%3Cscript%3E`)
    .expect(200)
    .expect(/<html lang="en">/);
});

test('an unknown address is a 404 page; previews are opened within the account and with the scope only', async () => {
  const { as, anonymous, visit, uri } = await startWithPreview();
  for (const token of ['x', 'a'.repeat(43), '%24ne'])
    await visit(`/ui_extension_previews/${token}`)
      .expect(404)
      .expect('Content-Type', /html/)
      .expect(/There is no preview here/);
  await as('acme').post('/v1/ui_extensions/1/preview').expect(404, { message: 'Not Found' });
  await anonymous.post('/v1/ui_extensions/1/preview').expect(401);
  await as('wdc', { scopes: [] }).post('/v1/ui_extensions/1/preview').expect(403);
  await anonymous.post(uri).expect(405).expect('Allow', 'GET');
});
