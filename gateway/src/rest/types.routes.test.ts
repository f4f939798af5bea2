import { isDeepStrictEqual } from 'node:util';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

const person = { name: 'person', graphqlName: 'Person', fields: [{ name: 'name', label: 'Name', input: 'name' }] };
const request = { name: 'request', graphqlName: 'Request', fields: [{ name: 'subject', label: 'Subject' }] };

const answer = async (path = '/v1/types', headers: Record<string, string> = {}) => {
  const response = await gateway.get(path, headers);
  const text = await response.text();
  return { response, text, body: (text === '' ? undefined : JSON.parse(text)) as unknown };
};
const becomes = (types: readonly unknown[]) =>
  waitUntil('the types', async () => isDeepStrictEqual((await answer()).body, types));

test('the types of all services are one list, without a token, and each has an address of its own', async () => {
  gateway.describe('auth', [person]);
  gateway.describe('graph', [request]);
  await becomes([person, request]);
  expect((await answer('/v1/types/request')).body).toEqual(request);
  expect((await answer('/v1/types/nothing')).response.status).toBe(404);
  expect((await answer('/v1/types/request/fields')).response.status).toBe(404);
});

test('caches may keep it, and learn by its tag whether it is still true', async () => {
  gateway.describe('graph', [request]);
  await becomes([request]);
  const { response } = await answer();
  expect(response.headers.get('cache-control')).toBe('public, no-cache');
  expect(response.headers.get('content-type')).toContain('application/json');
  const tag = String(response.headers.get('etag'));
  expect((await answer('/v1/types', { 'if-none-match': tag })).response.status).toBe(304);
  gateway.describe('graph', [{ ...request, label: 'Request' }]);
  await waitUntil('the changed type', async () => {
    const changed = await answer('/v1/types', { 'if-none-match': tag });
    return changed.response.status === 200 && changed.text.includes('"label":"Request"');
  });
});

test('a service of an earlier release has no types, and one that is away keeps its own; both leave others alone', async () => {
  gateway.describe('graph', [request]);
  await becomes([request]);
  await gateway.graph.stop();
  gateway.describe('auth', [person]);
  await becomes([person, request]);
  await gateway.graph.start();
  gateway.describe('graph', [{ ...request, more: true }]);
  await becomes([person, { ...request, more: true }]);
});

test('what no service of this release understands is passed on, and what is no description is left out', async () => {
  const newer = { ...request, colours: ['red'], fields: [{ ...request.fields[0], shade: 'dark' }] };
  gateway.describe('graph', [newer]);
  await becomes([newer]);
  gateway.describe('auth', { message: 'no list' });
  gateway.describe('graph', [newer, person]);
  await becomes([newer, person]);
});

test('a field that the composed schema does not have yet is left out', async () => {
  const secret = { name: 'key', has: 'supportID', label: 'Key' };
  gateway.describe('auth', [
    { ...person, fields: [...person.fields, { name: 'nickname', label: 'Nickname' }, secret] },
  ]);
  await becomes([{ ...person, fields: [...person.fields, secret] }]);
});

test('the choices of all services are one object by type and field, in words', async () => {
  const words = [
    { value: 'rfi', label: 'Request for information', note: 'More.' },
    { value: 'other', label: 'Other' },
  ];
  const chosen = { name: 'supportID', rest: 'support_id', label: 'Kind', words };
  const unserved = { ...chosen, name: 'nickname', rest: 'nickname' };
  const zones = (await answer('/v1/enums')).body as { readonly time_zone: readonly { readonly id: string }[] };
  expect(Object.keys(zones)).toEqual(['time_zone']);
  expect(zones.time_zone).toEqual(
    expect.arrayContaining(['UTC', 'Europe/Amsterdam', 'America/New_York'].map((name) => ({ id: name, txt: name }))),
  );
  const names = zones.time_zone.map(({ id }) => id);
  expect(names).toEqual([...new Set(names)]);
  gateway.describe('auth', [{ ...person, fields: [...person.fields, chosen, unserved] }]);
  gateway.describe('graph', [{ ...request, name: 'problem', graphqlName: 'Person', fields: [chosen] }]);
  const shown = [
    { id: 'rfi', txt: 'Request for information' },
    { id: 'other', txt: 'Other' },
  ];
  const all = { ...zones, 'person.support_id': shown, 'problem.support_id': shown };
  await waitUntil('the choices', async () => isDeepStrictEqual((await answer('/v1/enums')).body, all));
  const tag = String((await answer('/v1/enums')).response.headers.get('etag'));
  expect((await answer('/v1/enums', { 'if-none-match': tag })).response.status).toBe(304);
});

test('it takes GET and HEAD alone', async () => {
  for (const path of ['/v1/types', '/v1/types/request', '/v1/enums']) {
    const response = await fetch(gateway.url + path, { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
  }
  expect((await fetch(`${gateway.url}/v1/types`, { method: 'HEAD' })).status).toBe(200);
});
