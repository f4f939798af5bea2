import { randomBytes } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { tokenExchange } from '../clients/application';
import type { ApplicationInput } from '../clients/ensure-application';
import type { PersonIdentifier } from '../clients/sso-configuration';
import { requestToken } from './client';
import type { Auth, SeededApplication, SeededPerson } from './start-auth';
import { seedApplication, seedPerson } from './start-auth';

export const audience = 'https://itsm.example/api';
export const jwtType = 'urn:ietf:params:oauth:token-type:jwt';

interface Seed {
  readonly issuer: string;
  readonly identifier?: PersonIdentifier;
  readonly application?: Partial<ApplicationInput>;
}

/** An account with a person, an SSO configuration for the issuer and an application that may exchange its tokens. */
export async function seedExchange(auth: Auth, { issuer, identifier = 'primary_email', application = {} }: Seed) {
  const authenticationId = `subject-${randomBytes(6).toString('hex')}`;
  const person = await seedPerson(auth, { authenticationId });
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
  return { accountId, person: { ...person, authenticationId }, configuration, application: seeded };
}

/** Claims of a good identity token of the person. */
export function claimsFor(
  auth: Auth,
  issuer: string,
  person: Pick<SeededPerson, 'email'>,
  more: JWTPayload = {},
): JWTPayload {
  const at = Math.floor(auth.now().getTime() / 1000);
  return { iss: issuer, sub: 'somebody', aud: audience, email: person.email, iat: at, exp: at + 300, ...more };
}

/** A token exchange; members of `more` replace or, when undefined, remove the usual ones. */
export const exchange = (auth: Auth, application: SeededApplication, subjectToken: string, more: object = {}) =>
  requestToken(auth, application, {
    grant_type: tokenExchange,
    subject_token: subjectToken,
    subject_token_type: jwtType,
    ...more,
  });

/** The answer to a subject token that does not count. */
export const refusedGrant = (description: RegExp) => ({
  error: 'invalid_grant',
  error_description: expect.stringMatching(description) as string,
});
