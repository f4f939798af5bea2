/// <reference types="jest" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { print } from '@0no-co/graphql.web';
import { buildSchema, parse, validate } from 'graphql';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { priceDocument } from '@itsm/shared/pricing/price-document';
import { countsOfNeighbours, neighboursOf } from './neighbours-document';

const schema = buildSchema(readFileSync(join(__dirname, '../../schema.graphql'), 'utf8'));
const referring = (name: string, refersTo: string, more: object = {}) => ({
  name,
  rest: name,
  label: name,
  kind: 'reference',
  audience: 'staff',
  filterable: true,
  refersTo,
  ...more,
});
const types = [
  {
    labelPlural: 'Requests',
    rootField: 'requests',
    orders: ['id'],
    columns: [],
    views: [{ name: 'open' }],
    fields: [
      referring('team', 'Team'),
      referring('requestedBy', 'Person'),
      referring('requestedFor', 'Person'),
      referring('project', 'Project', { filterable: false }),
    ],
  },
  {
    labelPlural: 'Teams',
    rootField: 'teams',
    orders: ['id'],
    columns: [],
    views: [{ name: 'enabled' }],
    fields: [referring('manager', 'Person'), referring('members', 'Person', { many: true })],
  },
  { labelPlural: 'Webhooks', rootField: 'webhooks', orders: ['id'], views: [], fields: [referring('team', 'Team')] },
] as unknown as readonly TypeDescription[];

test.each([
  ['Team', ['Requests']],
  ['Person', ['Requests · requestedBy', 'Requests · requestedFor', 'Teams']],
  ['Project', []],
])('what refers to a %s is found by the fields that lists are filtered by', (name, labels) => {
  expect(neighboursOf(name, types).map(({ label }) => label)).toEqual(labels);
});

test.each(['Team', 'Person'])('the numbers of what refers to a %s are one valid document of one point', (name) => {
  const query = print(countsOfNeighbours(neighboursOf(name, types)));
  expect(validate(schema, parse(query))).toEqual([]);
  expect(priceDocument({ query, operationName: undefined, variables: { id: '2' }, schema })).toMatchObject({
    kind: 'priced',
    price: { cost: 1 },
  });
});
