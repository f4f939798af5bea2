import { createServer } from 'node:http';
import request from 'supertest';
import { authorizeQuery, challenge, formTokenIn, openBrowser, signIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import type { Auth } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

/** Prepares a filled-in sign-in form; returns a function that sends it. */
async function prepare(
  person: { readonly email: string; readonly password: string },
  ip: string,
  browser = openBrowser(auth),
) {
  const fields = { form_token: formTokenIn(await browser.get('/oauth/sign-in')), ...person };
  return () => browser.post('/oauth/sign-in').set('X-Forwarded-For', ip).type('form').send(fields);
}

const times = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

test('forty colleagues behind one address sign in concurrently', async () => {
  const { accountId } = await seedPerson(auth);
  const forms = await times(40, async () => prepare(await seedPerson(auth, { accountId }), '198.51.100.1'));
  expect(new Set(await Promise.all(forms.map(async (send) => (await send()).status)))).toEqual(new Set([303]));
});

test('a right sign-in is answered soon while 150 from 15 addresses wait', async () => {
  const person = await seedPerson(auth);
  const wrong = (n: number) => ({ email: `nobody${n}@greedy.example`, password: 'wrong' });
  const forms = await times(150, (n) => prepare(wrong(n), `198.51.101.${1 + (n % 15)}`));
  const send = await prepare(person, '198.51.102.1');
  let answered = 0;
  const flood = forms.map(async (post) => {
    expect((await post()).status).toBe(401);
    answered += 1;
  });
  expect((await send()).status).toBe(303);
  expect(answered).toBeLessThan(75);
  await Promise.all(flood);
});

test('a queued attempt is dropped when its client has disconnected', async () => {
  const refused = (): number => auth.log.filter((line) => line.includes('sign-in refused')).length;
  const before = refused();
  const server = createServer(auth.app.http).listen(0);
  const leaving = (n: number) => ({ email: `leaving${n}@greedy.example`, password: 'wrong' });
  const forms = await times(100, (n) => prepare(leaving(n), `198.51.103.${1 + (n % 10)}`, request.agent(server)));
  const posts = forms.map((post) => post());
  const answers = posts.map((post) => post.catch(() => 'nobody waits'));
  await Promise.race(answers);
  for (const post of posts) post.abort();
  const person = await seedPerson(auth);
  // It is queued after all waiting attempts of its network.
  expect((await (await prepare(person, '198.51.103.10'))()).status).toBe(303);
  expect(refused() - before).toBeLessThan(50);
  server.close();
});

test('an authorization request is decided soon while 60 of another network wait', async () => {
  const person = await seedPerson(auth);
  const query = authorizeQuery(await seedApplication(auth, person.accountId), challenge);
  const server = createServer(auth.app.http).listen(0);
  const busy = request.agent(server);
  await signIn(busy, person);
  const decide = (browser: Browser, ip: string) =>
    browser.get('/oauth/authorize').query(query).set('X-Forwarded-For', ip);
  let answered = 0;
  // A consent for each request takes longest.
  const flood = Array.from({ length: 60 }, async () => {
    expect((await decide(busy, '198.51.104.1')).status).toBe(302);
    answered += 1;
  });
  let atArrival = 0;
  server.on('request', ({ headers }) => {
    if (headers['x-forwarded-for'] === '198.51.104.2') atArrival = answered;
  });
  expect((await decide(request.agent(server), '198.51.104.2')).status).toBe(302);
  expect(answered - atArrival).toBeLessThan(15);
  await Promise.all(flood);
  server.close();
});
