import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import { generatedPart } from '@itsm/shared/testing/generated-part';
import { boundsTable, limitsTable, typesSentence } from '../testing/graphql-page';
import { priceDocument } from '@itsm/shared/pricing/price-document';
import type { Answer } from '@itsm/shared/pricing/price-document';

const page = readFileSync(join(__dirname, '../../../docs/api/graphql.md'), 'utf8');
const chapter = page.slice(page.indexOf('## Limits'));

/** A document, its variables, and the outcome that the page promises. */
const examples = [...chapter.matchAll(/```graphql\n([\s\S]*?)```\n(?:\n```json\n([\s\S]*?)```\n)?\n> (.*)\n/g)].map(
  ([, query = '', variables = '{}', promise = '']) => ({
    query,
    variables: JSON.parse(variables) as Record<string, unknown>,
    promise,
  }),
);

const format = (value: unknown): string => Number(value).toLocaleString('en-US');
const count = (value: number, unit: string): string => `${format(value)} ${unit}${value === 1 ? '' : 's'}`;

function promiseOf(answer: Answer): string {
  if (answer.kind === 'priced') {
    const { nodes, requests, cost } = answer.price;
    return [count(nodes, 'node'), count(requests, 'request'), count(cost, 'point')].join(', ');
  }
  const { code, field, value, limit, largestPageSize } = answer.errors[0]?.extensions ?? {};
  const size = value === undefined ? '' : `, ${format(value)} of ${format(limit)}`;
  return `${String(code)} at \`${String(field)}\`${size}; a page size of ${format(largestPageSize)} fits`;
}

test('every example of the page states an outcome', () => {
  expect(examples.length).toBeGreaterThanOrEqual(7);
  expect(examples).toHaveLength(chapter.split('```graphql').length - 1);
});

test.each(examples)('the promise "$promise" of the page holds', ({ query, variables, promise }) => {
  expect(promiseOf(priceDocument({ query, variables, operationName: undefined, schema: undefined }))).toBe(promise);
});

test('the limits of the page are those of the gateway (UPDATE_DOCS=1 writes them)', () => {
  const parts = { limits: limitsTable(), bounds: boundsTable(), 'types of record': typesSentence(recordKinds) };
  for (const [name, text] of Object.entries(parts)) expect(generatedPart('docs/api/graphql.md', name, text)).toBe(text);
});
