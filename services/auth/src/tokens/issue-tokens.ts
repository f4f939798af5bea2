import { createOpaqueToken, digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Client } from '../clients/application';
import type { Person } from '../directory/person';
import { accessTokenMilliseconds, familyMilliseconds, refreshTokenMilliseconds } from './token';
import type { IssuedTokens, TokenPair } from './token';
import type { TokenFamily } from './token-family';
import type { TokenFamilyRepository } from './token-family.repository';
import type { TokenRepository } from './token.repository';

/** A family, and how long it is known to last. */
export type LastingFamily = Pick<TokenFamily, 'grant' | 'expiresAt'>;

export interface TokenPairs {
  create(): TokenPair;
  /**
   * Makes the pair valid from `createdAt` on, and its family, which lasts until `family.expiresAt` at least, last as
   * long. May be repeated with the same values.
   */
  store(pair: TokenPair, family: LastingFamily, createdAt: Date, predecessor: string | null): Promise<void>;
}

export const createTokenPairs = (tokens: TokenRepository, families: TokenFamilyRepository): TokenPairs => ({
  create: () => ({ accessToken: createOpaqueToken('at'), refreshToken: createOpaqueToken('rt') }),
  async store(pair, { grant, expiresAt }, createdAt, predecessor) {
    const refreshEnds = after(createdAt, refreshTokenMilliseconds);
    await Promise.all([
      tokens.store(
        {
          digest: digestOf(pair.accessToken),
          grant,
          createdAt,
          expiresAt: after(createdAt, accessTokenMilliseconds),
          revokedAt: null,
        },
        {
          digest: digestOf(pair.refreshToken),
          grant,
          createdAt,
          expiresAt: refreshEnds,
          predecessor,
          rotation: null,
        },
      ),
      expiresAt < refreshEnds && families.extend(grant.accountId, grant.familyId, after(createdAt, familyMilliseconds)),
    ]);
  },
});

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

export const after = (time: Date, milliseconds: number): Date => new Date(time.getTime() + milliseconds);
