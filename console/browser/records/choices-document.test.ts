/// <reference types="jest" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { print } from '@0no-co/graphql.web';
import { buildSchema, parse, validate } from 'graphql';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { priceDocument } from '@itsm/shared/pricing/price-document';
import { choicesOf } from './choices-document';

const schema = buildSchema(readFileSync(join(__dirname, '../../schema.graphql'), 'utf8'));

const named = (graphqlName: string, rootField: string, title: string, others: readonly string[] = []) =>
  ({
    graphqlName,
    rootField,
    title,
    orders: ['id', title],
    fields: [title, ...others].map((name) => ({ name, filterable: true })),
  }) as unknown as TypeDescription;

test.each([
  named('Person', 'people', 'name', ['primaryEmail', 'disabled']),
  named('Team', 'teams', 'name', ['disabled']),
  named('Problem', 'problems', 'subject'),
  named('Workflow', 'workflows', 'subject'),
  named('Project', 'projects', 'subject'),
])('the choice of a $graphqlName is a valid document of one point', (type) => {
  const query = print(choicesOf(type));
  expect(validate(schema, parse(query))).toEqual([]);
  expect(priceDocument({ query, operationName: undefined, variables: { query: 'x' }, schema })).toMatchObject({
    kind: 'priced',
    price: { cost: 1 },
  });
});
