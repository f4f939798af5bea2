import type { MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import type { Scope } from '@itsm/shared/contracts/scopes';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import type { ApplicationChanges, NewApplicationSettings } from './application.input';

export interface ScopeInput {
  readonly effect: Scope['effect'];
  readonly actions: string[];
  readonly account?: string | null;
}

type Links = 'scopes' | 'ssoConfigurationId' | 'actsAsPersonId';

export interface LinkInput {
  readonly ssoConfigurationId?: string | null | undefined;
  readonly actsAsPersonId?: string | null | undefined;
}

type Settings = Omit<NewApplicationSettings, Links> & LinkInput & { readonly scopes: readonly ScopeInput[] };
export type CreateInput = MutationInput & Settings;
type Changes = Omit<ApplicationChanges, Links> & LinkInput & { readonly scopes?: readonly ScopeInput[] | null };
export type UpdateInput = IdInput & Changes;

/** No record has this id: what cannot be an id is refused in the same words as one that nothing has. */
const nothing = 0;

/** GraphQL inputs as the use cases take them: ids are integers there, and what is not limited has no account. */
export function createApplicationInputs(nodeIdDomain: string) {
  const idOf = (type: string, id: string | null): number | null =>
    id === null ? null : (parseRecordId(nodeIdDomain, type, id) ?? nothing);

  const linksOf = ({ ssoConfigurationId, actsAsPersonId }: LinkInput) => ({
    ...(ssoConfigurationId !== undefined && { ssoConfigurationId: idOf('SsoConfiguration', ssoConfigurationId) }),
    ...(actsAsPersonId !== undefined && { actsAsPersonId: idOf('Person', actsAsPersonId) }),
  });

  return {
    toSettings({ ssoConfigurationId, actsAsPersonId, scopes, ...settings }: Settings): NewApplicationSettings {
      return { ...settings, ...linksOf({ ssoConfigurationId, actsAsPersonId }), scopes: scopes.map(toScope) };
    },
    toChanges({ ssoConfigurationId, actsAsPersonId, scopes, ...settings }: Changes): ApplicationChanges {
      const links = linksOf({ ssoConfigurationId, actsAsPersonId });
      return { ...settings, ...links, ...(scopes && { scopes: scopes.map(toScope) }) };
    },
  };
}

const toScope = ({ effect, actions, account }: ScopeInput): Scope => ({
  effect,
  actions,
  ...(account != null && { account }),
});
