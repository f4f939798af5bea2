/// <reference types="jest" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { print } from '@0no-co/graphql.web';
import { buildSchema, parse, validate } from 'graphql';
import { priceDocument } from '@itsm/shared/pricing/price-document';
import { alikeOf, comparedWords } from './alike-document';

const schema = buildSchema(readFileSync(join(__dirname, '../../schema.graphql'), 'utf8'));

test.each([
  { member: 'request', rootField: 'requests', title: 'subject' },
  { member: 'project_task', rootField: 'projectTasks', title: 'subject' },
])('open ones like a $member are a valid document of one point', (type) => {
  const query = print(alikeOf(type));
  expect(validate(schema, parse(query))).toEqual([]);
  expect(priceDocument({ query, operationName: undefined, variables: { query: 'x' }, schema })).toMatchObject({
    kind: 'priced',
    price: { cost: 1 },
  });
});

test.each([
  ['The Wi-Fi of room B drops', 'drops room'],
  ['Printer printer', 'Printer printer'],
  ['ab c', ''],
  ['Zugriff für Jürgen', 'Zugriff Jürgen'],
  ['', ''],
])('%j is compared by %j', (title, words) => {
  expect(comparedWords(title)).toBe(words);
});
