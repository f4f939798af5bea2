import { MongoClient } from 'mongodb';

/** State in an unbounded map; the peer's own in-memory adapter forgets after 1,000. */
export function mapAdapter() {
  const stored = new Map();
  return (model) => ({
    upsert: async (id, payload) => void stored.set(`${model}:${id}`, payload),
    find: async (id) => stored.get(`${model}:${id}`),
    consume: async (id) => void (stored.get(`${model}:${id}`).consumed = Math.floor(Date.now() / 1000)),
    destroy: async (id) => void stored.delete(`${model}:${id}`),
    revokeByGrantId: async () => {},
  });
}

const open = async (url) => (await MongoClient.connect(url, { writeConcern: { w: 'majority', j: true } })).db('peer');

/** State in MongoDB, as durable as ours: what one would deploy. */
export async function storeAdapter(url) {
  const database = await open(url);
  return (model) => {
    const collection = database.collection(model);
    return {
      upsert: (id, payload) => collection.updateOne({ _id: id }, { $set: { payload } }, { upsert: true }),
      find: async (id) => (await collection.findOne({ _id: id }))?.payload,
      consume: (id) =>
        collection.updateOne({ _id: id }, { $set: { 'payload.consumed': Math.floor(Date.now() / 1000) } }),
      destroy: (id) => collection.deleteOne({ _id: id }),
      revokeByGrantId: async () => {},
    };
  };
}

/** People and a security log in MongoDB. */
export async function openDirectory(url) {
  const database = await open(url);
  const people = database.collection('people');
  const log = database.collection('log');
  await people.createIndex({ accountId: 1, emailKey: 1 }, { unique: true });
  const ada = { accountId: 'bench', name: 'Ada', primaryEmail: 'ada@example.com', emailKey: 'ada@example.com' };
  await people.updateOne({ _id: 'ada' }, { $set: ada }, { upsert: true });
  const toPerson = (found) => found && { id: found._id };
  return {
    find: async (id) => toPerson(await people.findOne({ _id: id })),
    findByEmail: async (email) => toPerson(await people.findOne({ accountId: 'bench', emailKey: email })),
    log: (event, person, { clientId }) => log.insertOne({ event, at: new Date(), personId: person.id, clientId }),
  };
}
