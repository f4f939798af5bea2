import { waitUntil } from '@itsm/shared/testing/wait-until';
import { headersOf, nodeId } from '../testing/caller';
import { bodyIn } from '../testing/client';
import type { Answer } from '../testing/graphql';
import type { Auth } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

/** Each type with what a new record needs, and a member that answers do not show. */
const types = [
  {
    path: '/v1/sso_configurations',
    type: 'SsoConfiguration',
    member: 'ssoConfiguration',
    made: { name: 'Provider', issuer: 'https://id.example/', identifier: 'primary_email', client_secret: 'first' },
    hidden: { client_secret: 'second' },
  },
  {
    path: '/v1/oauth_applications',
    type: 'OAuthApplication',
    member: 'oauthApplication',
    made: { name: 'Shop', grant_types: ['client_credentials'], scopes: [{ effect: 'allow', actions: ['*:Read'] }] },
    hidden: { description: 'a text that the answer with fields=name does not show' },
  },
] as const;

describe.each(types)('$path', ({ path, type, member, made, hidden }) => {
  async function create() {
    const person = await seedPerson(auth);
    const headers = await headersOf(auth, person);
    const acts = type === 'OAuthApplication' && { acts_as_person_id: person.id };
    const response = await auth.http
      .post(path)
      .set(headers)
      .send({ ...made, ...acts })
      .expect(201);
    const { id } = bodyIn(response) as { id: number };
    const address = `${path}/${id}`;
    const tagOf = async (query = '') =>
      (
        await auth.http
          .get(address + query)
          .set(headers)
          .expect(200)
      ).get('ETag') ?? '';
    const patch = (change: object, tag?: string) =>
      auth.http
        .patch(address)
        .set({ ...headers, ...(tag !== undefined && { 'If-Match': tag }) })
        .send(change);
    const graphql = async (query: string, variables: object = {}) =>
      bodyIn(await auth.http.post('/graphql').set(headers).send({ query, variables })) as Answer;
    return { person, id, headers, tagOf, patch, graphql, first: response.get('ETag') ?? '' };
  }

  test('the tag has the version, and If-Match goes by it alone', async () => {
    const { first, tagOf, patch } = await create();
    expect(first).toMatch(/^"1\.[\w-]{16}"$/);
    expect(await tagOf()).toBe(first);
    const narrow = await tagOf('?fields=name');
    expect(narrow).toMatch(/^"1\.[\w-]{16}"$/);
    expect(narrow).not.toBe(first);
    expect((await patch({ name: 'Renamed' }, `W/${narrow}`)).status).toBe(200);
    await patch({ name: 'Late' }, first).expect(412);
    await patch({ name: 'Any' }, '*').expect(200);
    expect(await tagOf()).toMatch(/^"3\./);
  });

  test('a change of what the answer does not show is a change of the version', async () => {
    const { tagOf, patch } = await create();
    const seen = await tagOf('?fields=name');
    await patch(hidden).expect(200);
    await patch({ name: 'Late' }, seen).expect(412);
  });

  test('ifVersion refuses a stale change in GraphQL, and both edges have the same version', async () => {
    const { id, patch, graphql, tagOf } = await create();
    const update = `mutation ($input: ${type}UpdateInput!) { made: ${member}Update(input: $input) { record: ${member} { version name } errors { message path } } }`;
    const change = async (input: object) =>
      ((await graphql(update, { input: { id: nodeId(type, id), ...input } })).data ?? {})['made'];
    expect(await change({ ifVersion: 1, name: 'Second' })).toEqual({
      record: { version: 2, name: 'Second' },
      errors: [],
    });
    await patch({ name: 'Third' }).expect(200);
    expect(await change({ ifVersion: 2, name: 'Late' })).toEqual({
      record: null,
      errors: [{ message: 'The record has changed: its version is 3', path: ['ifVersion'] }],
    });
    expect(await change({ ifVersion: null, name: 'Fourth' })).toMatchObject({ record: { version: 4 } });
    expect(await tagOf()).toMatch(/^"4\./);
  });

  test('of two hundred racing pairs one of each is kept, and the other is refused', async () => {
    const records = await Promise.all(Array.from({ length: 8 }, create));
    const race = async ({ headers, id, tagOf, patch }: (typeof records)[number], at: number) => {
      const tag = await tagOf();
      const names = [`A ${at}`, `B ${at}`];
      const answers = await Promise.all(names.map((name) => patch({ name }, tag)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
      const won = names[answers.findIndex(({ status }) => status === 200)];
      expect(bodyIn(await auth.http.get(`${path}/${id}?fields=name`).set(headers))).toEqual({ id, name: won });
    };
    await Promise.all(
      records.map(async (record) => {
        for (let at = 0; at < 25; at += 1) await race(record, at);
      }),
    );
    expect(await Promise.all(records.map(({ tagOf }) => tagOf()))).toEqual(
      records.map(() => expect.stringMatching(/^"26\./) as string),
    );
  });
});

test('the use of a client token does not make the tag of its application stale', async () => {
  const person = await seedPerson(auth);
  const { id, clientId, clientSecret } = await seedApplication(auth, person.accountId);
  const headers = await headersOf(auth, person);
  const address = `/v1/oauth_applications/${id}`;
  const read = async () => auth.http.get(address).set(headers).expect(200);
  const seen = await read();
  const fields = { client_id: clientId, client_secret: clientSecret, token: 'itsm_at_x' };
  await auth.http.post('/oauth/revoke').type('form').send(fields).expect(200);
  await waitUntil('the first use', async () => JSON.stringify((await read()).body).includes('last_used_at":"'));
  const match = { 'If-Match': seen.get('ETag') ?? '' };
  await auth.http
    .patch(address)
    .set({ ...headers, ...match })
    .send({ description: 'x' })
    .expect(200);
});
