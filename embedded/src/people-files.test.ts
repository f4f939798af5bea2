import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cellsOf, unzip } from '@itsm/shared/testing/unzip';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { openDataDirectory } from './data/data-directory';
import { startPlatform } from './platform';
import type { Platform } from './platform';
import { startGateway } from './testing/start-gateway';
import type { StartedGateway } from './testing/start-gateway';

const folder = mkdtempSync(join(tmpdir(), 'itsm-people-'));
let platform: Platform;
let gateway: StartedGateway;
let tokens: Readonly<Record<'administrator' | 'specialist', string>>;
beforeAll(async () => {
  const data = openDataDirectory(folder);
  const settings = { ALLOW_PLAIN_HTTP: 'true' };
  platform = await startPlatform({ port: 0, data, logLevel: 'error', settings, progress: () => {} });
  gateway = await startGateway(platform, 'compiled');
  const { accounts } = JSON.parse(readFileSync(data.demoFile, 'utf8')) as {
    accounts: { wdc: Record<'administrator' | 'specialist', { personal_access_token: string }> };
  };
  const { administrator, specialist } = accounts.wdc;
  tokens = { administrator: administrator.personal_access_token, specialist: specialist.personal_access_token };
});
afterAll(async () => {
  await gateway.close();
  await platform.close();
  rmSync(folder, { recursive: true, force: true });
});

const call = (path: string, init: RequestInit = {}, token = tokens.administrator) =>
  fetch(`${gateway.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'x-service-account': 'wdc', ...init.headers },
  });
const jsonOf = async <T>(answer: Response): Promise<T> => (await answer.json()) as T;

interface State {
  readonly state: string;
  readonly results: Readonly<Record<string, number>>;
  readonly message: string | null;
}

async function imported(type: string, file: string): Promise<State> {
  const form = new FormData();
  form.append('type', type);
  form.append('file', new Blob([file]), 'people.csv');
  const { token } = await jsonOf<{ token: string }>(await call('/v1/import', { method: 'POST', body: form }));
  return waitUntil('the import to end', async () => {
    const found = await jsonOf<State>(await call(`/v1/import/${token}`));
    return found.state === 'done' || found.state === 'failed' ? found : undefined;
  });
}

async function exported(token = tokens.administrator, more: object = {}): Promise<{ text: string; rows: string[][] }> {
  const body = JSON.stringify({ type: 'people', ...more });
  const asked = await call(
    '/v1/export',
    { method: 'POST', body, headers: { 'content-type': 'application/json' } },
    token,
  );
  const { token: name } = await jsonOf<{ token: string }>(asked);
  const archive = Buffer.from(await (await call(`/v1/export/${name}/file`, {}, token)).arrayBuffer());
  const [text = ''] = [...unzip(archive).values()];
  return { text, rows: cellsOf(text) };
}

const fileOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`).join('');

const hostile = [
  '=1+1',
  '+cmd|" /C calc"!A0',
  '-2',
  '@SUM(A1)',
  '"quoted"',
  'a,b;c',
  '\u202eRTL 👩‍👩‍👧',
  'null',
  '007',
  "'=1",
];
const roles = ['end_user', 'specialist auditor', '', 'key_contact'];

test('people come in by a file, are shown by the API, and come back as they were exported', async () => {
  const rows = hostile.map((text, n) => [
    text,
    `hostile-${n}@wdc.example`,
    n % 2 ? `sub ${text}` : '',
    roles[n % roles.length]!,
    n % 3 ? 'false' : 'true',
    'nl-NL',
    'Europe/Amsterdam',
    'HR',
    `${n} ${text}`,
  ]);
  const head = [
    'Name',
    'Primary email',
    'Authentication ID',
    'Roles',
    'Disabled',
    'Locale',
    'Time zone',
    'Source',
    'Source ID',
  ];
  const first = await imported('people', fileOf([head, ...rows]));
  expect(first).toMatchObject({ state: 'done', results: { created: hostile.length, failures: 0 } });

  const query =
    '{ people(first: 100, filter: { source: { values: ["HR"] } }, order: [{ field: id, direction: asc }]) { nodes { id name roles disabled } } }';
  const { data } = JSON.parse(await gateway.ask(tokens.administrator, query)) as {
    data: { people: { nodes: readonly { id: string; name: string; roles: readonly string[]; disabled: boolean }[] } };
  };
  expect(data.people.nodes.map(({ name }) => name)).toEqual(hostile);
  expect(data.people.nodes[1]).toMatchObject({ roles: ['specialist', 'auditor'], disabled: false });

  const whole = await waitUntil('the copy of people to have them', async () => {
    const found = await exported();
    return found.rows.filter((cells) => cells.includes('HR')).length === hostile.length ? found : undefined;
  });
  const { body } = await call('/v1/types/person').then(async (answer) => ({
    body: await jsonOf<{ fields: { label: string; written: string }[] }>(answer),
  }));
  const labels = body.fields.filter(({ written }) => written !== 'never').map(({ label }) => label);
  expect(whole.rows[0]).toEqual(['ID', ...labels, 'Created at', 'Updated at']);
  const mine = whole.rows.filter((cells) => cells.includes('HR'));
  expect(mine.map((cells) => cells.slice(1, -2))).toEqual(
    rows.map((cells) => cells.map((cell, index) => (index === 3 ? cell.replace(' ', '\n') : cell))),
  );
  const again = await imported('person', whole.text);
  expect(again).toMatchObject({
    state: 'done',
    results: { unchanged: whole.rows.length - 1, created: 0, updated: 0, failures: 0 },
  });
});

test('an export shows what the API shows: a specialist gets no authentication IDs', async () => {
  const [head = []] = (await exported(tokens.specialist)).rows;
  expect(head).toContain('Roles');
  expect(head).not.toContain('Authentication ID');
});

test('only what has changed since is exported, and nothing of another account', async () => {
  const { rows } = await exported();
  expect(rows.length).toBeGreaterThan(2);
  const from = new Date(Date.now() + 60_000).toISOString();
  const body = JSON.stringify({ type: 'people', from });
  const headers = { 'content-type': 'application/json' };
  expect((await call('/v1/export', { method: 'POST', body, headers })).status).toBe(204);
  const addresses = rows.slice(1).map((cells) => cells[2] ?? '');
  expect(addresses.filter((address) => !/@wdc\.example$/.test(address))).toEqual([]);
});
