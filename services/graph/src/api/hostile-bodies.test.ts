import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import type { Field } from '@itsm/shared/declared/language';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import fc from 'fast-check';
import { recordTypes } from '../record-types/all';
import { titleField } from '../record-types/record';
import type { RecordType } from '../record-types/record-type';
import { filesName, textsOf } from '../record-types/texts';
import { columnName } from '../write/record.input';
import { restName } from '@itsm/shared/declared/names';
import { nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

/** Bodies for each type and method; `HOSTILE_BODIES=10000` for a long run. */
const count = Number(process.env['HOSTILE_BODIES'] ?? 60);
const seed = Number(process.env['SEED'] ?? 1);

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let admin: Client;
/** Number of a team and of a person of another account. */
let foreignTeam: number;
const foreignPerson = 9;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  admin = graph.as('account_administrator', { sub: '2', name: 'Ada' });
  await graph.publishPerson({ id: 2, name: 'Ada' });
  await graph.publishPerson({ id: foreignPerson, accountId: 'acme', name: 'Eve' });
  const stranger = graph.as('account_administrator', { sub: '9', home: 'acme' }, 'acme');
  const { body } = await stranger.rest('post', '/v1/teams', { name: 'Theirs' }).expect(201);
  foreignTeam = (body as { id: number }).id;
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

interface Hostile {
  readonly what: string;
  readonly type: 'json' | 'form';
  readonly body: string | Buffer;
  readonly status: 400 | 422;
  /** The member that a 422 names. */
  readonly member?: string;
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
/** Objects that JavaScript cannot make a text of, and deep ones. */
const objects = ['{"toString":1}', '{"x":{"__proto__":{"a":1}}}', nested(400), '[[1]]', '[null]', '[{"valueOf":2}]'];

/** JSON texts of values that no field of the kind takes. */
function wrongValues(field: Field): readonly string[] {
  switch (field.kind) {
    case 'text':
      return [...objects, '1', 'true', JSON.stringify('ü'.repeat(field.maxLength + 1))];
    case 'choice':
      return [...objects, '1', 'true', '"no_such_choice"', '"__proto__"'];
    case 'flag':
      return [...objects, '1', '"yes"'];
    case 'integer':
      return [...objects, 'true', '-1', '1.5', '1e300', '"many"', '"1e3"', String(field.max + 1)];
    case 'timestamp':
    case 'date':
      return [...objects, '1', 'true', '"yesterday"', '"2026-02-30"', '"99999999999999"'];
    case 'account':
      return [...objects, '1', 'true', '"nobody-there"', '"../wdc"', '"$ne"'];
    case 'person':
    case 'record':
      return [...foreign(field), ...objects, 'true', '-1', '1.5', '1e21', '99999999', '"x"', '{"$gt":0}'];
    case 'reference':
      return [...foreign(field), ...objects, 'true', '-1', '1.5', '99999999', '"x"', '{"$gt":0}'];
    case 'custom':
      return [
        ...objects.filter((one) => one !== '[[1]]'),
        '1',
        'true',
        '"x"',
        '[1]',
        '[{"id":1}]',
        '[{"id":"a","x":1}]',
        '[{"$gt":0}]',
      ];
    case 'people':
      return [...objects, 'true', '1', '"x"', `[2,${foreignPerson}]`, `[${'2,'.repeat(500)}2]`, '[{"$gt":0}]'];
  }
}

/** Ids of another account, and of another type. */
const foreign = (field: Field): readonly string[] =>
  field.kind === 'record' && field.to.name === 'team'
    ? [String(foreignTeam), JSON.stringify(nodeId('Team', foreignTeam))]
    : [JSON.stringify(nodeId('Person', foreignPerson)), JSON.stringify(nodeId('Account', 'wdc'))];

/** JSON texts of what no text takes as its files. */
const wrongFiles: readonly string[] = [
  ...objects.filter((one) => one !== '[]'),
  '1',
  'true',
  '"x"',
  '"[1]"',
  '[{}]',
  '[{"key":1}]',
  '[{"key":{"$ne":""}}]',
  '[{"key":"a","__proto__":{"b":1}}]',
  '[{"key":"a","_destroy":1}]',
  '[{"key":"a","size":-1}]',
  '[{"key":"a"},{"key":"a"}]',
  `[{"key":"attachments/acme/9/mabc1234-${'0'.repeat(32)}/a.txt"}]`,
  `[{"key":"attachments/wdc/2/mabc1234-${'0'.repeat(32)}/a.txt","_destroy":true}]`,
  JSON.stringify(Array.from({ length: 51 }, (_none, n) => ({ key: `${n}` }))),
];

/** A body that one mistake spoils, for a record that all else would be right for. */
function hostileBodies(type: RecordType, right: Readonly<Record<string, unknown>>): fc.Arbitrary<Hostile> {
  const fields = type.fields.filter(({ written }) => !written);
  const names = fields.map(columnName);
  const others = JSON.stringify(right).slice(1, -1);
  // Last, since of a member that is given twice the last counts.
  const bodyWith = (members: string): fc.Arbitrary<string> => fc.constant(`{${others},${members}}`);
  const named = (member: string, body: fc.Arbitrary<string>, what: string): fc.Arbitrary<Hostile> =>
    body.map((text) => ({ what, type: 'json', body: text, status: 422, member }));
  const broken = (what: string, bodies: fc.Arbitrary<string | Buffer>, form: Hostile['type'] = 'json') =>
    bodies.map((body): Hostile => ({ what, type: form, body, status: 400 }));
  const key = fc.constantFrom(...names);
  const texts = textsOf(type).map((field) => restName(filesName(field)));
  return fc.oneof(
    fc
      .tuple(fc.constantFrom(...texts), fc.constantFrom(...wrongFiles))
      .chain(([member, value]) => named(member, bodyWith(`"${member}":${value}`), 'wrong files')),
    fc.constantFrom(...fields).chain((field) =>
      fc
        .constantFrom(...wrongValues(field))
        // What is said twice counts as it is said last.
        .chain((value) =>
          fc.constantFrom(
            `"${columnName(field)}":${value}`,
            `"${columnName(field)}":null,"${columnName(field)}":${value}`,
          ),
        )
        .chain((members) => named(columnName(field), fc.constant(`{${others},${members}}`), `a wrong ${field.kind}`)),
    ),
    fc
      .constantFrom(
        '__proto__',
        'constructor',
        'toString',
        'id',
        'account',
        'version',
        'nodeID',
        'values',
        '$set',
        '',
        'a.b',
      )
      .chain((member) => named(member, bodyWith(`"${member}":{"a":1}`), 'an unknown member')),
    fc
      .constantFrom('\\u0000', '\\u0001', '\\ud800', '\\udc00x', '\\u000b')
      .chain((escape) => key.chain((member) => broken('a refused character', bodyWith(`"${member}":"a${escape}"`)))),
    key.chain((member) => named(member, bodyWith(`"${member}":${nested(10_000)}`), 'a deep value')),
    key.chain((member) =>
      broken(
        'no UTF-8',
        fc
          .constantFrom(0xff, 0xc0, 0xed)
          .map((byte) =>
            Buffer.concat([Buffer.from(`{${others},"${member}":"a`), Buffer.from([byte, 0xa0]), Buffer.from('"}')]),
          ),
      ),
    ),
    broken(
      'no object',
      fc.constantFrom(
        '[]',
        '[{}]',
        '"x"',
        '1',
        'null',
        'true',
        `{${others}`,
        `{${others}},`,
        `{'a':1}`,
        nested(10_000),
      ),
    ),
    key.chain((member) => broken('a repeated field', fc.constant(`${member}=a&x=1&${member}=b`), 'form')),
    broken('no percent-encoding', fc.constantFrom('a=%E0%A4%A', 'a=%FF', '%80=1'), 'form'),
    fc.constantFrom('a.b', 'x[]', 'x[y]', '__proto__', ' ').map((name): Hostile => ({
      what: 'an unknown field',
      type: 'form',
      body: `${encodeURIComponent(name)}=1`,
      status: 422,
      member: name,
    })),
  );
}

const documents = (type: RecordType) =>
  Promise.all([type.plural, 'notes', 'audit_lines'].map((name) => graph.connection.collection(name).countDocuments()));

/** Members that a record of the type needs. */
async function needed(type: RecordType): Promise<Record<string, unknown>> {
  const members: Record<string, unknown> = { [titleField(type)]: 'x' };
  for (const field of type.fields)
    if (field.required && field.kind === 'record') {
      const { body } = await admin.rest('post', `/v1/${field.to.plural}`, { subject: 'x' }).expect(201);
      members[columnName(field)] = (body as { id: number }).id;
    }
  return members;
}

test.each(recordTypes.map((type) => [type.name, type] as const))(
  'a hostile body writes nothing of a %s, and is refused with the member that is wrong',
  async (_name, type) => {
    const right = await needed(type);
    const path = `/v1/${type.plural}`;
    const { body: made } = await admin.rest('post', path, right).expect(201);
    const own = `${path}/${(made as { id: number }).id}`;
    const before = [await documents(type), (await admin.get(own)).text];
    const ways = [
      ['post', path],
      ['patch', own],
      ['put', own],
    ] as const;
    await fc.assert(
      fc.asyncProperty(hostileBodies(type, right), fc.constantFrom(...ways), async (hostile, [method, at]) => {
        const answer = await admin
          .rest(method, at, undefined)
          .type(hostile.type)
          // As it is: a buffer would be sent as JSON.
          .serialize((body) => body as string)
          .send(hostile.body as string);
        const { message, errors = [] } = answer.body as { message: string; errors?: [string, string][] };
        expect([hostile.what, answer.status]).toEqual([hostile.what, hostile.status]);
        expect(message).toMatch(hostile.status === 422 ? /^Validation Failed$/ : /./);
        if (hostile.member === undefined) return;
        expect(errors.map(([member]) => member)).toContain(hostile.member);
        expect(errors.every(([, text]) => text.length > 5)).toBe(true);
      }),
      { numRuns: count, seed },
    );
    expect([await documents(type), (await admin.get(own)).text]).toEqual(before);
  },
);
