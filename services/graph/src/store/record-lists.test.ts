import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import type { Condition } from '@itsm/shared/api/rest/filter';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { documentsExaminedBy, exercise, sentBy } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import { filterNames, parseOrder } from '../read/record-query';
import { choicesOf, valuesOf } from '../record-types/choices';
import { request } from '../record-types/request';
import type { Field } from '@itsm/shared/declared/language';
import type { RecordType } from '../record-types/record-type';
import { typesWithAdded } from '../testing/added-types';
import { recordOf } from '../testing/sample-documents';
import { toDocument } from './record.document';
import { mostRanges, partsOfSelection } from './record-parts';
import { everything } from './record-selection';
import type { Selection } from './record-selection';
import { createRecordRepository } from './record.repository';

let mongo: EmbeddedMongo;
let connection: Connection;

/** Each half of the records has the one or the other value of every field, so that two fields never meet. */
const halves = { even: 2_000, odd: 2_001 };
/** More than the matches of a selective part, twice. */
const count = 4_200;

/** A record whose choices and references depend on whether its number is even. */
function polarized(type: RecordType, n: number) {
  const values = type.fields.map((field): [string, unknown] => [field.name, valueIn(field, n)]);
  return { ...recordOf(type, n), accountId: 'wdc', values: Object.fromEntries(values) as never };
}

function valueIn(field: Field, n: number): unknown {
  const isEven = n % 2 === 0;
  if (field.kind === 'choice') return field.choices[isEven ? 0 : 1];
  if (field.kind === 'flag') return isEven;
  if (field.kind === 'person' || field.kind === 'record') return isEven ? 1 : 2;
  if (field.kind === 'people') return [isEven ? 1 : 2];
  return recordOf({ ...request, fields: [field] }, n).values[field.name] ?? null;
}

beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  connection = await connectPatiently(mongo.urlOf('lists'), { monitorCommands: true });
  for (const type of typesWithAdded) {
    await createRecordRepository(connection, type).ensureIndexes();
    const documents = Array.from({ length: count }, (_none, n) => toDocument(type, polarized(type, n + 1)));
    await connection.collection(type.plural).insertMany(documents as object[], { ordered: false });
  }
});
afterAll(async () => {
  await connection.close();
  await mongo.close();
});

const byId = parseOrder([]);
const lastFirst = parseOrder([{ field: 'updatedAt', direction: 'desc' }]);

/** The value of a field in the records with even numbers, or in the others. */
const condition = (field: Field, half: keyof typeof halves): Condition => {
  const value = valueIn(field, halves[half]);
  return { property: field.name, in: (Array.isArray(value) ? value : [value]) as never };
};

/** The ids that a list returns, and the number of documents that the store examines for it. */
async function listed(
  type: RecordType,
  conditions: readonly Condition[],
  order = byId,
  selection: Selection = everything,
) {
  const repository = createRecordRepository(connection, type);
  let ids: readonly number[] = [];
  const search = async () => {
    const found = await repository.list('wdc', { ...selection, conditions }, { order, limit: 21 });
    ids = found.map(({ id }) => id);
  };
  const sent = await sentBy(connection, [
    exercise<{ search(): Promise<unknown> }>('createRecordRepository', { search }, { search: (one) => one.search() }),
  ]);
  const commands = sent.map(({ command }) => command);
  return {
    ids,
    documents: await documentsExaminedBy(connection, commands),
    // Without counts: MongoDB answers them from an index alone, the embedded store does not.
    found: await documentsExaminedBy(
      connection,
      commands.filter((command) => 'find' in command),
    ),
  };
}

const choices = (type: RecordType) => choicesOf(type);
const references = (type: RecordType) =>
  type.fields.filter(({ kind, name }) => filterNames(type).includes(name) && (kind === 'person' || name === 'team'));

const pairs = typesWithAdded.flatMap((type) => [
  ...choices(type).flatMap((one, n) =>
    choices(type)
      .slice(n + 1)
      .map((other) => [`${one.name} and ${other.name} of ${type.plural}`, type, one, other] as const),
  ),
  ...references(type).flatMap((one) =>
    choices(type)
      .filter(({ kind, required }) => kind === 'choice' && required)
      .map((other) => [`${one.name} and ${other.name} of ${type.plural}`, type, one, other] as const),
  ),
]);

describe.each(pairs)('%s', (_name, type, one, other) => {
  test.each([
    ['by id', byId],
    ['by another order', lastFirst],
  ])('values that never meet are found out without reading documents, %s', async (_order, order) => {
    const { ids, documents } = await listed(type, [condition(one, 'even'), condition(other, 'odd')], order);
    expect(ids).toEqual([]);
    expect(documents).toBe(0);
  });

  test('values that meet often are read in order, and no more of them than the page has', async () => {
    const { ids, documents } = await listed(type, [condition(one, 'odd'), condition(other, 'odd')]);
    expect(ids).toEqual(Array.from({ length: 21 }, (_none, n) => 2 * n + 1));
    expect(documents).toBeLessThanOrEqual(21 * 2 + 2);
  });
});

test.each(typesWithAdded.map((type) => [type.plural, type] as const))(
  '%s: one value of each filter, and of each pair of choices, is few enough ranges to be merged',
  (_plural, type) => {
    const rangesOf = (...fields: readonly Field[]): number[] =>
      partsOfSelection(type, {
        ...everything,
        conditions: fields.map(({ name }) => ({ property: name, in: [1] })),
      }).map(({ ranges }) => ranges);
    const single = type.fields.filter(({ name }) => filterNames(type).includes(name)).map((field) => rangesOf(field));
    const double = choices(type).flatMap((one) =>
      choices(type)
        .filter((other) => other !== one)
        .map((other) => rangesOf(one, other)),
    );
    for (const ranges of [...single, ...double]) expect(ranges).toHaveLength(1);
    expect(Math.max(...single.flat(), ...double.flat())).toBeLessThanOrEqual(90);
    expect(mostRanges).toBe(200);
  },
);

test('what one person owns is narrowed by status and category without reading the rest', async () => {
  const [category, status] = ['category', 'status'].map((name) => request.fields.find((field) => field.name === name));
  for (const field of [category, status])
    for (const [selection, owned] of [
      [everything, [{ property: 'owners', in: [1] }]],
      [{ ...everything, reach: { who: 1, partners: [] } }, []],
    ] as const) {
      const { ids, documents } = await listed(request, [...owned, condition(field!, 'odd')], byId, selection);
      expect(ids).toEqual([]);
      expect(documents).toBe(0);
    }
});

test.each(choices(request).map((field) => [field.name, field] as const))(
  'all but one value of %s, which are too many ranges to be merged, are read in order',
  async (_name, field) => {
    const { ids, found } = await listed(request, [{ property: field.name, notIn: [valueIn(field, 2)] } as never]);
    expect(ids).toEqual(Array.from({ length: 21 }, (_none, n) => 2 * n + 1));
    expect(found).toBeLessThanOrEqual(21 * 2 + 2);
  },
);

test('a page of all but one value of a choice reads hardly more records than it has', async () => {
  const [field] = choices(request);
  const conditions = [{ property: field!.name, notIn: [valueIn(field!, 2)] as never }];
  const repository = createRecordRepository(connection, request);
  let ids: readonly number[] = [];
  const search = async () => {
    const { records } = await repository.page('wdc', { ...everything, conditions }, { order: byId, limit: 21 });
    ids = records.map(({ id }) => id);
  };
  const sent = await sentBy(connection, [
    exercise<{ search(): Promise<unknown> }>('createRecordRepository', { search }, { search: (one) => one.search() }),
  ]);
  expect(ids).toEqual(Array.from({ length: 21 }, (_none, n) => 2 * n + 1));
  // Its matches are counted once, up to a limit; then it looks at the first hundred records, and loads those it returns.
  const [count, first, loaded] = sent.map(({ command }) => command);
  expect(sent).toHaveLength(3);
  expect(JSON.stringify(count)).toContain('$sum');
  expect(first!['pipeline']).toContainEqual({ $limit: 100 });
  expect(await documentsExaminedBy(connection, [loaded!])).toBe(21);
});

test('of some records named by their ids, only these are read for another filter', async () => {
  const [category] = choices(request);
  const named = { property: 'id', in: [4_000, 4_001, 4_002] };
  const { ids, found } = await listed(request, [condition(category!, 'odd'), named]);
  expect(ids).toEqual([4_001]);
  expect(found).toBeLessThan(20);
});

test('the values of open choices exclude no record', async () => {
  for (const type of typesWithAdded)
    for (const choice of choices(type)) {
      const all = { ...everything, conditions: [{ property: choice.name, in: valuesOf(choice) }] };
      expect(await createRecordRepository(connection, type).count('wdc', all)).toBe(count);
    }
});
