import { randomUUID } from 'node:crypto';
import type { Clock } from '@itsm/shared/base/time/clock';
import { createOpaqueToken, digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { Authorization } from '../tokens/authorization';
import type { TokenFamilyRepository } from '../tokens/token-family.repository';
import { codeMilliseconds } from '../tokens/token';
import { after } from '../tokens/issue-tokens';
import type { AuthorizationRequest } from './authorization-request';

/** Starts a token family and returns the code that leads to its first tokens. */
export type IssueCode = (
  authorization: Authorization,
  request: AuthorizationRequest,
  /** Those that its tokens may do; null for all that the application may. */
  actions: readonly string[] | null,
) => Promise<string>;

export const createIssueCode =
  (families: TokenFamilyRepository, now: Clock): IssueCode =>
  async (authorization, { clientId, redirectUri, challenge, scope }, actions) => {
    const code = createOpaqueToken('ac');
    const createdAt = now();
    const expiresAt = after(createdAt, codeMilliseconds);
    const {
      id: authorizationId,
      accountId,
      personId,
      applicationAccountId,
      applicationId,
      scopesVersion,
    } = authorization;
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
        ...(actions && { actions }),
      },
      code: { digest: digestOf(code), redirectUri, challenge, scopeAsked: scope != null, expiresAt, usedAt: null },
      createdAt,
      expiresAt,
      revokedAt: null,
    });
    return code;
  };
