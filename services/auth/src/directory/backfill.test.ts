import { createBackfill } from './backfill.service';
import { createBackfillRepository } from './backfill.repository';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { createRepositories } from '../testing/repositories';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import type { Auth } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

/** Starts a service with three accounts of two people each, all published once. */
async function seed() {
  const auth = await store.start();
  for (let n = 0; n < 3; n += 1) {
    const { accountId } = await seedPerson(auth);
    await seedPerson(auth, { accountId });
  }
  await waitUntil(
    'the first messages',
    () => auth.published.accounts.length === 3 && auth.published.people.length === 6,
  );
  const first = { accounts: [...auth.published.accounts], people: [...auth.published.people] };
  return { auth, first, forget: () => void (auth.published.accounts.splice(0), auth.published.people.splice(0)) };
}

const sorted = ({ published }: Auth) => ({
  accounts: [...published.accounts].sort((a, b) => a.id.localeCompare(b.id)),
  people: [...published.people].sort((a, b) => a.id - b.id),
});

test.each([1, 2, 3, 200])(
  'in batches of %i everybody is published as they are, the same every time',
  async (batchSize) => {
    const { auth, first, forget } = await seed();
    const expected = {
      accounts: first.accounts.sort((a, b) => a.id.localeCompare(b.id)),
      people: first.people.sort((a, b) => a.id - b.id),
    };
    for (let run = 0; run < 2; run += 1) {
      forget();
      expect(await auth.app.operator.backfill({ batchSize })).toEqual({ accounts: 3, people: 6 });
      expect(sorted(auth)).toEqual(expected);
    }
    expect(await auth.connection.collection('backfills').countDocuments()).toBe(0);
  },
);

test('an interrupted run resumes after its last full batch, and starts over with `restart`', async () => {
  const { auth } = await seed();
  const repositories = createRepositories(auth.connection, createSealer([Buffer.alloc(32, 7)]));
  const backfills = createBackfillRepository(auth.connection);
  let left = 5;
  const broker = { publish: () => Promise.resolve() };
  const breaking = createBackfill({
    ...repositories,
    backfills,
    broker: {
      publish: () => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('the broker is gone')) : broker.publish();
      },
    },
  });
  await expect(breaking({ batchSize: 2 })).rejects.toThrow('the broker is gone');
  const whole = createBackfill({ ...repositories, backfills, broker });
  expect(await whole({ batchSize: 2 })).toEqual({ accounts: 0, people: 4 });
  left = 2;
  await expect(breaking({ batchSize: 2 })).rejects.toThrow('the broker is gone');
  expect(await whole({ batchSize: 2, restart: true })).toEqual({ accounts: 3, people: 6 });
});
