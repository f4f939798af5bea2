import { notFound } from '@itsm/shared/base/errors/app-error';
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

export type CreateInput = Omit<NewApplicationSettings, Links> & LinkInput & { readonly scopes: readonly ScopeInput[] };
export type UpdateInput = Omit<ApplicationChanges, Links> &
  LinkInput & { readonly id: string; readonly scopes?: readonly ScopeInput[] | null };

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
    toSettings(input: CreateInput): NewApplicationSettings {
      const { ssoConfigurationId, actsAsPersonId, scopes, ...settings } = input;
      return { ...settings, ...linksOf({ ssoConfigurationId, actsAsPersonId }), scopes: scopes.map(toScope) };
    },
    /** Throws a 404 for what cannot be the id of an application. */
    toChanges(input: UpdateInput): { id: number; changes: ApplicationChanges } {
      const { id, ssoConfigurationId, actsAsPersonId, scopes, ...settings } = input;
      const applicationId = parseRecordId(nodeIdDomain, 'OAuthApplication', id);
      if (applicationId === undefined) throw notFound();
      const links = linksOf({ ssoConfigurationId, actsAsPersonId });
      return { id: applicationId, changes: { ...settings, ...links, ...(scopes && { scopes: scopes.map(toScope) }) } };
    },
  };
}

const toScope = ({ effect, actions, account }: ScopeInput): Scope => ({
  effect,
  actions,
  ...(account != null && { account }),
});
