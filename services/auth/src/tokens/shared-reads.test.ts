import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import { createConnection } from 'mongoose';
import { obtainCode, openSignedIn } from '../testing/browser';
import { bodyIn, introspect, pairIn, redeem, refresh } from '../testing/client';
import type { Auth, SeededApplication } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';
import { createClientStateRepository } from './client-state.repository';
import { createGrantStateRepository } from './grant-state.repository';

/** The collections of the aggregates sent. */
const reads: string[] = [];

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start({
    async connect(url) {
      const options = { monitorCommands: true, bufferCommands: false, autoIndex: false };
      const connection = await createConnection(url, options).asPromise();
      connection.getClient().on('commandStarted', ({ commandName, command }) => {
        if (commandName === 'aggregate') reads.push(String(command['aggregate']));
      });
      return connection;
    },
  });
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

const isActive = async (application: SeededApplication, token: string): Promise<unknown> =>
  (bodyIn(await ask('/oauth/introspect', application, token).expect(200)) as { active: boolean }).active;

test('concurrent introspections of clients each see only the tokens of their client', async () => {
  const [one, other] = [await seed(), await seed()];
  const both = [one, other];
  // Interleaved, because neighbours can share a read.
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
  const answers = await Promise.all(all.map(({ application, token }) => isActive(application, token)));
  expect(answers).toEqual(all.map(({ own }) => own));
});

test('concurrent introspections of the gateway get the answer for their own token', async () => {
  const [one, other] = [await seed(), await seed()];
  const all = Array.from({ length: 10 }, () => [one, other]).flat();
  const tokens = all.map(({ pairs }, index) => pairs[index % 2]!.access_token);
  const found = await Promise.all(tokens.map((token) => introspect(auth, token)));
  expect(found.map(({ claims }) => claims['sub'])).toEqual(all.map(({ person }) => String(person.id)));
});

test('a name that no client can have is not looked up, so that it makes no read long that others share', async () => {
  reads.length = 0;
  const invented = { clientId: 'x'.repeat(60_000), clientSecret: 'x' } as SeededApplication;
  await ask('/oauth/introspect', invented, 'x').expect(400);
  expect(reads).toEqual([]);
});

test('lookups of one turn of the event loop share one read, and each gets its own answer', async () => {
  const all = [await seed(), await seed()];
  const [grants, clients] = [createGrantStateRepository(auth.connection), createClientStateRepository(auth.connection)];
  reads.length = 0;
  const granted = all.map(({ pairs }) => grants.findAccess(digestOf(pairs[0]!.access_token)));
  const unknown = grants.findAccess(digestOf('unknown'));
  const people = (await Promise.all(granted)).map((found) => found?.state.person?.id);
  expect(people).toEqual(all.map(({ person }) => person.id));
  expect(await unknown).toBeUndefined();
  expect(reads).toEqual(['access_tokens']);

  reads.length = 0;
  const states = await Promise.all(
    all.map(({ application, pairs }) =>
      clients.findClient(application.clientId, 'nobody', { secret: pairs[1]!.access_token }),
    ),
  );
  expect(states.map((state) => state?.application.id)).toEqual(all.map(({ application }) => application.id));
  expect(states.map((state) => state?.presented.access?.state.person?.id)).toEqual(all.map(({ person }) => person.id));
  expect(reads).toEqual(['applications']);
});

test('concurrent codes and refresh tokens are each exchanged for their own tokens', async () => {
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

test('the code of one client is unknown to another in the same read', async () => {
  const [one, other] = [await seed(), await seed()];
  const code = await obtainCode(one.browser, one.application);
  const [own, foreign] = await Promise.all([
    redeem(auth, one.application, code),
    redeem(auth, other.application, code),
  ]);
  expect([own.status, foreign.status]).toEqual([200, 400]);
});

test('a token revoked before an introspection is inactive, also in a shared read', async () => {
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
