import { notFound } from '@itsm/shared/base/errors/app-error';
import type { SsoConfiguration } from '../clients/sso-configuration';
import type { SsoConfigurationService } from '../clients/sso-configuration.service';
import type { Person } from '../directory/person';
import type { FindClaimedPeople } from './find-claimed-people';
import { maxTokenLength } from './identity-token';
import { OAuthError } from './oauth-error';
import type { ProviderDocuments } from './provider-documents';
import { resolvePerson } from './resolve-person';
import type { VerifyIdentityToken } from './verify-identity-token';

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

interface Given {
  readonly audience: string | null;
  readonly token: string;
  /** Whether the result may name the person. */
  readonly namesPeople: boolean;
}

/** Tests an SSO configuration with a token, by the steps of a token exchange; the token is not used up. */
export interface SsoCheck {
  run(accountId: string, id: number, given: Given): Promise<readonly Step[]>;
}

export function createSsoCheck({
  ssoConfigurations,
  documents,
  verifyIdentityToken,
  findClaimedPeople,
}: Dependencies): SsoCheck {
  return {
    async run(accountId, id, { audience, token, namesPeople }) {
      const configuration = await ssoConfigurations.find(accountId, id);
      if (!configuration) throw notFound();
      const { issuer } = configuration;
      const expected = audience ?? configuration.clientId ?? '';
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
      const verify = () => verifyIdentityToken(text, { accountId, issuer, audience: expected });
      const claims = await attempt('Token', verify, () => 'Signature, times, issuer and audience are valid');
      if (!claims) return steps;
      const resolve = async () => resolvePerson(await findClaimedPeople(accountId, claims), configuration, claims);
      await attempt('Person', resolve, (person) => inWords(person, configuration, namesPeople));
      return steps;
    },
  };
}

function inWords(person: Person, configuration: SsoConfiguration, namesPeople: boolean): string {
  const { name, primaryEmail, accountId } = person;
  const who = `${namesPeople ? `${name} (${primaryEmail})` : 'A person'} of ${accountId}`;
  return accountId === configuration.accountId ? who : `${who}; for token exchange only, not for sign-in`;
}
