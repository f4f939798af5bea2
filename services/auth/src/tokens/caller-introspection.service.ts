import type { CallerClaims } from '@itsm/shared/api/identity/caller';
import type { CalledService } from '@itsm/shared/api/identity/caller-token';
import { epochSeconds } from '@itsm/shared/base/time/clock';
import type { Clock } from '@itsm/shared/base/time/clock';
import { noAccount } from '../security/audit-entry';
import type { SigningKeys } from './signing-keys';
import type { Holder, LoadHolder } from './holder';

/**
 * The introspection answer for the gateway. `accounts`: an announcement for one of them invalidates the cached caller.
 * `limit_key`: the key of the rate limit (spec: Limits, Request rate).
 */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true;
      /** The resource server that every access token is for: the API of this installation. */
      readonly aud: string;
      /** One token for each service. */
      readonly caller_tokens: Readonly<Record<CalledService, string>>;
      readonly claims: CallerClaims;
      /** Seconds until the caller tokens expire: a duration is the same by every clock. */
      readonly expires_in: number;
      readonly limit_key: string;
      /** The key that the token is bound to, if it is (RFC 9449 §6.2). */
      readonly cnf?: { readonly jkt: string };
      readonly accounts: readonly string[];
    };

interface Dependencies {
  readonly loadHolder: LoadHolder;
  readonly keys: SigningKeys;
  readonly baseUrl: string;
  readonly now: Clock;
}

const callerMilliseconds = 60_000;

export interface IntrospectionService {
  /** Reads the present state at every call: a token revoked before the call is inactive. */
  introspect(token: string): Promise<Introspection>;
}

export const createIntrospectionService = ({ loadHolder, keys, baseUrl, now }: Dependencies): IntrospectionService => ({
  async introspect(token: string): Promise<Introspection> {
    const holder = await loadHolder(token);
    if (!holder) return { active: false };
    const { person, application, jkt } = holder;
    const claims = claimsOf(holder, new Date(now().getTime() + callerMilliseconds));
    return {
      active: true,
      aud: baseUrl,
      caller_tokens: await keys.signForEach(claims),
      claims,
      expires_in: claims.exp - epochSeconds(now()),
      ...(jkt !== undefined && { cnf: { jkt } }),
      limit_key: `${application ? `application:${application.id}:` : ''}person:${person.id}`,
      accounts: [...new Set([person.accountId, application?.accountId ?? noAccount])].filter((id) => id !== noAccount),
    };
  },
});

const claimsOf = (holder: Holder, latest: Date): CallerClaims => ({
  sub: String(holder.person.id),
  name: holder.person.name,
  home: holder.person.accountId,
  accounts: usableRoles(holder),
  scopes: [...holder.scopes],
  kind: holder.kind,
  application: holder.application?.id ?? null,
  locale: holder.person.locale,
  time_zone: holder.person.timeZone,
  ...(holder.authenticatedAt && { auth_time: epochSeconds(holder.authenticatedAt) }),
  exp: epochSeconds(holder.expiresAt < latest ? holder.expiresAt : latest),
});

/** Roles by account in which the person can act now. */
const usableRoles = (holder: Holder): CallerClaims['accounts'] =>
  Object.fromEntries(
    holder.accounts
      .filter((account) => !account.disabledAt && reaches(holder, account.id))
      .map(({ id }) => [id, [...(holder.person.roles[id] ?? [])]]),
  );

/**
 * Whether the token is valid in the account. A token that an application got without the person's consent (token
 * exchange, client credentials) for a person of its directory account is valid only in the application's own account:
 * its administrators must not get access elsewhere by choosing an issuer or a person.
 */
const reaches = ({ kind, person, application }: Holder, accountId: string): boolean =>
  kind !== 'exchange' || application?.accountId === accountId || application?.accountId === person.accountId;
