import { createIncrementalCopy, fetchWhileOthersWrite } from '@itsm/shared/testing/incremental-copy';
import { headersOf } from '../testing/caller';
import type { Auth } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';

const seed = Number(process.env['SEED'] ?? 1);

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

test('a copy of people misses nothing while others write, those of the directory account neither', async () => {
  const parent = await seedPerson(auth);
  const own = await seedPerson(auth);
  await auth.app.operator.ensureAccount({ id: own.accountId, name: 'Child', directoryAccountId: parent.accountId });
  const [headers, above] = [await headersOf(auth, own), await headersOf(auth, parent)];
  const overlap = 1_000;
  const get = (path: string) => auth.http.get(path).set(headers).expect(200);
  const copy = createIncrementalCopy({ get, path: '/v1/people', perPage: 3, overlap });
  const made: { readonly id: number; readonly by: typeof headers }[] = [];
  async function write(random: (most: number) => number): Promise<void> {
    const one = made[random(made.length + 3)];
    const name = `Name ${random(1_000)}`;
    if (one) {
      const changes = random(3) === 0 ? { disabled: random(2) === 0 } : { name };
      await auth.http.patch(`/v1/people/${one.id}`).set(one.by).send(changes).expect(200);
      return;
    }
    const by = random(2) === 0 ? headers : above;
    const given = { name, primary_email: `person.${made.length}@sync.example` };
    const { body } = await auth.http.post('/v1/people').set(by).send(given).expect(201);
    made.push({ id: (body as { id: number }).id, by });
  }
  const pass = (milliseconds: number): void => void (auth.clock.offset += milliseconds);
  const pages = await fetchWhileOthersWrite(copy, { late: overlap, pass, now: auth.now, write }, { seed, rounds: 15 });
  expect(made.length).toBeGreaterThan(5);
  expect(Math.max(...pages)).toBeGreaterThan(1);
  const { body } = await get('/v1/people?fields=*&per_page=100');
  expect(copy.rows).toEqual(new Map((body as { id: number }[]).map((row) => [row.id, row])));
});
