/// <reference types="jest" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { print } from '@0no-co/graphql.web';
import { buildSchema, parse, validate } from 'graphql';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { priceDocument } from '@itsm/shared/pricing/price-document';
import { countOf, countsOf, listOf } from './list-document';
import { askedBy, isNarrowed, usualView, viewsFor } from './list-search';

const schema = buildSchema(readFileSync(join(__dirname, '../../schema.graphql'), 'utf8'));
const field = (name: string, more: object = {}) => ({ name, rest: name, label: name, kind: 'text', ...more });
const chosen = { kind: 'choice', audience: 'staff', filterable: true };
const referring = (refersTo: string) => ({ kind: 'reference', audience: 'staff', filterable: true, refersTo });

const ofView: Readonly<Record<string, object>> = {
  all: { rare: 'everybody' },
  assigned_to_me: { audience: 'staff', personal: true },
  assigned_to_my_team: { audience: 'staff', personal: true },
  waiting_for_me: { rare: 'staff' },
  archive: { rare: 'everybody' },
  trash: { rare: 'everybody', audience: 'keepers' },
};
const request = {
  graphqlName: 'Request',
  member: 'request',
  rootField: 'requests',
  title: 'subject',
  hasStatus: true,
  closed: ['completed'],
  columns: ['status', 'team', 'member'],
  orders: ['id', 'subject', 'status', 'createdAt', 'updatedAt'],
  fields: [
    field('subject'),
    field('status', { ...chosen, words: ['assigned', 'accepted', 'completed'].map((value) => ({ value })) }),
    field('team', referring('Team')),
    field('member', referring('Person')),
    field('requestedBy', { ...referring('Person'), rest: 'requested_by' }),
  ],
  views: [
    'all',
    'current_account',
    'open',
    'completed',
    'assigned_to_me',
    'assigned_to_my_team',
    'waiting_for_me',
    'archive',
    'trash',
  ].map((name) => ({ name, label: name, description: name, ...ofView[name] })),
} as unknown as TypeDescription;
const sla = {
  graphqlName: 'ServiceLevelAgreement',
  member: 'sla',
  rootField: 'serviceLevelAgreements',
  title: 'name',
  hasStatus: false,
  columns: ['manager', 'expiryDate'],
  orders: ['id', 'name', 'expiryDate'],
  fields: [field('name'), field('manager', referring('Person')), field('expiryDate', { kind: 'date' })],
  views: ['all', 'current_account'].map((name) => ({ name, label: name, description: name })),
} as unknown as TypeDescription;
const named = ['Team', 'Person'].map((graphqlName) => ({ graphqlName, title: 'name' })) as unknown as TypeDescription[];

test.each([request, sla])('each document of the list of $graphqlName is valid and costs one point', (type) => {
  for (const document of [listOf(type, named), countOf(type), countsOf(type, 9)]) {
    const query = print(document);
    expect(validate(schema, parse(query))).toEqual([]);
    const variables = { first: 50, order: [{ field: 'id', direction: 'asc' }] };
    expect(priceDocument({ query, operationName: undefined, variables, schema })).toMatchObject({
      kind: 'priced',
      price: { cost: 1 },
    });
  }
});

const asked = (search: Record<string, string>) => askedBy(request, search, 'me-id');

test.each([
  [{}, {}],
  [{ status: 'open' }, { status: { values: ['assigned', 'accepted'] } }],
  [{ status: 'accepted,completed' }, { status: { values: ['accepted', 'completed'] } }],
  [{ team: '3,4' }, { team: { values: ['3', '4'] } }],
  [{ requested_by: 'me' }, { requestedBy: { values: ['me-id'] } }],
  [{ member: 'none' }, { member: { values: [null] } }],
  [{ view: 'unassigned' }, { member: { values: [null] } }],
  [{ q: '103' }, { query: '103' }],
])('the address %j asks for %j', (search, filter) => {
  expect(asked(search)).toMatchObject({ view: 'open', filter, unknown: [] });
  expect(asked(search).filter).toEqual(filter);
});

test.each(['view=zeppelin', 'sort=zeppelin', 'status=lost', 'team=me', 'subject=x', 'zeppelin=1', 'constructor=1'])(
  'of an address, %s has no effect and is named',
  (part) => {
    const search = Object.fromEntries(new URLSearchParams(part));
    expect(asked(search)).toEqual({ ...asked({}), unknown: Object.keys(search) });
  },
);

test('an order is that of one field', () => {
  expect(asked({}).order).toEqual([{ field: 'updatedAt', direction: 'desc' }]);
  expect(asked({ sort: 'created_at' }).order).toEqual([{ field: 'createdAt', direction: 'asc' }]);
  expect(asked({ sort: '-subject' }).order).toEqual([{ field: 'subject', direction: 'desc' }]);
});

test('people find the views of their roles, and those who keep the account the trash', () => {
  const namesFor = (role: 'specialist' | 'end_user' | 'account_administrator') => {
    const { usual, further } = viewsFor(request, { roles: [role] });
    return [usual, further].map((views) => views.map(({ name }) => name));
  };
  expect(namesFor('specialist')).toEqual([
    ['open', 'completed', 'assigned_to_me', 'assigned_to_my_team', 'unassigned', 'current_account'],
    ['all', 'waiting_for_me', 'archive'],
  ]);
  expect(namesFor('end_user')).toEqual([
    ['open', 'completed', 'waiting_for_me', 'current_account'],
    ['all', 'archive'],
  ]);
  expect(namesFor('account_administrator')[1]).toEqual(['all', 'waiting_for_me', 'archive', 'trash']);
  expect(usualView(request)).toBe('open');
  expect(usualView(sla)).toBe('current_account');
});

test('what a view sets by itself does not narrow it', () => {
  const mine = viewsFor(request, { roles: ['specialist'] }).usual.find(({ name }) => name === 'assigned_to_me');
  expect(mine?.search).toEqual({ view: 'assigned_to_me', status: 'open' });
  expect(isNarrowed({ view: 'assigned_to_me', status: 'open', sort: 'subject' }, mine)).toBe(false);
  expect(isNarrowed({ view: 'assigned_to_me', status: 'assigned' }, mine)).toBe(true);
  expect(isNarrowed({ q: 'x' }, mine)).toBe(true);
});
