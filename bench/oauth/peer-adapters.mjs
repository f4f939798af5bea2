import { MongoClient } from 'mongodb';

/** State in a map: keeps everything, as the adapter that comes along for trying out does not (it forgets after 1,000). */
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

/** State in MongoDB, written as durably as ours: what one deploys. */
export async function storeAdapter(url) {
  const client = await MongoClient.connect(url, { writeConcern: { w: 'majority', j: true } });
  const database = client.db('peer');
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
