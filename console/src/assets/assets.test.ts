import { builtFiles, startConsole } from '../testing/start-console';
import type { StartedConsole } from '../testing/start-console';
import { readEntry } from './manifest';

let started: StartedConsole;
beforeAll(async () => {
  started = await startConsole();
});
afterAll(() => started.close());

const main = '/console/assets/assets/main-B1.js';

test.each([
  [main, 'text/javascript; charset=utf-8'],
  ['/console/assets/assets/main-D3.css', 'text/css; charset=utf-8'],
])('%s is immutable, has type %s, and sets no cookie', async (path, type) => {
  const { headers, text } = await started.http.get(path).set('Accept-Encoding', 'identity').expect(200);
  expect(headers).toMatchObject({
    'content-type': type,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  });
  expect(headers).not.toHaveProperty('set-cookie');
  expect(headers).not.toHaveProperty('content-encoding');
  expect(text).toBe(builtFiles[path.slice('/console/assets/'.length)]);
});

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['identity', undefined],
])('with Accept-Encoding %s the content comes as %s', async (accepted, encoding) => {
  const { headers } = await started.http.get(main).set('Accept-Encoding', accepted).expect(200);
  expect((headers as Record<string, unknown>)['content-encoding']).toBe(encoding);
  expect(headers).toHaveProperty('content-type', 'text/javascript; charset=utf-8');
});

test('an uncompressed file is served as it is', async () => {
  const { headers } = await started.http
    .get('/console/assets/assets/later-F5.js')
    .set('Accept-Encoding', 'br')
    .expect(200);
  expect(headers).not.toHaveProperty('content-encoding');
});

test.each([
  '/console/assets/assets/main-A0.js',
  '/console/assets/assets/main-B1.js.br',
  '/console/assets/assets/',
  '/console/assets/.vite/manifest.json',
  '/console/assets/index.html',
  '/console/assets/assets/../.vite/manifest.json',
  '/console/assets/assets/%2e%2e/.vite/manifest.json',
])('%s is no asset', async (path) => {
  const { headers } = await started.http.get(path).expect(404);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  expect(headers).not.toHaveProperty('set-cookie');
});

test('allow only GET and HEAD', async () => {
  await started.http.post(main).expect(405);
  await started.http.head(main).expect(200);
});

test('transitive imports are preloaded, each once, also in a cycle', () => {
  const chunk = (file: string, imports: string[] = []) => ({
    file: `assets/${file}.js`,
    imports,
    css: ['assets/a.css'],
  });
  const manifest = { a: { ...chunk('a', ['b', 'c']), isEntry: true }, b: chunk('b', ['c']), c: chunk('c', ['b']) };
  expect(readEntry(JSON.stringify(manifest))).toEqual({
    script: 'assets/a.js',
    stylesheets: ['assets/a.css'],
    imports: ['assets/b.js', 'assets/c.js'],
  });
  expect(() => readEntry('{}')).toThrow('one entry');
});
