import { randomUUID } from 'node:crypto';
import type { Clock } from '@itsm/shared/base/time/clock';
import { createOpaqueToken, digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { FamilyReference } from '../tokens/token-family';
import type { TokenFamilyRepository } from '../tokens/token-family.repository';
import { codeMilliseconds, keptMilliseconds } from '../tokens/token';
import { after } from '../tokens/issue-tokens';
import type { AuthorizationRequest } from './authorization-request';

/** References to the documents that a code and its tokens depend on. */
export type GrantBasis = Omit<FamilyReference, 'familyId' | 'clientId' | 'actions'>;

/** Starts a token family and returns its authorization code. */
export type IssueCode = (
  basis: GrantBasis,
  request: AuthorizationRequest,
  /** The granted actions; null for all of the application's. */
  actions: readonly string[] | null,
) => Promise<string>;

export const createIssueCode =
  (families: TokenFamilyRepository, now: Clock): IssueCode =>
  async (basis, { clientId, redirectUri, challenge, jkt }, actions) => {
    const code = createOpaqueToken('ac');
    const createdAt = now();
    const expiresAt = after(createdAt, codeMilliseconds);
    const { authorizationId, accountId, personId, applicationAccountId, applicationId, scopesVersion } = basis;
    const { sessionId, authenticatedAt } = basis;
    await families.insert({
      grant: {
        familyId: randomUUID(),
        authorizationId,
        accountId,
        personId,
        applicationAccountId,
        applicationId,
        clientId,
        scopesVersion,
        ...(sessionId !== undefined && { sessionId }),
        ...(authenticatedAt && { authenticatedAt }),
        ...(actions && { actions }),
      },
      code: {
        digest: digestOf(code),
        redirectUri,
        challenge,
        ...(jkt !== undefined && { jkt }),
        expiresAt,
        usedAt: null,
      },
      createdAt,
      expiresAt: after(expiresAt, keptMilliseconds),
      revokedAt: null,
    });
    return code;
  };
