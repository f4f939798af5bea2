import type { Field } from '@itsm/shared/declared/language';
import { inputName, restName } from '@itsm/shared/declared/names';
import fc from 'fast-check';
import type { RecordType } from '../record-types/record-type';
import { filesName, textsOf } from '../record-types/texts';
import { columnName } from '../write/record.input';
import { nodeId } from './start-graph';

/** One value as each edge takes it. */
export interface Given {
  readonly graphql: unknown;
  readonly rest: unknown;
}

/** A value by one edge's name, an equal one by the other's. */
const same = (value: unknown): Given => ({ graphql: value, rest: value });

/** The same id in each of the forms that REST takes. */
const idOf = (type: string, id: number | string): fc.Arbitrary<Given> => {
  const graphql = nodeId(type, id);
  return fc.constantFrom(id, String(id), graphql).map((rest) => ({ graphql, rest }));
};

const people = (ids: readonly number[]): fc.Arbitrary<Given> =>
  fc.constantFrom<unknown>([...ids], ids.map(String), ids.join(', ')).map((rest) => ({
    graphql: ids.map((id) => nodeId('Person', id)),
    rest: ids.length === 0 && rest === '' ? [] : rest,
  }));

const entry = fc.constantFrom(
  { id: 'floor', value: 3 },
  { id: 'floor', value: '4' },
  { id: 'floor', value: 'high' },
  { id: 'floor', value: null },
  { id: 'kind', value: 'b' },
  { id: 'kind', value: 'none' },
  { id: 'kind' },
  { id: 'why', value: 'So.' },
  { id: 'agreed', value: true },
  { id: 'a.b', value: 'x'.repeat(1_001) },
  { id: '__proto__', value: 'own' },
  { id: 'constructor', value: 'x' },
);

/** Lists of custom fields, for forms 1 and 2 of `start-graph`; a text of JSON is the same in REST. */
const customValues: fc.Arbitrary<Given> = fc
  .array(entry, { maxLength: 4 })
  .chain((list) => fc.constantFrom<unknown>(list, JSON.stringify(list)).map((rest) => ({ graphql: list, rest })));

/** Values of a field: some that it takes, and some that its rules refuse. Records and people up to 3 are there. */
export function valuesOf(field: Field): fc.Arbitrary<Given> {
  switch (field.kind) {
    case 'text':
      return fc.constantFrom(same('one'), same(` two ${field.name} `), same('x'.repeat(field.maxLength + 1)));
    case 'choice':
      return fc.constantFrom(...field.choices.map(same));
    case 'flag':
      return fc.constantFrom(
        same(true),
        same(false),
        { graphql: true, rest: 'true' },
        { graphql: false, rest: 'false' },
      );
    case 'integer':
      return fc.constantFrom(same(field.max), { graphql: 7, rest: '7' }, same(field.max + 1));
    case 'timestamp':
      return fc.constantFrom(same('2026-03-18T19:04:06Z'), same('2026-04-01T00:00:00+02:00'));
    case 'date':
      return fc.constantFrom(same('2026-03-18'), same('2026-04-01'));
    case 'person':
      return fc.constantFrom(2, 3, 999).chain((id) => idOf('Person', id));
    case 'people':
      return fc.constantFrom([2], [3, 2], [], [999]).chain(people);
    case 'account':
      return fc.constantFrom('wdc', 'stranger').chain((id) => idOf('Account', id));
    case 'record':
      return fc.constantFrom(1, 2, 999).chain((id) => idOf(field.to.graphqlName, id));
    case 'reference':
      return fc.constantFrom(1, 2, 999).chain((id) => idOf(field.to.graphqlName, id));
    case 'custom':
      return customValues;
  }
}

const none = fc.constantFrom<Given>({ graphql: null, rest: null }, { graphql: null, rest: '' });

/** Members of an input and of the equal body. */
export interface Members {
  readonly input: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The keys of files that a test has uploaded, for each of them so many. */
export const fileKeys = Array.from(
  { length: 40 },
  (_none, n) => `attachments/wdc/2/mabc1234-${String(n).padStart(32, '0')}/a.txt`,
);

const fileEntry: fc.Arbitrary<Given> = fc
  .tuple(fc.constantFrom(...fileKeys, 'attachments/of/nobody'), fc.constantFrom('add', 'sized', 'wrong', 'away'))
  .map(([key, how]) => {
    if (how === 'away') return { graphql: { key, destroy: true }, rest: { key, _destroy: 'true' } };
    const size = how === 'add' ? undefined : how === 'sized' ? 5 : 6;
    if (size === undefined) return { graphql: { key }, rest: { key, inline: 'false' } };
    return { graphql: { key, size }, rest: { key, filesize: String(size) } };
  });

/** Lists of files of a text; a text of JSON is the same in REST. */
const givenFiles: fc.Arbitrary<Given> = fc.array(fileEntry, { maxLength: 3 }).chain((list) => {
  const graphql = list.map((one) => one.graphql);
  const rest = list.map((one) => one.rest);
  return fc.constantFrom<unknown>(rest, JSON.stringify(rest)).map((given) => ({ graphql, rest: given }));
});

/** Some of a type's members, a note and files among them. */
export const membersOf = (type: RecordType): fc.Arbitrary<Members> =>
  fc
    .subarray([
      ...type.fields.filter(({ written }) => !written).map((field) => oneOf(field)),
      ...textsOf(type).map((field) =>
        givenFiles.map((given) => memberOf(filesName(field), restName(filesName(field)), given)),
      ),
      ...(type.hasNotes
        ? [fc.constantFrom(same('Seen to.'), same('')).map((given) => memberOf('note', 'note', given))]
        : []),
    ])
    .chain((members) => fc.tuple(...members))
    .map((members) => ({
      input: Object.assign({}, ...members.map(({ input }) => input)) as Members['input'],
      body: Object.assign({}, ...members.map(({ body }) => body)) as Members['body'],
    }));

const oneOf = (field: Field): fc.Arbitrary<Members> =>
  fc
    .oneof({ arbitrary: valuesOf(field), weight: 6 }, { arbitrary: none, weight: 1 })
    .map((given) => memberOf(inputName(field), columnName(field), given));

const memberOf = (input: string, column: string, { graphql, rest }: Given): Members => ({
  input: { [input]: graphql },
  body: { [column]: rest },
});

/** A value of the right GraphQL type that is invalid for the field. */
export function badValue(field: Field): unknown {
  switch (field.kind) {
    case 'text':
      return 'x'.repeat(field.maxLength + 1);
    case 'integer':
      return -1;
    case 'person':
    case 'record':
    case 'reference':
      return nodeId('Account', 'wdc');
    case 'custom':
      return [{ id: '' }];
    case 'people':
      return [nodeId('Team', 1)];
    case 'account':
      return nodeId('Account', 'stranger');
    default:
      return undefined;
  }
}
