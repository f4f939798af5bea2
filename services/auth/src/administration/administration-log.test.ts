import { bodyIn, introspect } from '../testing/client';
import { openSignedIn } from '../testing/browser';
import { everything, seedPerson, startStore } from '../testing/start-auth';
import type { Auth, SeededPerson } from '../testing/start-auth';
import type { AuditRecord } from '../security/audit-entry';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

/** The log entries of an account in order of writing, without the first `from`. */
async function written(accountId: string, from = 0) {
  const found = await auth.connection
    .collection('security_log')
    .find({ accountIds: accountId })
    .sort({ _id: -1 })
    .toArray();
  return (found as unknown as AuditRecord[]).slice(from);
}

const settings = {
  name: 'Reports',
  redirectUris: ['https://reports.example/callback'],
  grantTypes: ['authorization_code' as const],
  scopes: [{ effect: 'allow' as const, actions: ['request:Read'] }],
};

test('changes of an application and its client tokens are logged once each, without the secret', async () => {
  const { accountId } = await seedPerson(auth);
  const { applications, clientTokens } = auth.app.services;
  const from = (await written(accountId)).length;
  const { id } = await applications.create(accountId, everything, settings);
  const { token, clientSecret } = await clientTokens.create(accountId, everything, { applicationId: id });
  await applications.update(accountId, everything, id, { description: 'For the board', name: 'Reports' });
  await applications.update(accountId, everything, id, {
    scopes: [
      { effect: 'allow', actions: ['request:*'], account: accountId },
      { effect: 'deny', actions: ['request:Delete'] },
    ],
  });
  const place = { clientId: token.clientId };
  for (const disabled of [true, true, false]) await clientTokens.update(accountId, everything, place, { disabled });
  await clientTokens.delete(accountId, place);
  await applications.update(accountId, everything, id, { disabled: true });
  await applications.update(accountId, everything, id, { disabled: true });
  await applications.update(accountId, everything, id, { disabled: false });
  const entries = await written(accountId, from);
  const { clientId } = token;
  expect(
    entries.map(({ event, facts, clientId: given }) => ({ event, ...facts, ...(given && { clientId: given }) })),
  ).toEqual([
    { event: 'application.created', scopes: ['request:Read'], grant_types: ['authorization_code'] },
    { event: 'client_token.created', clientId },
    { event: 'application.updated', members: ['description'] },
    { event: 'application.scopes_changed', scopes: [`request:* in ${accountId}`, 'never request:Delete'] },
    { event: 'client_token.disabled', clientId },
    { event: 'client_token.enabled', clientId },
    { event: 'client_token.deleted', clientId },
    { event: 'application.disabled' },
    { event: 'application.enabled' },
  ]);
  for (const entry of entries) expect(entry.application).toEqual({ accountId, id, name: 'Reports' });
  expect(JSON.stringify(entries)).not.toContain(clientSecret);
  expect(JSON.stringify(entries)).not.toContain(token.secretDigest);
});

test('a refused change leaves no entry', async () => {
  const { accountId } = await seedPerson(auth);
  const stranger = await seedPerson(auth);
  const { applications, clientTokens } = auth.app.services;
  const { id } = await applications.create(accountId, everything, settings);
  const from = (await written(accountId)).length;
  await expect(applications.create(accountId, everything, settings)).rejects.toThrow();
  await expect(applications.update(accountId, [], id, { description: 'x' })).rejects.toThrow();
  await expect(
    clientTokens.update(accountId, everything, { clientId: 'nonsense' }, { disabled: true }),
  ).rejects.toThrow();
  await expect(clientTokens.create(stranger.accountId, everything, { applicationId: id })).rejects.toThrow();
  expect(await written(accountId, from)).toEqual([]);
});

test('SSO configurations are logged with their issuer and the changed members', async () => {
  const { accountId } = await seedPerson(auth);
  const { ssoConfigurations } = auth.app.services;
  const from = (await written(accountId)).length;
  const input = { name: 'Entra', issuer: 'https://id.example/tenant', identifier: 'primary_email' as const };
  const { id } = await ssoConfigurations.create(accountId, input);
  await ssoConfigurations.update(accountId, id, { disabled: true });
  const { name, issuer } = input;
  expect((await written(accountId, from)).map(({ event, facts }) => ({ event, ...facts }))).toEqual([
    { event: 'sso_configuration.created', id, name, issuer },
    { event: 'sso_configuration.updated', id, name, issuer, members: ['disabled'] },
  ]);
});

/** Returns a function that calls the API as this person. */
async function callAs(person: SeededPerson) {
  const expiresAt = new Date(auth.now().getTime() + 3_600_000);
  const input = { personId: person.id, name: 'test', scopes: everything, expiresAt };
  const { token } = await auth.app.operator.createPersonalAccessToken(input);
  const { caller_token } = await introspect(auth, token);
  return (query: string, headers: Record<string, string> = {}) =>
    auth.http
      .post('/graphql')
      .set(headers)
      .set('Authorization', `Bearer ${caller_token}`)
      .set('X-Service-Account', person.accountId)
      .set('User-Agent', 'curl/8.5.0')
      .send({ query });
}

test('people are logged with the API caller who created or changed them', async () => {
  const administrator = await seedPerson(auth);
  const call = await callAs(administrator);
  const { accountId } = administrator;
  const from = (await written(accountId)).length;
  const created = bodyIn(
    await call(
      'mutation { personCreate(input: {name: "Howard Tanner", primaryEmail: "howard@new.example"}) { person { id } errors { message } } }',
    ),
  ) as { data: { personCreate: { person: { id: string } } } };
  const { id } = created.data.personCreate.person;
  const disable = `mutation { personUpdate(input: {id: "${id}", disabled: true}) { errors { message } } }`;
  await call(disable, { 'X-Forwarded-For': '203.0.113.8' });
  const entries = await written(accountId, from);
  expect(entries.map(({ event }) => event)).toEqual(['person.created', 'person.disabled']);
  expect(entries.map(({ ip }) => ip)).toEqual([null, '203.0.113.8']);
  for (const entry of entries) {
    expect(entry).toMatchObject({
      person: { accountId, name: 'Howard Tanner' },
      actor: { accountId, id: administrator.id, name: 'Ellen Brown' },
      userAgent: 'curl/8.5.0',
      requestId: expect.stringMatching(/^[\w-]{36}$/) as string,
    });
  }
});

test('changes by the installation itself are logged without a person', async () => {
  const person = await seedPerson(auth);
  await auth.app.services.persons.disable(person.accountId, person.id);
  const [account, created, disabled] = await written(person.accountId);
  for (const [entry, event] of [
    [account, 'account.created'],
    [created, 'person.created'],
    [disabled, 'person.disabled'],
  ] as const) {
    expect(entry).toMatchObject({ event, actor: null, ip: null, requestId: null });
  }
  const reader = await seedPerson(auth, { accountId: person.accountId });
  const browser = await openSignedIn(auth, reader);
  expect((await browser.get('/oauth/administration/security-log')).text).toContain('by the installation');
});

test('no entry of this file contains a password, a digest or a hash', async () => {
  const all = JSON.stringify(await auth.connection.collection('security_log').find().toArray());
  expect(all.length).toBeGreaterThan(1_000);
  expect(all).not.toMatch(/password"|secretDigest|"hash"|itsm_\w+_[0-9A-Za-z]{20}/);
});
