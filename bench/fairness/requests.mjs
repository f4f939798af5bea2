// Requests as created by imports, written directly into the store.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const { request } = load('../../services/graph/dist/record-types/request.js');
const { toDocument } = load('../../services/graph/dist/store/record.document.js');
const { created, newRecord } = load('../../services/graph/dist/write/made-record.js');
const { connectMongo } = load('../../shared/dist/stores/mongo/connect-mongo.js');

/** `wanted` by account: the number, and the ids of the people who request in turn. */
export async function fillRequests(url, wanted) {
  const connection = await connectMongo(url);
  let id = 0;
  for (const [accountId, { count, people }] of Object.entries(wanted)) {
    for (let done = 0; done < count; done += 10_000) {
      const documents = Array.from({ length: Math.min(10_000, count - done) }, () => {
        id += 1;
        const moment = {
          accountId,
          personId: people[id % people.length],
          now: new Date(1_700_000_000_000 + id * 1_000),
        };
        const given = { subject: `Printer ${id} on floor ${id % 40}`, status: 'assigned' };
        return toDocument(request, newRecord(id, created(request, given, moment), moment));
      });
      await connection.collection('requests').insertMany(documents, { ordered: false });
    }
  }
  // The platform goes on with the next number.
  await connection.collection('sequences').updateOne({ _id: request.name }, { $set: { value: id } }, { upsert: true });
  await connection.close();
}
