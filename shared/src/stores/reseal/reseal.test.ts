import { randomBytes, randomUUID } from 'node:crypto';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import type { Connection } from 'mongoose';
import { connectPatiently } from '../../testing/connect-patiently';
import { reseal } from './reseal';
import type { KeyRing, SealedPlace } from './reseal';
import { presentResealed } from '../../running/run-reseal';
import { createSealer } from '../../base/secrets/sealer';

interface Note {
  readonly _id: number;
  readonly title: string;
  readonly revision: number;
  readonly lines: readonly { readonly text: string }[];
}

const [oldKey, newKey, lostKey] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const ring: KeyRing = [newKey, oldKey];
const [old, renewed, lost] = [createSealer([oldKey]), createSealer([newKey]), createSealer([lostKey])];

const titles: SealedPlace<Note> = {
  collection: 'notes',
  members: ['title'],
  textsIn: ({ _id, title }) => [
    { path: 'title', sealed: title, context: `title ${_id}`, derived: (text) => ({ length: String(text.length) }) },
  ],
  revision: 'revision',
};
const lines: SealedPlace<Note> = {
  collection: 'notes',
  members: ['lines'],
  textsIn: (note) =>
    note.lines.map(({ text }, at) => ({ path: `lines.${at}.text`, sealed: text, context: `line ${note._id}` })),
};

let mongo: EmbeddedMongo;
let connection: Connection;
beforeAll(async () => {
  mongo = await startEmbeddedMongo();
});
beforeEach(async () => {
  connection = await connectPatiently(mongo.urlOf(`d${randomUUID().slice(0, 8)}`));
});
afterEach(() => connection.close());
afterAll(() => mongo.close());

const notes = () => connection.collection<Note>('notes');
const stored = async (id: number) => (await notes().findOne({ _id: id }))!;

/** A document under the old key: a title, and as many of ten lines as its number. */
const note = (id: number): Note => ({
  _id: id,
  revision: 1,
  title: old.seal(`title of ${id}`, `title ${id}`),
  lines: Array.from({ length: id % 10 }, (_none, at) => ({ text: old.seal(`line ${at}`, `line ${id}`) })),
});

async function run(places: readonly SealedPlace[] = [titles, lines], keys = ring) {
  const said: string[] = [];
  const resealed = await reseal({ connection, keys, places, say: (line) => said.push(line), progressEvery: 200 });
  return { ...resealed, said, sentence: presentResealed(resealed, keys) };
}

test('afterwards the first key alone opens everything, for any batch size, and a second run finds nothing', async () => {
  const count = 230;
  await notes().insertMany(Array.from({ length: count }, (_none, at) => note(at + 1)));
  const texts = count + Array.from({ length: count }, (_none, at) => (at + 1) % 10).reduce((sum, n) => sum + n, 0);
  expect(await run()).toMatchObject({
    resealed: texts,
    remaining: new Map(),
    sentence: `Re-encrypted with the key ${renewed.keyIds[0]}: ${texts}. Nothing is sealed with another key.`,
  });
  for (const { _id, title, lines: own, ...rest } of await notes().find().toArray()) {
    const text = `title of ${_id}`;
    expect(renewed.open(title, `title ${_id}`)).toBe(text);
    expect(own.map((line) => renewed.open(line.text, `line ${_id}`))).toEqual(own.map((_line, at) => `line ${at}`));
    expect(rest).toEqual({ revision: 2, length: String(text.length) });
  }
  const before = await notes().find().toArray();
  expect(await run()).toMatchObject({ resealed: 0, remaining: new Map() });
  expect(await notes().find().toArray()).toEqual(before);
});

test('a concurrent save between read and write wins, and is counted', async () => {
  await notes().insertMany([note(1), note(2)]);
  const read = await stored(1);
  const saved = old.seal('saved meanwhile', 'title 1');
  await notes().updateOne({ _id: 1 }, { $set: { title: saved } });
  let reads = 0;
  const late: SealedPlace<Note> = {
    ...titles,
    textsIn: (document) => titles.textsIn(document._id === 1 && reads++ === 0 ? read : document),
  };
  expect(await run([late])).toMatchObject({ resealed: 1, remaining: new Map([[old.keyIds[0], 1]]) });
  expect(await stored(1)).toMatchObject({ title: saved, revision: 1 });
  expect(await run([late])).toMatchObject({ resealed: 1, remaining: new Map() });
  expect(renewed.open((await stored(1)).title, 'title 1')).toBe('saved meanwhile');
});

test('a text that no key of the ring opens stays, and is reported with its key id', async () => {
  const strange = lost.seal('text', 'title 1');
  const moved = old.seal('text', 'title of another');
  await notes().insertMany([
    { ...note(1), title: strange },
    { ...note(2), title: moved },
    { ...note(3), title: renewed.seal('text', 'title 3') },
    note(4),
  ]);
  const { said, sentence, ...counts } = await run([titles]);
  const [oldId, lostId] = [old.keyIds[0], lost.keyIds[0]];
  expect(counts).toEqual({
    resealed: 1,
    remaining: new Map([
      [lostId, 1],
      [oldId, 1],
    ]),
  });
  expect([(await stored(1)).title, (await stored(2)).title]).toEqual([strange, moved]);
  expect(said).toEqual(['notes 2: title does not open and stays as it is']);
  expect(sentence).toBe(
    `Re-encrypted with the key ${renewed.keyIds[0]}: 1. ` +
      `Still sealed with another key: 1 with ${lostId}, which is not in the key ring; 1 with ${oldId}.`,
  );
});

test('a long run reports its progress', async () => {
  const count = 201;
  const texts = Array.from({ length: count }, (_none, at) => ({ _id: at, text: renewed.seal('x', 'x') }));
  await connection.collection<{ _id: number; text: string }>('texts').insertMany(texts);
  const place: SealedPlace<{ _id: number; text: string }> = {
    collection: 'texts',
    members: ['text'],
    textsIn: ({ text }) => [{ path: 'text', sealed: text, context: 'x' }],
  };
  const { said } = await run([place]);
  expect(said).toEqual(['Resealing texts: 200 documents so far', 'Counting texts: 200 documents so far']);
});
