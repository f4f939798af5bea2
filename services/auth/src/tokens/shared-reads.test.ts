import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connectMongo } from '@itsm/shared/stores/mongo/connect-mongo';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import type { Connection } from 'mongoose';
import { obtainCode, openSignedIn } from '../testing/browser';
import { bodyIn, introspect, pairIn, redeem, refresh } from '../testing/client';
import type { Auth, SeededApplication } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';

/** The collections that were read. */
const reads: string[] = [];
/** While it is there no read ends. */
let gate: Promise<void> | undefined;

/** The same connection, on which reads wait for the gate. */
function held(connection: Connection): Connection {
  const collectionOf = connection.collection.bind(connection);
  const known = new Set<unknown>();
  const collection = ((name: string) => {
    const found = collectionOf(name);
    if (known.has(found)) return found;
    known.add(found);
    const aggregate = found.aggregate.bind(found);
    found.aggregate = ((...given: Parameters<typeof aggregate>) => {
      reads.push(name);
      const cursor = aggregate(...given);
      const toArray = cursor.toArray.bind(cursor);
      cursor.toArray = async () => {
        await gate;
        return toArray();
      };
      return cursor;
    }) as typeof found.aggregate;
    return found;
  }) as typeof connection.collection;
  return Object.assign(connection, { collection });
}

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start({ connect: async (url) => held(await connectMongo(url)) });
});
afterAll(() => store.close());

async function seed() {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, {
    grantTypes: ['authorization_code', 'refresh_token'],
  });
  const browser = await openSignedIn(auth, person);
  const pairs = [
    pairIn(await redeem(auth, application, await obtainCode(browser, application))),
    pairIn(await redeem(auth, application, await obtainCode(browser, application))),
  ];
  return { person, application, browser, pairs };
}

const ask = (path: string, { clientId, clientSecret }: SeededApplication, token: string) =>
  auth.http.post(path).type('form').send({ client_id: clientId, client_secret: clientSecret, token });

/** Sends so many requests, of which the first reads end when all have come. */
async function together<T>(count: number, send: (n: number) => Promise<T>): Promise<T[]> {
  reads.length = 0;
  let come = 0;
  const note = (): void => void (come += 1);
  let open = (): void => undefined;
  gate = new Promise((resolve) => (open = resolve));
  subscribe('http.server.request.start', note);
  const answers = Promise.all(Array.from({ length: count }, (_, n) => send(n)));
  await waitUntil('all to come', () => come === count);
  unsubscribe('http.server.request.start', note);
  gate = undefined;
  open();
  return answers;
}

const isActive = async (application: SeededApplication, token: string): Promise<unknown> =>
  (bodyIn(await ask('/oauth/introspect', application, token).expect(200)) as { active: boolean }).active;

test('introspections of clients at the same time share reads, and each client sees its own tokens alone', async () => {
  const [one, other] = [await seed(), await seed()];
  const both = [one, other];
  // In turns: what comes next to each other shares a read.
  const questions = both.flatMap(({ application }) =>
    [0, 1].flatMap((index) =>
      both.map((owner) => ({
        application,
        token: owner.pairs[index]!.access_token,
        own: owner.application === application,
      })),
    ),
  );
  const all = Array.from({ length: 5 }, () => questions).flat();
  const answers = await together(all.length, (n) => isActive(all[n]!.application, all[n]!.token));
  expect(answers).toEqual(all.map(({ own }) => own));
  expect(reads.length).toBeLessThan(all.length);
});

test('a name that no client can have is not looked up, so that it makes no read long that others share', async () => {
  reads.length = 0;
  const invented = { clientId: 'x'.repeat(60_000), clientSecret: 'x' } as SeededApplication;
  await ask('/oauth/introspect', invented, 'x').expect(400);
  expect(reads).toEqual([]);
});

test('introspections of the gateway at the same time share reads, and each token gets its own answer', async () => {
  const [one, other] = [await seed(), await seed()];
  const all = Array.from({ length: 10 }, () => [one, other]).flat();
  const found = await together(all.length, (n) => introspect(auth, all[n]!.pairs[n % 2]!.access_token));
  expect(found.map(({ claims }) => claims['sub'])).toEqual(all.map(({ person }) => String(person.id)));
  expect(reads.length).toBeLessThan(all.length);
});

test('codes and refresh tokens that come at the same time are each exchanged for their own tokens', async () => {
  const [one, other] = [await seed(), await seed()];
  const codes = await Promise.all([one, other].map(({ browser, application }) => obtainCode(browser, application)));
  const [redeemed, refreshed] = await Promise.all([
    Promise.all([one, other].map(({ application }, index) => redeem(auth, application, codes[index] ?? ''))),
    Promise.all([one, other].map(({ application, pairs }) => refresh(auth, application, pairs[0]!.refresh_token))),
  ]);
  for (const answers of [redeemed, refreshed]) {
    const subs = await Promise.all(
      answers.map(async (answer) => (await introspect(auth, pairIn(answer).access_token)).claims['sub']),
    );
    expect(subs).toEqual([String(one.person.id), String(other.person.id)]);
  }
});

test('the code of one client is unknown to another that asks at the same time', async () => {
  const [one, other] = [await seed(), await seed()];
  const code = await obtainCode(one.browser, one.application);
  const [own, foreign] = await Promise.all([
    redeem(auth, one.application, code),
    redeem(auth, other.application, code),
  ]);
  expect([own.status, foreign.status]).toEqual([200, 400]);
});

test('what was revoked before an introspection began is inactive, however many others are being answered', async () => {
  const { application, pairs } = await seed();
  const [revoked, kept] = pairs;
  let over = false;
  const keepOn = async (look: () => Promise<unknown>) => {
    while (!over) await look();
  };
  const crowd = [
    ...Array.from({ length: 8 }, () => keepOn(() => introspect(auth, kept!.access_token))),
    keepOn(() => introspect(auth, revoked!.access_token)),
    keepOn(() => isActive(application, revoked!.access_token)),
  ];
  try {
    expect(await isActive(application, revoked!.access_token)).toBe(true);
    await ask('/oauth/revoke', application, revoked!.refresh_token).expect(200);
    const after = Array.from({ length: 10 }, async () => [
      (await introspect(auth, revoked!.access_token)).active,
      await isActive(application, revoked!.access_token),
    ]);
    expect((await Promise.all(after)).flat()).toEqual(Array.from({ length: 20 }, () => false));
    expect((await introspect(auth, kept!.access_token)).active).toBe(true);
  } finally {
    over = true;
    await Promise.all(crowd);
  }
});
