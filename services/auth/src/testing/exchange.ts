import { randomBytes, randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { tokenExchange } from '../clients/grant-types';
import type { ApplicationInput } from '../clients/ensure-application';
import type { PersonIdentifier } from '../clients/sso-configuration';
import { requestToken } from './client';
import { makeKey, startLocalProvider } from './local-provider';
import type { LocalKey, LocalProvider } from './local-provider';
import type { Auth, SeededApplication, SeededPerson, Store } from './start-auth';
import { seedApplication, seedPerson, startStore } from './start-auth';

export const audience = 'https://itsm.example/api';
export const jwtType = 'urn:ietf:params:oauth:token-type:jwt';

interface Started {
  readonly store: Store;
  readonly auth: Auth;
  readonly key: LocalKey;
  readonly provider: LocalProvider;
}

/**
 * Sets up the service and a provider that signs with `key`, for a test file; passes them to `take` before all tests.
 * Resets the clock after each test.
 */
export function withLocalProvider(take: (started: Started) => void): void {
  let started: Started;
  beforeAll(async () => {
    const store = await startStore();
    const auth = await store.start({ settings: { ALLOW_INSECURE_PROVIDERS: 'true' } });
    const key = await makeKey();
    started = { store, auth, key, provider: await startLocalProvider([key]) };
    take(started);
  });
  afterEach(() => {
    started.auth.clock.offset = 0;
  });
  afterAll(async () => {
    await started.provider.close();
    await started.store.close();
  });
}

interface Seed {
  readonly issuer: string;
  readonly identifier?: PersonIdentifier;
  readonly application?: Partial<ApplicationInput>;
}

/** Creates an account with a person, an SSO configuration for the issuer, and an application that may exchange its tokens. */
export async function seedExchange(auth: Auth, { issuer, identifier = 'primary_email', application = {} }: Seed) {
  const authenticationID = `subject-${randomBytes(6).toString('hex')}`;
  const person = await seedPerson(auth, { authenticationID });
  const { accountId } = person;
  const configuration = await auth.app.services.ssoConfigurations.create(accountId, {
    name: 'Provider',
    issuer,
    identifier,
  });
  const seeded = await seedApplication(auth, accountId, {
    grantTypes: [tokenExchange],
    ssoConfigurationId: configuration.id,
    audience,
    ...application,
  });
  return { accountId, person: { ...person, authenticationID }, configuration, application: seeded };
}

/** Claims of a valid identity token of the person. */
export function claimsFor(
  auth: Auth,
  issuer: string,
  person: Pick<SeededPerson, 'email'>,
  more: JWTPayload = {},
): JWTPayload {
  const at = Math.floor(auth.now().getTime() / 1000);
  return {
    iss: issuer,
    sub: 'somebody',
    aud: audience,
    email: person.email,
    email_verified: true,
    jti: randomUUID(),
    iat: at,
    exp: at + 300,
    ...more,
  };
}

/** A token exchange; members of `more` replace or, when undefined, remove the usual ones. */
export const exchange = (auth: Auth, application: SeededApplication, subjectToken: string, more: object = {}) =>
  requestToken(auth, application, {
    grant_type: tokenExchange,
    subject_token: subjectToken,
    subject_token_type: jwtType,
    ...more,
  });

/** The answer to an invalid subject token. */
export const refusedGrant = (description: RegExp) => ({
  error: 'invalid_grant',
  error_description: expect.stringMatching(description) as string,
});
