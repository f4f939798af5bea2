import { checkBinding } from '@itsm/shared/api/identity/dpop-proof';
import type { Scope } from '@itsm/shared/contracts/scopes';
import { epochSeconds } from '@itsm/shared/base/time/clock';
import type { Clock } from '@itsm/shared/base/time/clock';
import { kindOf } from '@itsm/shared/base/ids/opaque-token';
import type { Application } from '../clients/application';
import { flatScope, narrowScopes } from '../clients/scope-sets';
import type { AuthenticateClient, ClientRequest } from './client-authentication';
import { checkParameters, required } from './parameters';
import type { PresentedState } from '../tokens/client-state.repository';
import { judge } from '../tokens/liveness';
import type { Person } from '../directory/person';
import type { LoadHolder } from '../tokens/holder';

/** The introspection answer (RFC 7662 §2.2). `scopes` has the full scope records, which the flat `scope` cannot always express. */
export type TokenIntrospection =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly iss: string;
      /** The resource server: this installation's API. Absent for a refresh token. */
      readonly aud?: string;
      readonly client_id: string;
      readonly sub: string;
      readonly account: string;
      readonly iat: number;
      readonly exp: number;
      readonly token_type?: 'bearer' | 'DPoP';
      readonly cnf?: { readonly jkt: string };
      readonly scope?: string;
      readonly scopes: readonly Scope[];
    };

interface Dependencies {
  readonly authenticateClient: AuthenticateClient;
  readonly loadHolder: LoadHolder;
  readonly issuer: string;
  readonly now: Clock;
}

interface Described {
  readonly person: Person;
  readonly application: Application;
  readonly scopes: readonly Scope[];
  readonly clientId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly type: 'bearer' | 'DPoP' | null;
  readonly jkt?: string | undefined;
}

const inactive = { active: false } as const;

export interface TokenIntrospectionService {
  /**
   * For clients: tokens of all applications of their own account, so that an organization's services can check tokens
   * that its applications send. Any other token is inactive (RFC 7662 §2.2).
   */
  forClient(request: ClientRequest): Promise<TokenIntrospection>;
  /** Introspects an access or personal access token for its holder. 401 unless `jkt` is the key that the token is bound to. */
  forHolder(
    token: string,
    jkt: string | undefined,
  ): Promise<{ readonly active: false } | { readonly active: true; readonly scopes: readonly Scope[] }>;
}

export function createTokenIntrospectionService(dependencies: Dependencies): TokenIntrospectionService {
  const { authenticateClient, loadHolder, issuer, now } = dependencies;

  /** Describes a refresh token that can still be rotated. */
  function describeRefresh({ refresh: found }: PresentedState): Described | undefined {
    if (!found || found.subject.rotation || found.subject.endsAt <= now()) return undefined;
    const { grant, createdAt, endsAt } = found.subject;
    const verdict = judge(grant, found.state, createdAt);
    if (verdict.kind === 'dead') return undefined;
    const scopes = narrowScopes(verdict.grant.application.scopes, grant.actions);
    return {
      ...verdict.grant,
      scopes,
      clientId: grant.clientId,
      createdAt,
      expiresAt: endsAt,
      type: null,
    };
  }

  async function describe(token: string, presented: PresentedState): Promise<Described | undefined> {
    const kind = kindOf(token);
    if (kind === 'rt') return describeRefresh(presented);
    if (kind !== 'at' && kind !== 'xt') return undefined;
    const holder = await loadHolder(token, presented);
    if (!holder?.application || holder.clientId === null) return undefined;
    const type = holder.jkt === undefined ? 'bearer' : 'DPoP';
    return { ...holder, application: holder.application, clientId: holder.clientId, type };
  }

  return {
    async forClient(request: ClientRequest): Promise<TokenIntrospection> {
      const parameters = checkParameters(request.body);
      const client = await authenticateClient(request, parameters, { secret: parameters.get('token') });
      const found = await describe(required(parameters, 'token'), client.presented);
      if (found?.application.accountId !== client.application.accountId) return inactive;
      return present(found, issuer);
    },
    async forHolder(
      token: string,
      jkt: string | undefined,
    ): Promise<{ active: false } | { active: true; scopes: readonly Scope[] }> {
      const holder = await loadHolder(token);
      if (holder) checkBinding(holder.jkt, jkt === undefined ? undefined : { jkt });
      return holder ? { active: true, scopes: holder.scopes } : inactive;
    },
  };
}

function present({ person, scopes, ...found }: Described, issuer: string): TokenIntrospection {
  const scope = flatScope(scopes);
  return {
    active: true,
    iss: issuer,
    client_id: found.clientId,
    sub: String(person.id),
    account: person.accountId,
    iat: epochSeconds(found.createdAt),
    exp: epochSeconds(found.expiresAt),
    ...(found.type && { aud: issuer, token_type: found.type }),
    ...(found.jkt !== undefined && { cnf: { jkt: found.jkt } }),
    ...(scope !== undefined && { scope }),
    scopes,
  };
}
