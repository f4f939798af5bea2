import type { AccountRepository } from '../directory/account.repository';
import type { Application } from '../clients/application';
import { narrowScopes } from '../clients/scope-sets';
import type { Person } from '../directory/person';
import type { PersonRepository } from '../directory/person.repository';
import type { IssueAccessToken } from '../tokens/issue-tokens';
import type { Grant } from './grant';
import { invalidGrant, OAuthError } from './oauth-error';
import { requestedActions } from './requested-scope';

interface Dependencies {
  readonly accounts: AccountRepository;
  readonly people: PersonRepository;
  readonly issueAccessToken: IssueAccessToken;
}

/** RFC 6749 §4.4: the application acts as the person it is linked to, with its own scopes, or fewer; nothing refreshes the token. */
export function createClientCredentialsGrant({ accounts, people, issueAccessToken }: Dependencies): Grant {
  /** Finds the person in the application's account, or else in its directory account. */
  async function find({ accountId }: Application, personId: number): Promise<Person | undefined> {
    const [account, person] = await Promise.all([accounts.find(accountId), people.find(accountId, personId)]);
    if (!account || account.disabledAt) throw invalidGrant('The account of the application is disabled');
    if (person || account.directoryAccountId === null) return person;
    return people.find(account.directoryAccountId, personId);
  }

  return {
    type: 'client_credentials',
    async redeem(client, parameters, key) {
      const { actsAsPersonId, scopes } = client.application;
      const actions = requestedActions(parameters.get('scope'), scopes);
      if (actsAsPersonId === null) {
        throw new OAuthError('unauthorized_client', 'The application is not linked to a person that it acts as');
      }
      const person = await find(client.application, actsAsPersonId);
      if (!person || person.disabledAt) throw invalidGrant('The person that the application acts as is disabled');
      await key?.useUp();
      return { ...(await issueAccessToken(client, person, key?.jkt, actions)), scopes: narrowScopes(scopes, actions) };
    },
  };
}
