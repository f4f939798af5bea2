import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../cost/limits';
import { costWindow, requestWindows } from '../callers/windows';
import { priceDocument } from './price-document';
import type { Answer } from './price-document';

const page = readFileSync(join(__dirname, '../../../docs/api/graphql.md'), 'utf8');
const chapter = page.slice(page.indexOf('## Limits'));

/** A document, its variables, and what the page says about it. */
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

test('every example of the page has an outcome', () => {
  expect(examples.length).toBeGreaterThanOrEqual(7);
  expect(examples).toHaveLength(chapter.split('```graphql').length - 1);
});

test.each(examples)('the page says "$promise", and so it is', ({ query, variables, promise }) => {
  expect(promiseOf(priceDocument({ query, variables, operationName: undefined, schema: undefined }))).toBe(promise);
});

test('the limits of the page are those of the gateway', () => {
  const [short, long] = requestWindows;
  for (const row of [
    `| Requests, GraphQL and REST together | ${short.limit} in ${short.seconds} seconds and ${format(long.limit)} in ${long.seconds / 60} minutes |`,
    `| Points | ${format(costWindow.limit)} in ${costWindow.seconds / 60} minutes |`,
    `| \`first\` or \`last\` of a connection | required, 1 to ${limits.pageSize} |`,
    `| Levels of a query | ${limits.depth} |`,
    `| Nodes of a call | ${format(limits.nodes)} |`,
    `| Mutations of a call | ${limits.mutations} |`,
    `| Selections after fragments are expanded | ${format(limits.selections)}, and at most ten times what the document writes (${limits.freeSelections} are always free) |`,
    `| Selection sets within selection sets | ${limits.nesting} |`,
    `| Repetitions of fields at their place under further response keys | ${limits.repetitions} |`,
    `| Values that repetitions beyond the tenth ask for | ${format(limits.repeatedValues)} |`,
    `| Repetitions within \`__schema\` and \`__type\` | ${limits.freeRepetitions}; each of the two once |`,
    `| One field under one response key at one place | ${limits.mergedFields} times |`,
  ])
    expect(chapter).toContain(row);
});
