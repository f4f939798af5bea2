import { markdownTable } from '@itsm/shared/testing/generated-part';
import type { RecordKinds } from '@itsm/shared/contracts/record-kinds';
import { costWindow, requestWindows } from '../callers/windows';
import { limits } from '@itsm/shared/pricing/limits';

const format = (value: number): string => value.toLocaleString('en-US');

type Row = readonly [limit: string, value: string];
export type Limit = keyof typeof limits;

const [short, long] = requestWindows;
const windows: readonly Row[] = [
  [
    'Requests, GraphQL and REST together',
    `${short.limit} in ${short.seconds} seconds and ${format(long.limit)} in ${long.seconds / 60} minutes`,
  ],
  ['Points', `${format(costWindow.limit)} in ${costWindow.seconds / 60} minutes`],
];

/** Limits of the API, and limits that only hostile documents reach; a new limit needs a row. */
const specified = {
  pageSize: ['`first` or `last` of a connection', `required, 1 to ${limits.pageSize}`],
  depth: ['Levels of a query', format(limits.depth)],
  nodes: ['Nodes of a call', format(limits.nodes)],
  mutations: ['Mutations of a call', format(limits.mutations)],
} satisfies Partial<Record<Limit, Row>>;

/** The rows of the other limits; a limit that shares the row of another one names that one. */
export type FurtherRows<L extends string> = Readonly<Record<Exclude<L, keyof typeof specified>, Row | Limit>>;

export const further: FurtherRows<Limit> = {
  tokens: ['Tokens of a document', format(limits.tokens)],
  selections: [
    'Selections after fragments are expanded',
    `${format(limits.selections)}, and at most ${limits.expansion} times what the document writes (${limits.freeSelections} are always free)`,
  ],
  expansion: 'selections',
  freeSelections: 'selections',
  nesting: ['Selection sets within selection sets', format(limits.nesting)],
  repetitions: ['Repetitions of fields at their place under other aliases', format(limits.repetitions)],
  repeatedValues: [
    `Values that repetitions beyond the first ${limits.freeRepetitions} ask for`,
    format(limits.repeatedValues),
  ],
  freeRepetitions: ['Repetitions within `__schema` and `__type`', `${limits.freeRepetitions}; each of the two once`],
  mergedFields: ['One field under one response key at one place', `${limits.mergedFields} times`],
  breakdown: ['Connections in `breakdown`', `the dearest ${limits.breakdown}`],
};

const isRow = (row: Row | Limit): row is Row => typeof row !== 'string';

/** The tables of docs/api/graphql.md. */
export const limitsTable = (): string => markdownTable([['Limit', 'Value'], ...windows, ...Object.values(specified)]);
export const boundsTable = (rows: FurtherRows<never> = further): string =>
  markdownTable([['Bound', 'Value'], ...Object.values<Row | Limit>(rows).filter(isRow)]);

/** The sentence of docs/api/graphql.md that links to the page of each record type. */
export const typesSentence = (kinds: RecordKinds): string => {
  const names = Object.values(kinds).flatMap(({ service, graphqlName }) => (service === 'graph' ? [graphqlName] : []));
  const links = names.map((name) => `[${name}](records.md#${name.toLowerCase()})`);
  return `The types of record are ${links.join(', ')}.`;
};
