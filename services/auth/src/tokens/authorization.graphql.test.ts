import { obtainCode, openSignedIn } from '../testing/browser';
import { introspect, pairIn, redeem, refresh } from '../testing/client';
import { callGraph, nodeId } from '../testing/graphql';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

interface Listed {
  readonly totalCount: number;
  readonly nodes: readonly {
    readonly id: string;
    readonly person: { readonly name: string } | null;
    readonly grantedAt: string;
    readonly lastUsedAt: string | null;
  }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

const text = `query ($id: ID!, $first: Int, $after: String) { oauthApplication(id: $id) {
  authorizations(first: $first, after: $after) {
    totalCount nodes { id person { name } grantedAt lastUsedAt } pageInfo { hasNextPage endCursor } } } }`;

const ask = (person: SeededPerson, applicationId: number, more: object = {}, as = {}) =>
  callGraph(auth, person, text, { id: nodeId('OAuthApplication', applicationId), first: 10, ...more }, as);

async function list(...given: Parameters<typeof ask>): Promise<Listed> {
  const { data } = await ask(...given);
  return (data?.['oauthApplication'] as { authorizations: Listed }).authorizations;
}

const revoke = (person: SeededPerson, id: string, as = {}) =>
  callGraph(
    auth,
    person,
    'mutation ($id: ID!) { oauthAuthorizationRevoke(input: { id: $id }) { oauthApplication { name authorizations(first: 5) { totalCount } } errors { message } } }',
    { id },
    as,
  );
const messagesOf = ({ errors = [] }: Awaited<ReturnType<typeof revoke>>) => errors.map(({ message }) => message);

/** Creates two people of one account who have allowed an application of it. */
async function seed() {
  const ellen = await seedPerson(auth);
  const grace = await seedPerson(auth, { accountId: ellen.accountId, name: 'Grace Lin', roles: ['end_user'] });
  const application = await seedApplication(auth, ellen.accountId);
  const pairOf = async (person: SeededPerson) => {
    const browser = await openSignedIn(auth, person);
    return pairIn(await redeem(auth, application, await obtainCode(browser, application)).expect(200));
  };
  return { ellen, grace, application, pairs: [await pairOf(ellen), await pairOf(grace)] as const };
}

test('administrators see who has allowed an application, since when and when it was last used, by pages', async () => {
  const { ellen, application, pairs } = await seed();
  await introspect(auth, pairs[1].access_token);
  const all = await list(ellen, application.id);
  expect(all).toMatchObject({
    totalCount: 2,
    nodes: [{ person: { name: 'Ellen Brown' } }, { person: { name: 'Grace Lin' } }],
    pageInfo: { hasNextPage: false },
  });
  expect(all.nodes.map(({ grantedAt }) => grantedAt)).toEqual(Array(2).fill(auth.now().toISOString()));
  expect((await list(ellen, application.id)).nodes[1]?.lastUsedAt).toBe(auth.now().toISOString());
  const first = await list(ellen, application.id, { first: 1 });
  expect(first).toMatchObject({ nodes: [{ person: { name: 'Ellen Brown' } }], pageInfo: { hasNextPage: true } });
  const second = await list(ellen, application.id, { first: 1, after: first.pageInfo.endCursor });
  expect(second).toMatchObject({ nodes: [{ person: { name: 'Grace Lin' } }], pageInfo: { hasNextPage: false } });
});

test('revoking one ends its tokens at once, does not affect the other, and is idempotent', async () => {
  const { ellen, application, pairs } = await seed();
  const [, grace] = (await list(ellen, application.id)).nodes;
  for (let time = 0; time < 2; time += 1) {
    expect(await revoke(ellen, grace?.id ?? '')).toEqual({
      data: {
        oauthAuthorizationRevoke: {
          oauthApplication: { name: 'Demo application', authorizations: { totalCount: 1 } },
          errors: [],
        },
      },
    });
  }
  const areActive = pairs.map(async ({ access_token }) => (await introspect(auth, access_token)).active);
  expect(await Promise.all(areActive)).toEqual([true, false]);
  await refresh(auth, application, pairs[1].refresh_token).expect(400);
  const { nodes } = await list(ellen, application.id);
  expect(nodes.map(({ person }) => person?.name)).toEqual(['Ellen Brown']);
  const entries = await auth.connection
    .collection('security_log')
    .find({ accountIds: ellen.accountId, event: 'authorization.revoked' })
    .toArray();
  expect(entries[0]).toMatchObject({ actor: { id: ellen.id }, application: { id: application.id } });
});

test('two concurrent revocations both succeed', async () => {
  const { ellen, application } = await seed();
  const [first] = (await list(ellen, application.id)).nodes;
  const both = await Promise.all([revoke(ellen, first?.id ?? ''), revoke(ellen, first?.id ?? '')]);
  expect(both.flatMap(messagesOf)).toEqual([]);
});

test('an authorization for former scopes is void and not listed', async () => {
  const { ellen, application } = await seed();
  const scopes = [{ effect: 'allow' as const, actions: ['request:Read'] }];
  await auth.app.services.applications.update(ellen.accountId, everything, application.id, { scopes });
  expect(await list(ellen, application.id)).toMatchObject({ totalCount: 0, nodes: [] });
});

test('only administrators of the account of the application revoke, with the scope', async () => {
  const { ellen, grace, application, pairs } = await seed();
  const stranger = await seedPerson(auth);
  const id = (await list(ellen, application.id)).nodes[0]?.id ?? '';
  const scopes = [{ effect: 'allow' as const, actions: ['oauth-application:Read', 'person:Read'] }];
  expect(messagesOf(await revoke(grace, id))).toEqual(['Forbidden']);
  expect(messagesOf(await revoke(stranger, id))).toEqual(['Not Found']);
  expect(messagesOf(await revoke(ellen, id, { scopes }))).toEqual([
    'Missing required scope(s): oauth-application:Update',
  ]);
  const others = [nodeId('Person', ellen.id), nodeId('OAuthAuthorization', 'none'), 'x'.repeat(10_000), ''];
  for (const other of others) expect(messagesOf(await revoke(ellen, other))).toEqual(['Not Found']);
  expect((await introspect(auth, pairs[0].access_token)).active).toBe(true);
});

test('listing takes an administrator, names people to tokens with person:Read alone, and needs the size of a page', async () => {
  const { ellen, grace, application } = await seed();
  expect(messagesOf(await ask(grace, application.id))).toEqual(['Forbidden']);
  const scopes = [{ effect: 'allow' as const, actions: ['oauth-application:Read'] }];
  const { data, errors } = await ask(ellen, application.id, {}, { scopes });
  expect(errors).toHaveLength(2);
  expect(errors?.[0]?.message).toBe('Missing required scope(s): person:Read');
  expect(data).toMatchObject({ oauthApplication: { authorizations: { nodes: [{ person: null }, { person: null }] } } });
  for (const more of [{ first: 101 }, { first: 0 }, { first: null }, { after: 'nonsense' }])
    expect((await ask(ellen, application.id, more)).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  const stranger = await seedPerson(auth);
  expect((await ask(stranger, application.id)).data).toEqual({ oauthApplication: null });
});
