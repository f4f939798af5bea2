import { notFound } from '@itsm/shared/base/errors/app-error';
import type { SsoConfiguration } from '../clients/sso-configuration';
import type { SsoConfigurationService } from '../clients/sso-configuration.service';
import type { Person } from '../directory/person';
import type { FindClaimedPeople } from '../oauth/find-claimed-people';
import { maxTokenLength } from '../oauth/identity-token';
import { OAuthError } from '../oauth/oauth-error';
import type { ProviderDocuments } from '../oauth/provider-documents';
import { resolvePerson } from '../oauth/resolve-person';
import type { VerifyIdentityToken } from '../oauth/verify-identity-token';

interface Dependencies {
  readonly ssoConfigurations: Pick<SsoConfigurationService, 'find'>;
  readonly documents: ProviderDocuments;
  readonly verifyIdentityToken: VerifyIdentityToken;
  readonly findClaimedPeople: FindClaimedPeople;
}

/** One step, with its result or the reason of its failure. */
export interface Step {
  readonly name: string;
  readonly good: boolean;
  readonly text: string;
}

/** Tests an SSO configuration with a token, by the steps of a token exchange; the token is not used up. */
export interface SsoTest {
  run(accountId: string, id: number, audience: string, token: string): Promise<readonly Step[]>;
}

export function createSsoTest({
  ssoConfigurations,
  documents,
  verifyIdentityToken,
  findClaimedPeople,
}: Dependencies): SsoTest {
  return {
    async run(accountId, id, audience, token) {
      const configuration = await ssoConfigurations.find(accountId, id);
      if (!configuration) throw notFound();
      const { issuer } = configuration;
      const steps: Step[] = [];

      /** Undefined when the step failed. */
      async function attempt<T>(name: string, work: () => Promise<T>, say: (result: T) => string) {
        try {
          const result = await work();
          steps.push({ name, good: true, text: say(result) });
          return result;
        } catch (error) {
          if (!(error instanceof OAuthError)) throw error;
          steps.push({ name, good: false, text: error.message });
          return undefined;
        }
      }

      const jwksUri = await attempt(
        'Discovery',
        () => documents.discover(issuer),
        (found) => `The keys are at ${found}`,
      );
      if (jwksUri === undefined) return steps;
      const list = (keys: readonly { readonly kid: string | undefined }[]) =>
        `${keys.length} usable: ${keys.map(({ kid }) => kid ?? 'without kid').join(', ')}`;
      const fetched = await attempt(
        'Keys',
        () => documents.fetchKeys(jwksUri),
        ({ keys }) => list(keys),
      );
      if (!fetched || token === '') return steps;
      const text = token.slice(0, maxTokenLength + 1);
      const verify = () => verifyIdentityToken(text, { accountId, issuer, audience });
      const claims = await attempt('Token', verify, () => 'Signature, times, issuer and audience are valid');
      if (!claims) return steps;
      const resolve = async () => resolvePerson(await findClaimedPeople(accountId, claims), configuration, claims);
      await attempt('Person', resolve, (person) => inWords(person, configuration));
      return steps;
    },
  };
}

function inWords(person: Person, configuration: SsoConfiguration): string {
  const { name, primaryEmail, accountId } = person;
  const who = `${name} (${primaryEmail}) of ${accountId}`;
  return accountId === configuration.accountId ? who : `${who}; for token exchange only, not for sign-in`;
}
