import { createOpaqueToken, digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Client } from '../clients/application';
import type { Person } from '../directory/person';
import { accessTokenMilliseconds } from './token';
import type { IssuedTokens } from './token';
import { after } from './token-pairs';
import type { TokenRepository } from './token.repository';

/** An access token for a client that needs no consent to act as `person`: for an hour, with nothing to refresh it. */
export type IssueAccessToken = (client: Client, person: Person) => Promise<IssuedTokens>;

export const createIssueAccessToken =
  (tokens: TokenRepository, now: Clock): IssueAccessToken =>
  async ({ application, token: { clientId } }, person) => {
    const accessToken = createOpaqueToken('xt');
    const createdAt = now();
    await tokens.insertAccess({
      digest: digestOf(accessToken),
      grant: {
        familyId: null,
        authorizationId: null,
        accountId: person.accountId,
        personId: person.id,
        applicationAccountId: application.accountId,
        applicationId: application.id,
        clientId,
        scopesVersion: application.scopesVersion,
      },
      createdAt,
      expiresAt: after(createdAt, accessTokenMilliseconds),
      revokedAt: null,
    });
    return { accessToken };
  };
