import request from 'supertest';
import { createHttp } from '../http/create-http';
import { createLogger } from '../../observing/logs/logger';
import { atPublicAddress } from '../../testing/public-address';
import { createArraySource } from './array-source';
import type { Resource } from './resource';
import { sendCollection, sendRecord } from './send';

const baseUrl = 'https://api.example';

interface Ticket {
  readonly id: number;
  readonly status: string;
  readonly dueAt: Date | null;
  readonly text: string;
}

const resource: Resource<Ticket, { readonly locale: string }> = {
  fields: {
    id: ({ id }) => id,
    status: ({ status }) => status,
    due_at: ({ dueAt }) => dueAt,
    text: ({ text }) => text,
    translated: (_ticket, { locale }) => locale,
  },
  collectionFields: ['id', 'status', 'due_at'],
  singleOnly: ['translated'],
  sortable: { id: 'id', status: 'status', due_at: 'dueAt' },
  filterable: {
    id: { property: 'id', type: 'integer' },
    status: { property: 'status', type: 'string' },
    due_at: { property: 'dueAt', type: 'time' },
  },
};

const ticket = (id: number): Ticket => ({
  id,
  status: id % 2 === 0 ? 'open' : 'closed',
  dueAt: id % 3 === 0 ? null : new Date(Date.UTC(2026, 0, id % 5)),
  text: `Ticket ${id}`,
});

function start(size = 45) {
  const tickets = Array.from({ length: size }, (_, index) => ticket(index + 1));
  const http = createHttp(createLogger('test', 'silent'), (app) => {
    app.get('/v1/tickets', (req, res) =>
      sendCollection(req, res, {
        resource,
        source: createArraySource(tickets),
        view: { locale: 'nl' },
        baseUrl,
      }),
    );
    app.get('/v1/tickets/1', (req, res) => {
      sendRecord(req, res, { resource, record: ticket(3), view: { locale: 'nl' } });
    });
  });
  const get = (address: string) => atPublicAddress(request(http), baseUrl).get(address);
  const linkIn = (header: string | undefined, rel: string): string | undefined =>
    new RegExp(`<([^>]+)>; rel="${rel}"`).exec(header ?? '')?.[1];
  return { get, linkIn };
}

const listIn = ({ body }: { body: unknown }): { id: number }[] => body as { id: number }[];
const idsIn = (answer: { body: unknown }): number[] => listIn(answer).map(({ id }) => id);

test('a collection answers 20 records with its default fields, and null for missing values', async () => {
  const { get } = start();
  const body = listIn(await get('/v1/tickets').expect(200));
  expect(body).toHaveLength(20);
  expect(body[2]).toEqual({ id: 3, status: 'closed', due_at: null });
});

test('the first page has the total, and absolute links to the first and next page', async () => {
  const { get, linkIn } = start();
  const { headers } = await get('/v1/tickets?per_page=10&sort=-id').expect(200);
  expect(headers).toMatchObject({
    'x-pagination-per-page': '10',
    'x-pagination-current-page': '1',
    'x-pagination-total-pages': '5',
    'x-pagination-total-entries': '45',
  });
  expect(linkIn(headers['link'], 'first')).toBe(`${baseUrl}/v1/tickets?per_page=10&sort=-id`);
  expect(linkIn(headers['link'], 'next')).toMatch(
    /^https:\/\/api\.example\/v1\/tickets\?per_page=10&sort=-id&search_after=[\w-]+$/,
  );
  expect(linkIn(headers['link'], 'prev')).toBeUndefined();
});

test.each(['', 'sort=-status', 'sort=due_at', 'sort=-due_at,status', 'sort=-id', 'page=1'])(
  'following next reaches every record once and prev leads back (%s)',
  async (query) => {
    const { get, linkIn } = start(23);
    const pages: number[][] = [];
    let path: string | undefined = `/v1/tickets?per_page=5&${query}`;
    let last: string | undefined;
    while (path !== undefined) {
      const answer = await get(path).expect(200);
      expect(answer.headers['x-pagination-current-page']).toBe(String(pages.length + 1));
      pages.push(idsIn(answer));
      last = answer.headers['link'];
      path = linkIn(last, 'next');
    }
    expect(pages.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 23 }, (_, index) => index + 1));
    const all = await get(`/v1/tickets?per_page=100&${query}`);
    expect(pages.flat()).toHaveLength(idsIn(all).length);
    for (let page = pages.length - 2; page >= 0; page -= 1) {
      const answer = await get(linkIn(last, 'prev') ?? '').expect(200);
      expect(idsIn(answer)).toEqual(pages[page]);
      last = answer.headers['link'];
    }
    expect(linkIn(last, 'prev')).toBeUndefined();
  },
);

test('fields selects the fields; the id is always included', async () => {
  const { get } = start(1);
  expect((await get('/v1/tickets?fields=text')).body).toEqual([{ id: 1, text: 'Ticket 1' }]);
  expect(Object.keys(listIn(await get('/v1/tickets?fields=*'))[0] ?? {})).toEqual(['id', 'status', 'due_at', 'text']);
});

test('a single record has all its fields by default', async () => {
  const { get } = start();
  const all = { id: 3, status: 'closed', due_at: null, text: 'Ticket 3', translated: 'nl' };
  expect((await get('/v1/tickets/1')).body).toEqual(all);
  expect((await get('/v1/tickets/1?fields=translated')).body).toEqual({ id: 3, translated: 'nl' });
});

test('an unchanged answer is a 304', async () => {
  const { get } = start();
  const { headers } = await get('/v1/tickets').expect(200);
  expect(headers['etag']).toMatch(/^W\//);
  await get('/v1/tickets')
    .set('If-None-Match', headers['etag'] ?? '')
    .expect(304);
  await get('/v1/tickets?sort=-id')
    .set('If-None-Match', headers['etag'] ?? '')
    .expect(200);
});

const cursorFor = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test.each([
  ['per_page=0', 'per_page must be an integer from 1 to 100'],
  ['per_page=101', 'per_page must be an integer from 1 to 100'],
  ['per_page=ten', 'per_page must be an integer from 1 to 100'],
  ['per_page=', 'per_page must be an integer from 1 to 100'],
  ['per_page=1e1', 'per_page must be an integer from 1 to 100'],
  ['page=0', 'page must be an integer from 1 to 1000000'],
  ['page=99999999999999999999', 'page must be an integer from 1 to 1000000'],
  ['page=1&search_after=x', 'Only one of page and search_after can be given'],
  ['search_after=x', 'search_after is not a cursor of this collection'],
  ['search_before=', 'search_before is not a cursor of this collection'],
  [`search_after=${cursorFor(['-id', [3], 1])}`, 'search_after is not a cursor of this collection'],
  [`search_after=${cursorFor(['id', [{ $gt: 0 }], 1])}`, 'search_after is not a cursor of this collection'],
  [`search_after=${cursorFor(['id', [], 1])}`, 'search_after is not a cursor of this collection'],
  ['fields=id,nope,none', 'Unknown fields: nope, none'],
  ['fields=translated', 'Unknown fields: translated'],
  ['fields=constructor', 'Unknown fields: constructor'],
  ['sort=-text,id', 'Sorting not allowed on fields: text'],
  ['sort=__proto__', 'Sorting not allowed on fields: __proto__'],
  ['text=open', 'Filtering not allowed on fields: text'],
  ['fields[]=id', 'Parameter fields[] must be a plain value'],
  ['sort[a]=id', 'Parameter sort[a] must be a plain value'],
  ['sort=id&sort=status', 'Parameter sort is given more than once'],
])('?%s is a 400 that says why', async (query, message) => {
  const { get } = start();
  await get(`/v1/tickets?${query}`).expect(400, { message });
});

test('a page beyond the end is empty and links back', async () => {
  const { get, linkIn } = start(3);
  const answer = await get('/v1/tickets?page=2').expect(200, []);
  expect(linkIn(answer.headers['link'], 'prev')).toBe(`${baseUrl}/v1/tickets?page=1`);
  expect(linkIn(answer.headers['link'], 'next')).toBeUndefined();
});

test.each([
  ['status=open&id=<7', [2, 4, 6]],
  ['status=!open&id=<=7', [1, 3, 5, 7]],
  ['id=3,1,99', [1, 3]],
  ['id=!1,2&id_=', undefined],
  ['id=!1,2&per_page=2', [3, 4]],
  ['id=>=3<=5', [3, 4, 5]],
  ['id=>43', [44, 45]],
  ['due_at=&id=<10', [3, 6, 9]],
  ['due_at=!&id=<5', [1, 2, 4]],
  ['due_at=2026-01-02&id=<12', [2, 7]],
  ['due_at=>2026-01-03T23:00:00+00:00&id=<6', [4]],
])('a collection is filtered by ?%s', async (query, expected) => {
  const { get } = start();
  const answer = await get(`/v1/tickets?${query}`);
  if (expected) expect([answer.status, idsIn(answer)]).toEqual([200, expected]);
  else expect(answer.status).toBe(400);
});

test('a filter is kept in the links and applied to the totals', async () => {
  const { get, linkIn } = start();
  const first = await get('/v1/tickets?status=open&per_page=20&id=!2');
  expect(first.headers['x-pagination-total-entries']).toBe('21');
  const next = await get(linkIn(first.headers.link, 'next') ?? '');
  expect(idsIn(next)).toEqual([44]);
});

test.each([
  ['id=x', 'id must be an integer, not x'],
  ['id=1,x', 'id must be an integer, not x'],
  ['id=>1>2', 'id cannot be filtered by >1>2'],
  ['id=>', 'id cannot be filtered by >'],
  ['status=<b', 'status cannot be filtered by <b'],
  ['due_at=2026-02-99', 'due_at must be a time, not 2026-02-99'],
  ['due_at=yesterday', 'due_at must be a time, not yesterday'],
  [`id=${'1,'.repeat(100)}1`, 'id cannot be filtered by more than 100 values'],
  ['text=x', undefined],
])('a filter ?%s is a 400 that says why', async (query, message) => {
  const { status, body } = await start().get(`/v1/tickets?${query}`);
  expect(status).toBe(400);
  if (message) expect(body).toEqual({ message });
});
