import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import supertest from 'supertest';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';
import { createDocumentationRoutes } from './documentation.routes';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const docs = join(__dirname, '../../../docs');
const names = [...readdirSync(join(docs, 'api')).map((file) => file.replace('.md', '')), 'events', 'errors'];
const pageAt = async (path: string): Promise<string> => {
  const response = await gateway.get(path, { accept: 'text/html' });
  expect([path, response.status, response.headers.get('content-type')]).toEqual([
    path,
    200,
    'text/html; charset=utf-8',
  ]);
  return response.text();
};
const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

test.each(names)('the documentation of %s is a page without broken links', async (name) => {
  const page = await pageAt(`/docs/v1/${name}`);
  expect(page).toMatch(/<main class="card">\s*<h1/);
  const [bar = '', rest = ''] = page.split('</header>');
  expect(matches(bar, /<a [^>]*href="([^"]*)"/g)).toEqual(['/', '/', '/oauth/profile']);
  for (const link of matches(rest, / href="([^"]*)"/g).filter((one) => /^[/#]/.test(one))) {
    const [path, anchor] = link.split('#');
    const target = path ? await pageAt(path) : page;
    if (anchor) expect([link, matches(target, / id="([^"]*)"/g).includes(anchor)]).toEqual([link, true]);
  }
  expect(page).not.toMatch(/href="[^"]*\.md/);
  expect(page).not.toContain('&lt;!--');
  expect(matches(page, / href="([^"]*)" aria-current="page"/g)).toEqual([`/docs/v1/${name}`]);
});

test('a file that is added is a page with an entry in the navigation', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'documentation-'));
  cpSync(docs, join(directory, 'docs'), { recursive: true });
  const text = '# Risks of a page\n\nWhat goes <wrong>: [events](../events.md#request).\n';
  writeFileSync(join(directory, 'docs/api/risks.md'), text);
  const built = join(directory, 'pages.json');
  const builder = join(__dirname, '../../documentation/build.mjs');
  execFileSync(process.execPath, [builder, join(directory, 'docs'), built]);
  const served = supertest(express().use(createDocumentationRoutes('https://api.example.com', built)));
  rmSync(directory, { recursive: true });

  const page = await served.get('/docs/v1/risks').expect(200).expect('Content-Type', /html/);
  expect(page.text).toContain('<h1 id="risks-of-a-page">Risks of a page</h1>');
  expect(page.text).toContain('What goes &lt;wrong&gt;: <a href="/docs/v1/events#request">events</a>.');
  expect(matches(page.text, / href="([^"]*)" aria-current="page"/g)).toEqual(['/docs/v1/risks']);
  const other = await served.get('/docs/v1/webhooks').expect(200);
  expect(other.text).toContain('<a href="/docs/v1/risks">Risks of a page</a>');
});

test('commands call the platform that serves the page; what is said of the local mode stays', async () => {
  const served = supertest(express().use(createDocumentationRoutes('https://api.example.com')));
  const { text } = await served.get('/docs/v1/oauth').expect(200);
  const commands = matches(text, /<pre[^>]*>([^]*?)<\/pre>/g).join('\n');
  expect(commands).toContain('AUTH=https://api.example.com/oauth\n');
  expect(commands).not.toContain('localhost:4000');
  expect(text).toContain('<code>http://localhost:4000/oauth</code> in the local mode');
});

test('the folder of the pages redirects to one of them', async () => {
  for (const path of ['/docs/v1', '/docs/v1/']) {
    const response = await gateway.get(path);
    expect(response.status).toBe(302);
    await pageAt(response.headers.get('location') ?? '');
  }
});

test('a page has no script and loads nothing from other origins', async () => {
  const response = await gateway.get('/docs/v1/webhooks');
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:/,
  );
  expect(await response.text()).not.toContain('<script');
});

test('other pages do not exist, and pages allow GET and HEAD only', async () => {
  for (const path of ['/docs/v1/nothing', '/docs/v1/__proto__', '/docs/v1/operations'])
    expect((await gateway.get(path)).status).toBe(404);
  const posted = await fetch(`${gateway.url}/docs/v1/webhooks`, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
});

test.each([
  'requests/101',
  'project_tasks/1',
  'slas/3',
  'people/7',
  'webhooks/7',
  'requests/c2VydmljZS5leGFtcGxlL1JlcXVlc3QvMQ',
])('the canonical address of %s is a page that names the record, and shows nothing more', async (record) => {
  const page = await pageAt(`/accounts/wdc/${record}`);
  expect(page).toContain(`curl http://localhost:4000/v1/${record} -H 'Authorization: Bearer &lt;token&gt;'`);
  expect(page).toContain('X-Service-Account: wdc');
});

test('the address of an account is a page', async () => {
  for (const path of ['/accounts/wdc', '/accounts/wdc/']) expect(await pageAt(path)).toContain('<h1>Account wdc</h1>');
});
