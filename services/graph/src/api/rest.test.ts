import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import type { Scope } from '@itsm/shared/contracts/scopes';
import supertest from 'supertest';
import { restName } from '@itsm/shared/declared/names';
import { inverseRelations } from '../read/record-relations';
import { recordTypes } from '../record-types/all';
import type { RecordType } from '../record-types/record-type';
import { request } from '../record-types/request';
import { createRecordResource } from './record.resource';
import { baseUrl, nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let specialist: Client;
let team: number;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  specialist = graph.as('specialist', { sub: '2' });
  await graph.publishPerson({ id: 2, name: 'Sam', sourceID: 'p-2', disabled: true });
  team = (await graph.app.seed.ensureTeam('wdc', { source: 'hr', sourceID: 't', name: 'Network', memberIds: [2] })).id;
  for (let n = 1; n <= 5; n += 1) {
    await graph.app.seed.ensureRequest('wdc', {
      source: 'demo',
      sourceID: String(n),
      subject: `Request ${n}`,
      status: n % 2 ? 'assigned' : 'completed',
      impact: n > 3 ? 'high' : (undefined as never),
      requestedById: 2,
      ...(n === 1 && { teamId: team }),
      createdAt: new Date(Date.UTC(2026, 0, n)),
    });
  }
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

const subjects = async (query: string): Promise<unknown[]> => {
  const { body } = await specialist.get(`/v1/requests${query}`).expect(200);
  return (body as { subject: string }[]).map(({ subject }) => Number(subject.split(' ')[1]));
};

test('a record shows all its fields, references by id and name', async () => {
  const { body } = await specialist.get('/v1/requests/1').expect(200);
  expect(Object.keys(body as object).sort()).toEqual(Object.keys(createRecordResource(request).fields).sort());
  expect(body).toMatchObject({
    id: 1,
    nodeID: nodeId('Request', 1),
    account: { id: 'wdc', name: 'wdc' },
    subject: 'Request 1',
    category: 'incident',
    impact: null,
    priority: null,
    status: 'assigned',
    team: { id: team, name: 'Network', sourceID: 't' },
    member: null,
    requested_by: { id: 2, name: 'Sam', sourceID: 'p-2', disabled: true },
    requested_for: { id: 2, name: 'Sam', sourceID: 'p-2', disabled: true },
    problem: null,
    workflow: null,
    project: null,
    desired_completion_at: null,
    time_spent: null,
    ui_extension: null,
    custom_fields: null,
    source: 'demo',
    sourceID: '1',
    completed_at: null,
    completion_reason: null,
    satisfaction: null,
    life_cycle_state: 'active',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  });
});

test('a reference to a type that the token may not read has no name', async () => {
  const scopes = [{ effect: 'allow' as const, actions: ['request:Read'] }];
  const narrow = graph.as('specialist', { sub: '2', scopes });
  for (const path of ['/v1/requests/1', '/v1/requests?per_page=1&fields=team']) {
    const { body } = await narrow.get(path).expect(200);
    expect([body].flat()[0]).toMatchObject({ id: 1, team: null });
  }
});

test('a token that may not read people gets no names of people', async () => {
  const of = (...actions: string[]): Scope[] => [{ effect: 'allow', actions }];
  const note = `mutation { noteCreate(input: { recordId: "${nodeId('Request', 5)}", text: "x" }) { errors { message } } }`;
  const sam = { sub: '2', name: 'Sam' };
  expect(await graph.as('specialist', sam).ask('noteCreate.errors', note)).toEqual([]);
  const read = async (scopes: Scope[]) => {
    const client = graph.as('specialist', { sub: '2', scopes });
    const { body: one } = await client.get('/v1/requests/5').expect(200);
    const { body: notes } = await client.get('/v1/requests/5/notes').expect(200);
    return [one, notes].map((body: unknown) => JSON.stringify(body).includes('Sam'));
  };
  const others = ['request:Read', 'note:Read'] as const;
  const reader = of(...others, 'person:Read');
  await waitUntil('the note', async () => !(await read(reader)).includes(false));
  expect(await read(of(...others))).toEqual([false, false]);
});

test.each([
  ['?status=completed', [2, 4]],
  ['?status=!completed', [1, 3, 5]],
  ['?impact=', [1, 2, 3]],
  ['?impact=!', [4, 5]],
  ['?id=2', [2]],
  ['?id=2,4,99', [2, 4]],
  ['?id=!1,2', [3, 4, 5]],
  ['?id=4&status=assigned', []],
  ['?sourceID=1,5', [1, 5]],
  ['?created_at=>=2026-01-02<2026-01-04', [2, 3]],
  ['?requested_by=2&status=assigned&sort=-created_at', [5, 3, 1]],
  ['?sort=-id&per_page=2', [5, 4]],
  ['?sort=status,id', [1, 3, 5, 2, 4]],
  ['?page=2&per_page=2', [3, 4]],
])('%s', async (query, expected) => {
  expect(await subjects(query)).toEqual(expected);
});

test('a team is found by filter', async () => {
  expect(await subjects(`?team=${team}`)).toEqual([1]);
});

test.each(['?sort=-updated_at', '?sort=subject', '?sort=-impact', ''])(
  'pages of %s lead to each other and back',
  async (sort) => {
    if (sort === '?sort=-impact') {
      await specialist.get(`/v1/requests${sort}`).expect(400, { message: 'Sorting not allowed on fields: impact' });
      return;
    }
    const all = await subjects(sort);
    const seen: unknown[] = [];
    let path = `/v1/requests${sort}${sort ? '&' : '?'}per_page=2&fields=subject`;
    let back = '';
    for (;;) {
      const response = await specialist.get(path).expect(200);
      expect(response.headers).toMatchObject({ 'x-pagination-total-entries': '5', 'x-pagination-total-pages': '3' });
      seen.push(...(response.body as { subject: string }[]).map(({ subject }) => Number(subject.split(' ')[1])));
      const link = response.get('Link') ?? '';
      expect(link).toContain(`<${baseUrl}/v1/requests`);
      const next = /<([^>]+)>; rel="next"/.exec(link)?.[1];
      back = /<([^>]+)>; rel="prev"/.exec(link)?.[1] ?? back;
      if (next === undefined) break;
      path = next;
    }
    expect(seen).toEqual(all);
    const { body } = await specialist.get(back).expect(200);
    expect((body as { subject: string }[]).map(({ subject }) => Number(subject.split(' ')[1]))).toEqual(
      all.slice(2, 4),
    );
  },
);

test.each([
  ['?per_page=0', 'per_page must be an integer from 1 to 100'],
  ['?per_page=101', 'per_page must be an integer from 1 to 100'],
  ['?sort=status,subject,created_at,-updated_at', 'sort takes at most 3 fields'],
  ['?sort=member', 'Sorting not allowed on fields: member'],
  ['?fields=secret', 'Unknown fields: secret'],
  ['?words=a', 'Filtering not allowed on fields: words'],
  ['?account=acme', 'Filtering not allowed on fields: account'],
  ['?id=one', 'id must be an integer, not one'],
  ['?id=<3', 'id cannot be filtered by <3'],
  ['?team=Network', 'team must be an integer, not Network'],
  ['?created_at=yesterday', 'created_at must be a time, not yesterday'],
  ['?search_after=bm9uc2Vuc2U', 'search_after is not a cursor of this collection'],
])('%s is refused', async (query, message) => {
  await specialist.get(`/v1/requests${query}`).expect(400, { message });
});

test.each(['99', '0', '-1', '1e3', 'x', '%00', '1.0', '99999999999999999999', nodeId('Team', 1)])(
  'the id %s is not found',
  async (id) => {
    for (const tail of ['', '/notes', '/audit', '/notes/1']) {
      await specialist.get(`/v1/requests/${id}${tail}`).expect(404, { message: 'Not Found' });
    }
  },
);

/** The methods of each path of a type, beside reading. */
const pathsOf = ({ plural, hasNotes, fields, mutations, name }: RecordType): [path: string, methods: string][] => {
  const { create, update } = mutations;
  const children = inverseRelations(recordTypes).filter(({ parent }) => parent.name === name);
  const people = fields.filter(({ kind }) => kind === 'people').map((field) => restName(field.name));
  const tails: [string, string][] = [
    ['', `GET, HEAD${create ? ', POST' : ''}`],
    ['/1', `GET, HEAD${update ? ', PATCH, PUT' : ''}`],
    ['/1/audit', 'GET, HEAD'],
    ...(hasNotes
      ? ([
          ['/1/notes', 'GET, HEAD, POST'],
          ['/1/notes/1', 'GET, HEAD'],
        ] as [string, string][])
      : []),
    ...children.map(({ field, child }): [string, string] => [
      `/1/${restName(field)}`,
      `GET, HEAD${child.mutations.create ? ', POST' : ''}`,
    ]),
    ...people.flatMap((field): [string, string][] => [
      [`/1/${field}`, 'POST'],
      [`/1/${field}/1`, 'DELETE'],
    ]),
  ];
  return tails.map(([tail, methods]) => [`/v1/${plural}${tail}`, methods]);
};

test.each(recordTypes.flatMap(pathsOf))(
  '%s needs a caller, one of their accounts and the scope, and allows %s only',
  async (path, methods) => {
    const token = keys.token({ accounts: { wdc: ['specialist', 'account_administrator'] } });
    const blind = graph.as('account_administrator', { scopes: [{ effect: 'allow', actions: ['person:Read'] }] });
    for (const method of ['get', 'post', 'patch', 'put', 'delete'] as const) {
      const call = () => supertest(graph.app.http)[method](path).send({});
      await call().expect(401, { message: 'Unauthorized' });
      await call().set('Authorization', 'Bearer a.b.c').set('X-Service-Account', 'wdc').expect(401);
      await call().set('Authorization', `Bearer ${token}`).expect(400, { message: 'Missing X-Service-Account header' });
      await call().set('Authorization', `Bearer ${token}`).set('X-Service-Account', 'acme').expect(403);
      const isThere = methods.split(', ').includes(method.toUpperCase());
      const answer = await blind.rest(method, path, {});
      expect([method, answer.status]).toEqual([method, isThere ? 403 : 405]);
      expect([answer.get(isThere ? 'WWW-Authenticate' : 'Allow')]).toEqual([
        isThere ? expect.stringMatching(/insufficient_scope/) : methods,
      ]);
    }
  },
);

test('an unchanged record is 304', async () => {
  const { headers } = await specialist.get('/v1/requests/1').expect(200);
  expect(headers['etag']).toMatch(/^"1\.[\w-]{16}"$/);
  await specialist.get('/v1/requests/1/').set('If-None-Match', String(headers['etag'])).expect(304);
});
