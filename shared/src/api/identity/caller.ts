import { z } from 'zod';
import { badRequest, forbidden } from '../../base/errors/app-error';
import { roles } from '../../contracts/directory';
import type { Role } from '../../contracts/directory';
import { scopeSchema } from '../../contracts/scopes';
import type { Scope } from '../../contracts/scopes';

/** The claims that auth vouches for in the short-lived JWT that services get instead of the client's token. */
export const callerClaims = z.object({
  sub: z.string().regex(/^\d+$/),
  name: z.string(),
  /** The account that the person belongs to. */
  home: z.string(),
  /** Selectable accounts, with the person's roles in each. */
  accounts: z.record(z.string(), z.array(z.enum(roles))),
  scopes: z.array(scopeSchema),
  kind: z.enum(['access', 'exchange', 'personal']),
  /** The application that acts on behalf of the person; null for a personal access token. */
  application: z.int().nullable(),
  locale: z.string(),
  time_zone: z.string(),
  /** When the person authenticated (OpenID Connect Core 1.0 §2); absent without a sign-in, or when unknown. */
  auth_time: z.int().optional(),
  exp: z.int(),
});
export type CallerClaims = z.infer<typeof callerClaims>;

/** The caller in the selected account. */
export interface Caller {
  readonly personId: number;
  readonly name: string;
  readonly homeAccountId: string;
  readonly accountId: string;
  readonly roles: readonly Role[];
  /** Roles in every selectable account. */
  readonly accounts: CallerClaims['accounts'];
  readonly scopes: readonly Scope[];
  readonly kind: CallerClaims['kind'];
  readonly applicationId: number | null;
  readonly locale: string;
  readonly timeZone: string;
  /** When the person authenticated; undefined without a sign-in, or when unknown. */
  readonly authenticatedAt: Date | undefined;
}

/**
 * The caller in the account that `X-Service-Account` selects. 400 when the header is missing, 403 for an account of
 * which the person is no member.
 */
export function selectAccount(claims: CallerClaims, header: string | undefined): Caller {
  if (header === undefined || header === '') throw badRequest('Missing X-Service-Account header');
  const rolesThere = Object.hasOwn(claims.accounts, header) ? claims.accounts[header] : undefined;
  if (!rolesThere) throw forbidden();
  return {
    personId: Number(claims.sub),
    name: claims.name,
    homeAccountId: claims.home,
    accountId: header,
    roles: rolesThere,
    accounts: claims.accounts,
    scopes: claims.scopes,
    kind: claims.kind,
    applicationId: claims.application,
    locale: claims.locale,
    timeZone: claims.time_zone,
    authenticatedAt: claims.auth_time === undefined ? undefined : new Date(claims.auth_time * 1_000),
  };
}
