import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { AppError, validationFailed } from '@itsm/shared/base/errors/app-error';
import { settingsOf } from '@itsm/shared/declared/changes';
import { newRecord } from '@itsm/shared/declared/read-input';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Audit } from '../security/audit.service';
import type { Announce } from '../security/announce';
import type { Application, ApplicationChanges } from './application';
import { changeEntries, createdEntry } from './application-entries';
import type { ApplicationRepository } from './application.repository';
import { applicationType } from './application';
import { newClientToken } from './client-token';
import type { ClientToken } from './client-token';
import { isRedirectUri } from './redirect-uri';
import { isSameScopes } from './scope-sets';

/** The settings of an operator. */
export type ApplicationInput = Omit<ApplicationChanges, 'disabled'> &
  Required<Pick<ApplicationChanges, 'name' | 'redirectUris' | 'grantTypes' | 'scopes'>>;

/** The secret is known here and never again. */
export interface ApplicationCredentials {
  readonly id: number;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Dependencies {
  readonly applications: ApplicationRepository;
  readonly sequence: Sequence;
  readonly announce: Announce;
  readonly audit: Audit;
  readonly now: Clock;
}

/** Creates the application of this name or brings it up to date; its former tokens are deleted. */
export type EnsureApplication = (accountId: string, input: ApplicationInput) => Promise<ApplicationCredentials>;

export const createEnsureApplication =
  ({ applications, sequence, announce, audit, now }: Dependencies): EnsureApplication =>
  async (accountId, input) => {
    checkRedirectUris(input.redirectUris);
    const { clientSecret, token } = newClientToken(now(), null);
    const attempt = async () => {
      const existing = await applications.findByName(accountId, input.name);
      const id = existing?.id ?? (await sequence.next('application'));
      const application = toApplication(id, accountId, input, token);
      if (!existing && !(await applications.insert(application))) return stale;
      if (existing) await applications.change(accountId, id, changesOf(existing, application));
      const scopes = existing && !isSameScopes(existing.scopes, application.scopes) ? ['scopes'] : [];
      const entries = existing
        ? changeEntries(existing, { ...application, disabledAt: existing.disabledAt }, scopes)
        : [createdEntry(application)];
      const { clientId } = token;
      const record = async (): Promise<void> => {
        for (const entry of [...entries, { event: 'client_token.created', application, clientId } as const]) {
          await audit.record(accountId, entry);
        }
      };
      await (existing ? announce([accountId], record) : record());
      return { id, clientId, clientSecret };
    };
    return writeAgain(attempt, { busy });
  };

const busy = (): never => {
  throw new AppError('conflict', 'The application is being made and deleted too often; try again');
};

const toApplication = (id: number, accountId: string, input: ApplicationInput, token: ClientToken): Application => ({
  id,
  accountId,
  ...newRecord(applicationType, input),
  version: 1,
  scopesVersion: 1,
  tokens: [token],
  enabledAt: null,
  createdAt: token.createdAt,
  updatedAt: token.createdAt,
});

/** The changes for an existing application. Its disabled state is kept; so are grants, unless the scopes differ. */
function changesOf(existing: Application, application: Application) {
  const { name: _name, disabledAt: _disabledAt, scopes, ...settings } = settingsOf(applicationType, application);
  const isSame = isSameScopes(existing.scopes, scopes);
  const { tokens, updatedAt } = application;
  return { ...settings, tokens, updatedAt, ...(!isSame && { scopes }) };
}

function checkRedirectUris(uris: readonly string[]): void {
  const refused = uris.filter((uri) => !isRedirectUri(uri));
  if (refused.length > 0) throw validationFailed(refused.map((uri) => ['redirectUris', `${uri} cannot be used`]));
}
