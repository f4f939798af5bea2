import { limits } from '@itsm/shared/pricing/limits';
import type { Limit } from './graphql-page';

/** A document that exceeds one limit, and one that just keeps it. */
interface Refusal {
  readonly code: string;
  readonly exceeds: string;
  readonly keeps: string;
  /** The limit that the refusal names, where it is another number than that of the table. */
  readonly named?: number;
}

/** A limit that shortens the answer instead of refusing the call. */
interface Shortening {
  readonly exceeds: string;
  readonly lengthOf: (data: Readonly<Record<string, unknown>>) => number;
}

const times = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => item(index)).join(' ');

/** The documents that have one too many, and just as many as permitted. */
const around = (limit: number, document: (count: number) => string) => ({
  exceeds: document(limit + 1),
  keeps: document(limit),
});

const countedPages = (count: number) =>
  'requests(first: 1 last: null after: null before: null) { totalCount } '.repeat(count);

/** 18 tokens by each counted page, 13 around them at each of the places, and one by each `id`. */
function tokens(count: number): string {
  const ofPlace = 13 + 18 * 150;
  const places = Math.floor((count - 2) / ofPlace);
  const rest = count - 2 - ofPlace * places - 13;
  const last = `${countedPages(Math.floor(rest / 18))} ${'id '.repeat(rest % 18)}`;
  return `{ ${times(places + 1, (index) => `a${index}: ${paged(1, index < places ? countedPages(150) : last)}`)} }`;
}

const levels = (count: number) =>
  `{ requests(first: 1) { nodes { ${'parent { '.repeat(count - 3)} id ${'} '.repeat(count - 3)} } } }`;

const leaf = '{ totalCount }';
const paged = (size: number, below: string) => `requests(first: ${size}) { nodes { ${below} } }`;

/** Connections on three levels, then on two, then on one: as many nodes in all. */
function connections(nodes: number): string {
  const third = Math.floor((nodes - 10_100) / 10_000);
  const rest = nodes - 10_100 - 10_000 * third;
  const second = Math.floor((rest - 100) / 100);
  const single = rest - 100 - 100 * second;
  return `{ a: ${paged(100, paged(100, `requests(first: ${third}) ${leaf}`))}
    b: ${paged(100, `requests(first: ${second}) ${leaf}`)} ${single > 0 ? `c: requests(first: ${single}) ${leaf}` : ''} }`;
}

/** As many selections, all of them written, and none too often at its place. */
const written = (count: number) =>
  `{ ${times(Math.floor(count / 100), (index) => `a${index}: me { ${'id '.repeat(99)} }`)} ${'__typename '.repeat(count % 100)} }`;

/** 31 selections by each spread of `B` and 3 by each of `A`; what is written would by itself permit fewer. */
function spread(count: number): string {
  const rest = (count - 1) % 31;
  return `{ me { ${'...B '.repeat((count - 1) / 31)} ${'...A '.repeat(rest / 3)} ${'id '.repeat(rest % 3)} } }
    fragment A on Person { id name } fragment B on Person { ${'...A '.repeat(10)} }`;
}

/** 23 selections and `plain` ones are written, and expand to 411 and the plain ones. */
const expanded = (plain: number) =>
  `{ me { ${'...B '.repeat(10)} ${'id '.repeat(plain)} } }
    fragment A on Person { id name __typename } fragment B on Person { ${'...A '.repeat(10)} }`;

const nested = (count: number) => `{ me { ${'... { '.repeat(count - 2)} id ${'} '.repeat(count - 2)} } }`;

const { freeRepetitions, repeatedValues } = limits;

/** For each limit a document that exceeds it, with services of `start-services.ts`. A new limit needs its own. */
export const limitSamples: Readonly<Record<Limit, Refusal | Shortening>> = {
  tokens: { code: 'GRAPHQL_PARSE_FAILED', ...around(limits.tokens, tokens) },
  depth: { code: 'DEPTH_LIMIT_EXCEEDED', ...around(limits.depth, levels) },
  nodes: { code: 'NODE_LIMIT_EXCEEDED', ...around(limits.nodes, connections) },
  pageSize: {
    code: 'PAGE_SIZE_OUT_OF_RANGE',
    ...around(limits.pageSize, (count) => `{ requests(first: ${count}) ${leaf} }`),
  },
  mutations: {
    code: 'TOO_MANY_MUTATIONS',
    ...around(
      limits.mutations,
      (count) => `mutation { ${times(count, (index) => `a${index}: requestCreate { request { id } }`)} }`,
    ),
  },
  selections: { code: 'GRAPHQL_VALIDATION_FAILED', ...around(limits.selections, written) },
  freeSelections: { code: 'GRAPHQL_VALIDATION_FAILED', ...around(limits.freeSelections, spread) },
  expansion: {
    code: 'GRAPHQL_VALIDATION_FAILED',
    exceeds: expanded(17),
    keeps: expanded(20),
    named: limits.expansion * (24 + 17),
  },
  nesting: { code: 'DEPTH_LIMIT_EXCEEDED', ...around(limits.nesting, nested) },
  repetitions: {
    code: 'REPETITION_LIMIT_EXCEEDED',
    ...around(limits.repetitions, (count) => `{ me { ${times(count + 1, (index) => `a${index}: id`)} } }`),
  },
  repeatedValues: {
    code: 'REPETITION_LIMIT_EXCEEDED',
    ...around(
      freeRepetitions + repeatedValues / 100,
      (count) =>
        `{ ${paged(
          100,
          times(count, (i) => `a${i}: id`),
        )} }`,
    ),
  },
  freeRepetitions: {
    code: 'REPETITION_LIMIT_EXCEEDED',
    ...around(
      freeRepetitions,
      (count) => `{ __schema { types { ${times(count + 1, (index) => `a${index}: name`)} } } }`,
    ),
  },
  mergedFields: {
    code: 'GRAPHQL_VALIDATION_FAILED',
    ...around(limits.mergedFields, (count) => `{ me { ${'id '.repeat(count)} } }`),
  },
  breakdown: {
    exceeds: `{ ${times(limits.breakdown + 1, (index) => `a${index}: requests(first: 1) ${leaf}`)}
      rateLimit { breakdown { path } } }`,
    lengthOf: ({ rateLimit }) => (rateLimit as { breakdown: unknown[] }).breakdown.length,
  },
};
