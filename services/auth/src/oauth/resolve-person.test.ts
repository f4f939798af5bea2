import { randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { introspect } from '../testing/client';
import { claimsFor, exchange, refusedGrant, seedExchange, withLocalProvider } from '../testing/exchange';
import { sign } from '../testing/local-provider';
import type { LocalKey, LocalProvider } from '../testing/local-provider';
import type { Auth, SeededApplication } from '../testing/start-auth';
import { seedPerson } from '../testing/start-auth';

let auth: Auth;
let key: LocalKey;
let provider: LocalProvider;
withLocalProvider((started) => ({ auth, key, provider } = started));

const seed = (identifier: 'primary_email' | 'authentication_id') =>
  seedExchange(auth, { issuer: provider.issuer, identifier });

const present = async (application: SeededApplication, claims: JWTPayload) => {
  const at = Math.floor(auth.now().getTime() / 1000);
  const usual = {
    iss: provider.issuer,
    aud: 'https://itsm.example/api',
    exp: at + 300,
    jti: randomUUID(),
    email_verified: true,
  };
  return exchange(auth, application, await sign(key, { ...usual, ...claims }));
};

async function callerOf(application: SeededApplication, claims: JWTPayload) {
  const { body } = await present(application, claims);
  return introspect(auth, (body as { access_token: string }).access_token);
}

const personOf = async (application: SeededApplication, claims: JWTPayload): Promise<number> =>
  Number((await callerOf(application, claims)).claims['sub']);

async function refuse(application: SeededApplication, claims: JWTPayload, because: RegExp): Promise<void> {
  const { status, body } = await present(application, claims);
  expect([status, body]).toEqual([400, refusedGrant(because)]);
}

describe('by primary e-mail', () => {
  test('the address of the token identifies the person, case-insensitively', async () => {
    const { application, person } = await seed('primary_email');
    for (const email of [person.email, person.email.toUpperCase()]) {
      expect(await personOf(application, { email })).toBe(person.id);
    }
  });

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['blank', '  '],
    ['a list', ['a@b.example']],
    ['an object', { $ne: null }],
    ['very long', `${'a'.repeat(400)}@b.example`],
  ])('an email that is %s is refused', async (_name, email) => {
    const { application } = await seed('primary_email');
    await refuse(application, { email, sub: 'x' }, /email/);
  });

  test('an unverified email is refused', async () => {
    const { application, person } = await seed('primary_email');
    for (const email_verified of [false, 'false']) {
      await refuse(application, { email: person.email, email_verified }, /not verified/);
    }
    for (const email_verified of [undefined, null, 0, 1, 'no', '', 'TRUE', ['true'], {}]) {
      await refuse(application, { email: person.email, email_verified }, /email_verified: true/);
    }
    for (const email_verified of [true, 'true']) {
      expect(await personOf(application, { email: person.email, email_verified })).toBe(person.id);
    }
  });

  test('when the configuration does not require it, email_verified may be absent, but not false', async () => {
    const { accountId, application, person, configuration } = await seed('primary_email');
    const { ssoConfigurations } = auth.app.services;
    await ssoConfigurations.update(accountId, configuration.id, { emailVerifiedRequired: false });
    expect(await personOf(application, { email: person.email, email_verified: undefined })).toBe(person.id);
    await refuse(application, { email: person.email, email_verified: false }, /not verified/);
    await ssoConfigurations.update(accountId, configuration.id, { emailVerifiedRequired: true });
    await refuse(application, { email: person.email, email_verified: undefined }, /email_verified: true/);
  });

  test('a configuration stored by an earlier release requires it', async () => {
    const { application, person, configuration } = await seed('primary_email');
    await auth.connection
      .collection<{ _id: number }>('sso_configurations')
      .updateOne({ _id: configuration.id }, { $unset: { emailVerifiedRequired: 1 } });
    await refuse(application, { email: person.email, email_verified: undefined }, /email_verified: true/);
  });

  test("an email that only looks like the person's is refused", async () => {
    const { application, person } = await seed('primary_email');
    const [name = '', domain = ''] = person.email.split('@');
    const wide = (text: string, from: number) =>
      text.replace(/[a-z]/g, (one) => String.fromCodePoint(one.charCodeAt(0) + from));
    const alike = [
      `${wide(name, 0xff41 - 97)}@${domain}`,
      `${wide(name, 0x24d0 - 97)}@${domain}`,
      `\u00a0${person.email}\n`,
      `${person.email} `,
      ` ${person.email}`,
      `${person.email}\u200b`,
      `${person.email}\0`,
    ];
    for (const email of alike) await refuse(application, { email }, /characters that stand for others/);
    // Only ASCII letters are folded: é is not e, and the Kelvin sign is not k.
    await refuse(application, { email: person.email.replace('e', '\u00e9') }, /matches no person/);
    expect(await personOf(application, { email: person.email.toUpperCase() })).toBe(person.id);
  });

  test('the authentication ID is ignored', async () => {
    const { application, person } = await seed('primary_email');
    await refuse(application, { sub: person.authenticationID, email: 'nobody@example.com' }, /matches no person/);
  });
});

describe('by authentication ID', () => {
  test('the sub of the token identifies the person', async () => {
    const { application, person } = await seed('authentication_id');
    expect(await personOf(application, { sub: person.authenticationID })).toBe(person.id);
  });

  test('the sub is compared exactly, and the email is ignored', async () => {
    const { application, person } = await seed('authentication_id');
    for (const sub of [person.authenticationID.toUpperCase(), `${person.authenticationID} `, 'another']) {
      await refuse(application, { sub, email: person.email }, /matches no person/);
    }
  });

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['a number', 7],
    ['an operator', { $ne: null }],
  ])('a sub that is %s is refused', async (_name, sub) => {
    const { application, person } = await seed('authentication_id');
    await refuse(application, { sub: sub as string, email: person.email }, /no sub/);
  });

  test('an authentication ID is unique in an account', async () => {
    const { accountId, person } = await seed('authentication_id');
    const { authenticationID } = person;
    await expect(seedPerson(auth, { accountId, authenticationID })).rejects.toThrow('Validation Failed');
  });
});

describe('accounts that are searched', () => {
  async function seedDirectory() {
    const directory = await seedPerson(auth);
    const seeded = await seed('primary_email');
    const { accountId } = seeded;
    await auth.app.operator.ensureAccount({ id: accountId, name: accountId, directoryAccountId: directory.accountId });
    return { directory, ...seeded };
  }

  test('a person of the directory account alone is found', async () => {
    const { application, directory } = await seedDirectory();
    expect(await personOf(application, { email: directory.email })).toBe(directory.id);
  });

  test("a token for a person of the directory account is valid only in the application's account", async () => {
    const { accountId, application, directory } = await seedDirectory();
    const inDirectory = await callerOf(application, { email: directory.email });
    expect(inDirectory).toMatchObject({ active: true, claims: { sub: String(directory.id), accounts: {} } });
    const own = await seedPerson(auth, { accountId });
    const inAccount = await callerOf(application, { email: own.email });
    expect(inAccount).toMatchObject({ claims: { accounts: { [accountId]: expect.any(Array) as unknown } } });
  });

  test("of two people with the same address, the one in the application's account is used", async () => {
    const { accountId, application, directory } = await seedDirectory();
    const own = await seedPerson(auth, { accountId, primaryEmail: directory.email });
    await auth.app.operator.ensureAccount({ id: accountId, name: accountId, directoryAccountId: directory.accountId });
    expect(await personOf(application, { email: directory.email })).toBe(own.id);
  });

  test('a disabled person there is refused, without searching further', async () => {
    const { accountId, application, directory } = await seedDirectory();
    const own = await seedPerson(auth, { accountId, primaryEmail: directory.email });
    await auth.app.operator.ensureAccount({ id: accountId, name: accountId, directoryAccountId: directory.accountId });
    await auth.app.services.persons.disable(accountId, own.id);
    await refuse(application, { email: directory.email }, /disabled/);
  });

  test('a person of a foreign account is refused, also with a role in the account', async () => {
    const { accountId, application } = await seed('primary_email');
    const foreign = await seedPerson(auth, { roles: ['specialist'] });
    await refuse(application, { email: foreign.email }, /matches no person/);
    expect(accountId).not.toBe(foreign.accountId);
  });

  test('a configuration of the directory account can be used by applications of the account', async () => {
    const directory = await seedPerson(auth);
    const { id: ssoConfigurationId } = await auth.app.services.ssoConfigurations.create(directory.accountId, {
      name: 'Directory',
      issuer: provider.issuer,
      identifier: 'primary_email',
    });
    const { accountId, application, person } = await seedExchange(auth, {
      issuer: provider.issuer,
      application: { ssoConfigurationId },
    });
    await refuse(application, { email: person.email }, /SSO configuration/);
    await auth.app.operator.ensureAccount({ id: accountId, name: accountId, directoryAccountId: directory.accountId });
    expect(await personOf(application, claimsFor(auth, provider.issuer, person))).toBe(person.id);
  });

  test('a disabled person is refused', async () => {
    const { accountId, application, person } = await seed('primary_email');
    await auth.app.services.persons.disable(accountId, person.id);
    await refuse(application, { email: person.email }, /disabled/);
  });
});
