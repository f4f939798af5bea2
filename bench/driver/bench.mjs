// The effect of MongoDB driver options on the commands of a grant: one client per option in one process, in short
// turns.
import { createRequire } from 'node:module';
import { drive, median } from '../measure.mjs';
import { storeOf } from '../stores.mjs';

const load = createRequire(import.meta.url);
const { MongoClient } = createRequire(load.resolve('mongoose'))('mongodb');

const atOnce = 8;
const inTurn = 80;
const durable = { writeConcern: { w: 'majority', j: true } };

/** The options of `connectMongo`. */
const usual = { maxPoolSize: 50, heartbeatFrequencyMS: 2_000, socketTimeoutMS: 20_000 };
const variants = {
  'as it is': {},
  'as it is, once more': {},
  'enableUtf8Validation: false': { enableUtf8Validation: false },
  'serverApi: 1': { serverApi: '1' },
  'maxPoolSize: 8': { maxPoolSize: 8 },
  'maxPoolSize: 2': { maxPoolSize: 2 },
  'promoteValues: false': { promoteValues: false },
  'monitorCommands: true': { monitorCommands: true },
  'compressors: zlib': { compressors: ['zlib'] },
  'retryWrites: false': { retryWrites: false },
  'retryReads: false': { retryReads: false },
};

const family = {
  grant: { familyId: 'f'.repeat(36), accountId: 'bench', personId: 1, applicationId: 1, clientId: 'c'.repeat(30) },
  code: { digest: 'd'.repeat(43), redirectUri: 'https://client.example/callback', challenge: null, usedAt: null },
  createdAt: new Date(),
  expiresAt: new Date(Date.now() + 86_400_000),
  revokedAt: null,
};

/** The commands of a grant: a read with two joins, a conditional write and an insert. */
async function grant(collection, number) {
  const id = `${number % 1_000}`;
  await collection
    .aggregate([
      { $match: { _id: id } },
      { $lookup: { from: collection.collectionName, localField: '_id', foreignField: '_id', as: 'person' } },
      { $lookup: { from: collection.collectionName, localField: '_id', foreignField: '_id', as: 'application' } },
    ])
    .toArray();
  await collection.updateOne({ _id: id, revokedAt: null }, { $set: { 'code.usedAt': new Date() } }, durable);
  await collection.insertMany([{ ...family, _id: `${collection.collectionName} ${number}` }], durable);
}

export async function run(options) {
  const given = options.find((one) => one.startsWith('--rounds='))?.slice('--rounds='.length);
  const rounds = Number(given ?? 20);
  const store = await storeOf(options);
  const sides = [];
  for (const [name, option] of Object.entries(variants)) {
    const client = await new MongoClient(await store.url('driver'), { ...usual, ...option }).connect();
    client.on('commandStarted', () => {});
    const collection = client.db('driver').collection(`grants${sides.length}`);
    await collection.insertMany(Array.from({ length: 1_000 }, (_, id) => ({ ...family, _id: `${id}` })));
    sides.push({ name, client, collection, done: 0, own: [], stored: [] });
  }
  for (let round = 0; round <= rounds; round += 1)
    for (const side of sides) {
      const numbers = Array.from({ length: inTurn }, () => 1_000 + side.done++);
      const [cpu, store0] = [process.cpuUsage(), store.cpu()];
      await drive(numbers, atOnce, (number) => grant(side.collection, number));
      const { user, system } = process.cpuUsage(cpu);
      if (round === 0) continue;
      side.own.push((user + system) / inTurn);
      side.stored.push((store.cpu() - store0) / inTurn);
    }
  const [{ own, stored }] = sides;
  /** Compared with the turn beside it, so that background load affects both. */
  const ratio = (all, first) => median(all.map((one, round) => one / first[round])).toFixed(2);
  const show = (line) => process.stdout.write(`${line}\n`);
  show('| option | driver | of as it is | MongoDB | of as it is |\n|---|---|---|---|---|');
  for (const side of sides) {
    const [mine, theirs] = [side.own, side.stored].map((all) => `${median(all).toFixed(0)} µs`);
    show(`| \`${side.name}\` | ${mine} | ${ratio(side.own, own)} | ${theirs} | ${ratio(side.stored, stored)} |`);
  }
  for (const { client } of sides) await client.close();
  store.stop();
}
