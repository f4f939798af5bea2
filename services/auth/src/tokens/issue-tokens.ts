import { createOpaqueToken, digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Client } from '../clients/application';
import type { Person } from '../directory/person';
import { accessTokenMilliseconds, familyMilliseconds, keptMilliseconds, refreshTokenMilliseconds } from './token';
import type { IssuedTokens, TokenPair } from './token';
import type { FamilyReference, GrantReference, TokenFamily } from './token-family';
import type { TokenFamilyRepository } from './token-family.repository';
import type { TokenRepository } from './token.repository';

/** A token family with its expiry and the end of its refresh period. */
export interface LastingFamily extends Pick<TokenFamily, 'grant' | 'expiresAt'> {
  readonly endsAt: Date;
}

export interface TokenPairs {
  /**
   * Makes a token pair. `jkt`: thumbprint of the DPoP key that the access token is bound to, if any. `actions`: those of
   * the access token, when they are fewer than the grant has.
   */
  create(jkt: string | undefined, actions: readonly string[] | null): TokenPair;
  /** Stores the pair, valid from `createdAt`, and extends the family's expiry to it where necessary. Idempotent. */
  store(pair: TokenPair, family: LastingFamily, createdAt: Date, predecessor: string | null): Promise<void>;
  /** Issues an access token without a refresh token, for an hour, but not beyond `until`. */
  issueAlone(grant: FamilyReference, jkt: string | undefined, createdAt: Date, until: Date): Promise<IssuedTokens>;
}

export const createTokenPairs = (tokens: TokenRepository, families: TokenFamilyRepository): TokenPairs => ({
  create: (jkt, actions) => ({
    accessToken: createOpaqueToken('at'),
    refreshToken: createOpaqueToken('rt'),
    ...(jkt !== undefined && { jkt }),
    ...(actions && { actions }),
  }),
  async store(pair, { grant, expiresAt, endsAt }, createdAt, predecessor) {
    const refreshEnds = refreshEndOf(createdAt, endsAt);
    await Promise.all([
      tokens.store(
        {
          digest: digestOf(pair.accessToken),
          grant: { ...grant, ...(pair.actions && { actions: pair.actions }) },
          ...(pair.jkt !== undefined && { jkt: pair.jkt }),
          createdAt,
          expiresAt: after(createdAt, accessTokenMilliseconds),
          revokedAt: null,
        },
        {
          digest: digestOf(pair.refreshToken),
          grant,
          createdAt,
          endsAt: refreshEnds,
          expiresAt: after(refreshEnds, keptMilliseconds),
          predecessor,
          rotation: null,
        },
      ),
      expiresAt < refreshEnds && families.extend(grant.accountId, grant.familyId, after(createdAt, familyMilliseconds)),
    ]);
  },
  async issueAlone(grant, jkt, createdAt, until) {
    const lifeMilliseconds = Math.min(accessTokenMilliseconds, until.getTime() - createdAt.getTime());
    return {
      ...(await insertAccess(tokens, 'at', grant, jkt, createdAt, lifeMilliseconds)),
      lifeMilliseconds,
    };
  },
});

async function insertAccess(
  tokens: TokenRepository,
  kind: 'at' | 'xt',
  grant: GrantReference,
  jkt: string | undefined,
  createdAt: Date,
  lifeMilliseconds = accessTokenMilliseconds,
): Promise<IssuedTokens> {
  const accessToken = createOpaqueToken(kind);
  const bound = jkt === undefined ? {} : { jkt };
  const expiresAt = after(createdAt, lifeMilliseconds);
  await tokens.insertAccess({ digest: digestOf(accessToken), grant, ...bound, createdAt, expiresAt, revokedAt: null });
  return { accessToken, ...bound };
}

/**
 * Issues an access token for a client that acts as `person` without consent: valid for an hour, without a refresh token.
 * `actions`: null for all of the application's.
 */
export type IssueAccessToken = (
  client: Client,
  person: Person,
  jkt: string | undefined,
  actions: readonly string[] | null,
) => Promise<IssuedTokens>;

export const createIssueAccessToken =
  (tokens: TokenRepository, now: Clock): IssueAccessToken =>
  ({ application, token: { clientId } }, person, jkt, actions) => {
    const grant = {
      familyId: null,
      authorizationId: null,
      accountId: person.accountId,
      personId: person.id,
      applicationAccountId: application.accountId,
      applicationId: application.id,
      clientId,
      scopesVersion: application.scopesVersion,
      ...(actions && { actions }),
    };
    return insertAccess(tokens, 'xt', grant, jkt, now());
  };

/** When a refresh token made at `createdAt` ends: after two weeks, or with its family. */
export const refreshEndOf = (createdAt: Date, familyEndsAt: Date): Date =>
  earlier(after(createdAt, refreshTokenMilliseconds), familyEndsAt);

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);

export const after = (time: Date, milliseconds: number): Date => new Date(time.getTime() + milliseconds);
