import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDirectory } from './data/data-directory';
import type { DataDirectory } from './data/data-directory';
import { startPlatform } from './platform';
import type { Platform } from './platform';
import { startGateway } from './testing/start-gateway';
import type { StartedGateway } from './testing/start-gateway';

const folder = mkdtempSync(join(tmpdir(), 'itsm-files-'));
let data: DataDirectory;
let platform: Platform;
let gateway: StartedGateway;
let headers: Readonly<Record<string, string>>;
beforeAll(async () => {
  data = openDataDirectory(folder);
  const settings = { ALLOW_PLAIN_HTTP: 'true' };
  platform = await startPlatform({ port: 0, data, logLevel: 'error', settings, progress: () => {} });
  gateway = await startGateway(platform, 'compiled');
  const demo = JSON.parse(readFileSync(data.demoFile, 'utf8')) as {
    accounts: { wdc: { administrator: { personal_access_token: string } } };
  };
  const token = demo.accounts.wdc.administrator.personal_access_token;
  headers = { authorization: `Bearer ${token}`, 'x-service-account': 'wdc' };
});
afterAll(async () => {
  await gateway.close();
  await platform.close();
  rmSync(folder, { recursive: true, force: true });
});

const call = (path: string, init: RequestInit = {}) => fetch(`${gateway.url}${path}`, { headers, ...init });
const jsonOf = async <T>(answer: Response): Promise<T> => (await answer.json()) as T;

test('a file of 3 MB goes through the gateway into the data folder, and out by its address without a token', async () => {
  const content = Buffer.alloc(3_000_000, 'file');
  const storage = await call('/v1/attachments/storage');
  expect([storage.status, storage.headers.get('x-ratelimit-limit')]).toEqual([200, expect.any(String)]);
  const { local } = await jsonOf<{ local: Record<string, string> }>(storage);
  const form = new FormData();
  for (const [name, value] of Object.entries(local)) form.append(name, value);
  form.append('file', new Blob([content]), 'größe.bin');
  const sent = await call('/v1/attachments', { method: 'POST', body: form });
  const { key } = await jsonOf<{ key: string }>(sent);
  expect([sent.status, key.endsWith('/größe.bin')]).toEqual([200, true]);
  const body = JSON.stringify({ subject: 'A', note: 'See', note_attachments: [{ key, size: content.length }] });
  const json = { ...headers, 'content-type': 'application/json' };
  const made = await call('/v1/requests', { method: 'POST', headers: json, body });
  const { id } = await jsonOf<{ id: number }>(made);
  const [note] = await jsonOf<{ attachments: { uri: string }[] }[]>(await call(`/v1/requests/${id}/notes`));
  const address = new URL(note!.attachments[0]!.uri);
  const got = await call(`${address.pathname}${address.search}`, { headers: {} });
  expect([got.status, got.headers.get('content-disposition')]).toEqual([
    200,
    `attachment; filename="gr??e.bin"; filename*=UTF-8''gr%C3%B6%C3%9Fe.bin`,
  ]);
  expect(Buffer.compare(Buffer.from(await got.arrayBuffer()), content)).toBe(0);
  const files = readdirSync(data.attachments, { recursive: true, withFileTypes: true });
  expect(files.filter((entry) => entry.isFile())).toHaveLength(1);
  expect((await call(address.pathname, { headers: {} })).status).toBe(404);
  expect((await call('/v1/attachments', { method: 'POST', body: form, headers: {} })).status).toBe(401);
});

test('a text of a record gets a file through GraphQL of the gateway, and loses it through REST', async () => {
  const { local } = await jsonOf<{ local: Record<string, string> }>(await call('/v1/attachments/storage'));
  const form = new FormData();
  for (const [name, value] of Object.entries(local)) form.append(name, value);
  form.append('file', new Blob(['steps']), 'steps.txt');
  const { key } = await jsonOf<{ key: string }>(await call('/v1/attachments', { method: 'POST', body: form }));
  const json = { ...headers, 'content-type': 'application/json' };
  const input = { subject: 'Disks', workaroundAttachments: [{ key, size: 5 }] };
  const query = `mutation ($input: ProblemCreateInput!) { problemCreate(input: $input) {
    problem { number workaroundAttachments { name url } } errors { message } } }`;
  const body = JSON.stringify({ query, variables: { input } });
  const made = await jsonOf<{
    data: { problemCreate: { problem: { number: number; workaroundAttachments: { url: string }[] } } };
  }>(await call('/graphql', { method: 'POST', headers: json, body }));
  const { number, workaroundAttachments: files } = made.data.problemCreate.problem;
  expect(files).toMatchObject([{ name: 'steps.txt' }]);
  const address = new URL(files[0]!.url);
  const got = await call(`${address.pathname}${address.search}`, { headers: {} });
  expect(await got.text()).toBe('steps');
  const away = JSON.stringify({ workaround_attachments: [{ key, _destroy: true }] });
  const changed = await call(`/v1/problems/${number}`, { method: 'PATCH', headers: json, body: away });
  expect([changed.status, await changed.json()]).toMatchObject([200, { attachments: [] }]);
  expect((await call(`${address.pathname}${address.search}`, { headers: {} })).status).toBe(404);
});

test('an export goes through the gateway as one whole archive, which needs the token', async () => {
  const form = new FormData();
  form.set('type', 'requests,teams');
  const asked = await call('/v1/export', { method: 'POST', body: form });
  expect([asked.status, asked.headers.get('x-ratelimit-limit')]).toEqual([200, expect.any(String)]);
  const { token } = await jsonOf<{ token: string }>(asked);
  const { url } = await jsonOf<{ url: string }>(await call(`/v1/export/${token}`));
  const path = new URL(url).pathname;
  const got = await call(path, { headers: { ...headers, 'accept-encoding': 'gzip' } });
  expect([got.status, got.headers.get('content-type'), got.headers.get('content-encoding')]).toEqual([
    200,
    'application/zip',
    null,
  ]);
  const archive = Buffer.from(await got.arrayBuffer());
  expect([
    archive.toString('latin1', 0, 4),
    archive.toString('latin1', archive.length - 22, archive.length - 18),
  ]).toEqual(['PK\u0003\u0004', 'PK\u0005\u0006']);
  expect((await call(path, { headers: {} })).status).toBe(401);
});
