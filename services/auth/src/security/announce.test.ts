import { accountRevision } from '@itsm/shared/stores/coordination/coordination';
import { createMemoryCoordination } from '@itsm/shared/stores/coordination/memory-coordination';
import { systemClock } from '@itsm/shared/base/time/clock';
import { formTokenIn, obtainCode, openSignedIn } from '../testing/browser';
import { pairIn, redeem, refresh } from '../testing/client';
import { callGraph, nodeId } from '../testing/graphql';
import type { Auth } from '../testing/start-auth';
import { everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

/** A coordination store that fails one announcement when a test says so. */
const memory = createMemoryCoordination({ now: systemClock });
const link = { failNext: false };
const coordination = {
  ...memory,
  bump: (revisions: readonly string[]) => {
    const fails = link.failNext;
    link.failNext = false;
    return fails ? Promise.reject(new Error('out of reach')) : memory.bump(revisions);
  },
};

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start({ coordination });
});
afterAll(() => store.close());
afterEach(() => {
  auth.clock.offset = 0;
});

const revisionOf = async (accountId: string) => (await memory.take([], [accountRevision(accountId)])).revisions[0];
const entriesOf = (accountId: string, event: string) =>
  auth.connection.collection('security_log').countDocuments({ accountIds: accountId, event });

async function seed() {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId);
  const browser = await openSignedIn(auth, person);
  const code = await obtainCode(browser, application);
  const pair = pairIn(await redeem(auth, application, code).expect(200));
  return { person, application, browser, code, pair };
}
type Seeded = Awaited<ReturnType<typeof seed>>;

/** The answer to the caller. */
type Reply = Promise<string>;

const graphAnswers = async ({ person }: Seeded, field: string): Reply => {
  const { errors = [] } = await callGraph(auth, person, `mutation { ${field} { errors { message } } }`);
  return errors[0]?.message ?? 'done';
};

const revokeAnswers = async ({ application: { clientId, clientSecret } }: Seeded, token: string): Reply => {
  const form = { client_id: clientId, client_secret: clientSecret, token };
  const { body } = await auth.http.post('/oauth/revoke').type('form').send(form);
  return (body as { error?: string }).error ?? 'done';
};

const errorIn = ({ body }: { body: unknown }): string => (body as { error: string }).error;

/** Sends the same form at each call, as a browser does when a page is reloaded. */
async function formOnProfile({ browser }: Seeded, action: RegExp): Promise<() => Reply> {
  const page = await browser.get('/oauth/profile');
  const form = { form_token: formTokenIn(page) };
  const address = action.exec(page.text)?.[1] ?? 'missing';
  return async () => {
    const { status, text } = await browser.post(address).type('form').send(form);
    return status === 303 ? 'done' : (/<p>(The change is saved[^<]*)<\/p>/.exec(text)?.[1] ?? String(status));
  };
}

/** Calls of the installation itself. */
const operatorAnswers = (act: () => Promise<unknown>) => (): Reply =>
  act().then(
    () => 'done',
    (error: unknown) => String((error as Error).message),
  );

const tokenInput = ({ person }: Seeded) => ({
  personId: person.id,
  name: 'Script',
  scopes: everything,
  expiresAt: new Date(auth.now().getTime() + 3_600_000),
});

interface Cause {
  readonly title: string;
  readonly event: string;
  readonly then: string;
  readonly prepare: (seeded: Seeded) => Promise<() => Reply>;
}

const simple = (act: (seeded: Seeded) => Reply) => (seeded: Seeded) => Promise.resolve(() => act(seeded));
const operator = (act: (seeded: Seeded) => Promise<unknown>) => (seeded: Seeded) =>
  Promise.resolve(operatorAnswers(() => act(seeded)));
const disable = (seeded: Seeded, model: string, id: number | string) =>
  graphAnswers(seeded, `${model}Update(input: { id: "${nodeId(types[model] ?? '', id)}", disabled: true })`);
const types: Partial<Record<string, string>> = {
  person: 'Person',
  oauthApplication: 'OAuthApplication',
  oauthApplicationToken: 'OAuthApplicationToken',
};

const causes: Cause[] = [
  {
    title: 'a replayed code',
    event: 'code.replayed',
    then: 'invalid_grant',
    prepare: simple(async ({ application, code }) => errorIn(await redeem(auth, application, code))),
  },
  {
    title: 'a reused refresh token',
    event: 'refresh.reused',
    then: 'invalid_grant',
    async prepare({ application, pair }) {
      await refresh(auth, application, pair.refresh_token).expect(200);
      auth.clock.offset = 11_000;
      return async () => errorIn(await refresh(auth, application, pair.refresh_token));
    },
  },
  {
    title: 'a revoked refresh token',
    event: 'token.revoked',
    then: 'done',
    prepare: simple((seeded) => revokeAnswers(seeded, seeded.pair.refresh_token)),
  },
  {
    title: 'a revoked access token',
    event: 'token.revoked',
    then: 'done',
    prepare: simple((seeded) => revokeAnswers(seeded, seeded.pair.access_token)),
  },
  {
    title: 'a deleted client token',
    event: 'client_token.deleted',
    then: 'Not Found',
    prepare: simple((seeded) => {
      const id = nodeId('OAuthApplicationToken', seeded.application.clientId);
      return graphAnswers(seeded, `oauthApplicationTokenDelete(input: { id: "${id}" })`);
    }),
  },
  {
    title: 'a disabled client token',
    event: 'client_token.disabled',
    then: 'done',
    prepare: simple((seeded) => disable(seeded, 'oauthApplicationToken', seeded.application.clientId)),
  },
  {
    title: 'a disabled application',
    event: 'application.disabled',
    then: 'done',
    prepare: simple((seeded) => disable(seeded, 'oauthApplication', seeded.application.id)),
  },
  {
    title: 'other scopes of an application',
    event: 'application.scopes_changed',
    then: 'done',
    prepare: simple((seeded) => {
      const id = nodeId('OAuthApplication', seeded.application.id);
      const scopes = '[{ effect: allow, actions: ["request:Read"] }]';
      return graphAnswers(seeded, `oauthApplicationUpdate(input: { id: "${id}", scopes: ${scopes} })`);
    }),
  },
  {
    title: 'a revoked authorization',
    event: 'authorization.revoked',
    then: 'done',
    prepare: (seeded) => formOnProfile(seeded, /action="(\/oauth\/profile\/authorizations\/[\w-]+\/revoke)"/),
  },
  {
    title: 'a revoked personal access token',
    event: 'personal_access_token.revoked',
    then: 'done',
    async prepare(seeded) {
      await auth.app.operator.createPersonalAccessToken(tokenInput(seeded));
      return formOnProfile(seeded, /action="(\/oauth\/profile\/personal-access-tokens\/\d+\/revoke)"/);
    },
  },
  {
    title: 'a replaced personal access token',
    event: 'personal_access_token.revoked',
    then: 'done',
    async prepare(seeded) {
      await auth.app.operator.createPersonalAccessToken(tokenInput(seeded));
      return operatorAnswers(() => auth.app.operator.createPersonalAccessToken(tokenInput(seeded)));
    },
  },
  {
    title: 'a disabled person',
    event: 'person.disabled',
    then: 'done',
    async prepare(seeded) {
      const { id } = await seedPerson(auth, { accountId: seeded.person.accountId });
      return () => disable(seeded, 'person', id);
    },
  },
  {
    title: 'a person whom the operator disables',
    event: 'person.disabled',
    then: 'done',
    prepare: operator(({ person }) => auth.app.services.persons.disable(person.accountId, person.id)),
  },
  {
    title: 'a person whom the operator changes',
    event: 'person.updated',
    then: 'done',
    prepare: operator(({ person: { accountId, email, password } }) =>
      auth.app.operator.ensurePerson({ accountId, name: 'Ellen', primaryEmail: email, password, roles: ['end_user'] }),
    ),
  },
  {
    title: 'a disabled account',
    event: 'account.disabled',
    then: 'done',
    prepare: operator(({ person }) => auth.app.operator.setAccountDisabled(person.accountId, true)),
  },
  {
    title: 'an application that the operator changes',
    event: 'client_token.created',
    then: 'done',
    prepare: operator(({ person }) => seedApplication(auth, person.accountId)),
  },
];

test.each(causes)(
  '$title leaves its entry when the announcement fails, and a repeated call announces it',
  async ({ event, then, prepare }) => {
    const seeded = await seed();
    const { accountId } = seeded.person;
    const revoke = await prepare(seeded);
    const before = { revision: await revisionOf(accountId), entries: await entriesOf(accountId, event) };
    link.failNext = true;
    expect(await revoke()).toMatch(/^temporarily_unavailable$|^The change is saved but not yet effective everywhere/);
    expect(await revisionOf(accountId)).toBe(before.revision);
    expect(await entriesOf(accountId, event)).toBe(before.entries + 1);
    expect(await revoke()).toBe(then);
    expect(await revisionOf(accountId)).not.toBe(before.revision);
  },
);

test.each(causes.slice(0, 2))(
  '$title is one entry and one alert, however often it is tried',
  async ({ event, prepare }) => {
    const seeded = await seed();
    const { accountId } = seeded.person;
    const use = await prepare(seeded);
    link.failNext = true;
    expect(await use()).toBe('temporarily_unavailable');
    const alerts = () => auth.connection.collection('alerts').countDocuments({ accountId, event });
    expect(await alerts()).toBe(1);
    for (let count = 0; count < 2; count += 1) expect(await use()).toBe('invalid_grant');
    expect([await alerts(), await entriesOf(accountId, event)]).toEqual([1, 1]);
  },
);

test('a revoked family is not announced again for a refresh token that was never rotated', async () => {
  const seeded = await seed();
  const { application, pair } = seeded;
  const second = pairIn(await refresh(auth, application, pair.refresh_token).expect(200));
  expect(await revokeAnswers(seeded, second.refresh_token)).toBe('done');
  const before = await revisionOf(seeded.person.accountId);
  await refresh(auth, application, second.refresh_token).expect(400);
  expect(await revisionOf(seeded.person.accountId)).toBe(before);
});
