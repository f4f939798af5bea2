import { validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Scope } from '@itsm/shared/contracts/scopes';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { Clock } from '@itsm/shared/base/time/clock';
import { createOpaqueToken, digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { AuditFacts } from '../security/audit-entry';
import type { Audit } from '../security/audit.service';
import { scopeFacts } from '../security/audit-entry';
import type { Announce } from '../security/announce';
import type { PersonalAccessTokenRepository } from './personal-access-token.repository';

export interface PersonalAccessTokenInput {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
}

interface Dependencies {
  readonly personalTokens: PersonalAccessTokenRepository;
  readonly sequence: Sequence;
  readonly announce: Announce;
  readonly audit: Audit;
  readonly now: Clock;
}

/** All of them are on one page. */
export const mostTokens = 100;

export interface PersonalAccessTokenService {
  /** Creates a token and returns it, the only time it is shown. A 422 when the name is taken, or the person has too many. */
  create(accountId: string, personId: number, input: PersonalAccessTokenInput): Promise<string>;
  /** Replaces the token with the same name by a new one. */
  replace(accountId: string, personId: number, input: PersonalAccessTokenInput): Promise<string>;
  /** When it returns, the token is no longer accepted. Idempotent. */
  revoke(accountId: string, personId: number, id: number): Promise<void>;
}

export function createPersonalAccessTokenService(dependencies: Dependencies): PersonalAccessTokenService {
  const { personalTokens, sequence, announce, audit, now } = dependencies;

  const log = (
    event: 'personal_access_token.created' | 'personal_access_token.revoked',
    accountId: string,
    personId: number,
    facts: AuditFacts,
  ): Promise<void> => audit.record(accountId, { event, person: { accountId, id: personId }, facts });

  async function add(accountId: string, personId: number, input: PersonalAccessTokenInput): Promise<string> {
    const token = createOpaqueToken('pat');
    const id = await sequence.next('personal_access_token');
    const { name, scopes, expiresAt } = input;
    const digest = digestOf(token);
    const record = { id, accountId, personId, name, scopes, expiresAt, digest, createdAt: now(), lastUsedAt: null };
    if (!(await personalTokens.insert(record))) {
      throw validationFailed([['name', 'You already have a token with this name']]);
    }
    const facts = { name, scopes: scopeFacts(scopes), expires: expiresAt.toISOString() };
    await log('personal_access_token.created', accountId, personId, facts);
    return token;
  }

  return {
    async create(accountId, personId, input) {
      if ((await personalTokens.count(accountId, personId)) >= mostTokens)
        throw validationFailed([['name', `You have ${mostTokens} tokens already. Revoke one first.`]]);
      return add(accountId, personId, input);
    },
    async replace(accountId: string, personId: number, input: PersonalAccessTokenInput): Promise<string> {
      const logRevoked = () => log('personal_access_token.revoked', accountId, personId, { name: input.name });
      const deleted = await personalTokens.deleteByName(accountId, personId, input.name);
      try {
        // Create before the announcement: if that fails, a retry has a token to revoke, and so announces again.
        return await add(accountId, personId, input);
      } finally {
        if (deleted) await announce([accountId], logRevoked);
      }
    },
    async revoke(accountId: string, personId: number, id: number): Promise<void> {
      const found = (await personalTokens.list(accountId, personId)).find((token) => token.id === id);
      const deleted = await personalTokens.delete(accountId, personId, id);
      await announce([accountId], async () => {
        if (found && deleted) await log('personal_access_token.revoked', accountId, personId, { name: found.name });
      });
    },
  };
}
