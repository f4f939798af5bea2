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

/** An id that no record has, so that a malformed id is refused in the same words as an unknown one. */
const unknownId = 0;

/** Converts GraphQL inputs for the use cases: node ids become integers, and a null account is left out. */
export function createApplicationInputs(nodeIdDomain: string) {
  const idOf = (type: string, id: string | null): number | null =>
    id === null ? null : (parseRecordId(nodeIdDomain, type, id) ?? unknownId);

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
