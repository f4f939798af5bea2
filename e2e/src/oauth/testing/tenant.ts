import { randomBytes } from 'node:crypto';
import type { HttpClient } from './http-client';
import type { Application, Operator, Person } from './operator';
import { pairIn, redeem } from './tokens';
import { signIn } from './visitor';
import type { Visitor } from './visitor';

export interface Member {
  readonly person: Person;
  readonly visitor: Visitor;
}

/** A token with its owner. `state` changes before a revoking call is sent, and again when it has returned. */
export interface Holding {
  readonly token: string;
  readonly kind: 'personal' | 'access';
  readonly member: Member;
  readonly accountId: string;
  /** The name on the profile page. */
  readonly name: string;
  /** The grant of the token; null for personal ones. */
  readonly grant: { readonly application: Application; readonly code: string } | null;
  state: 'live' | 'being revoked' | 'revoked';
  /** The cause of its revocation. */
  because?: string;
}

/** An account with people who hold tokens. Changes in it are serialised by `isBusy`. */
export interface Tenant {
  readonly accountId: string;
  application: Application;
  members: Member[];
  holdings: Holding[];
  isBusy: boolean;
}

export function createTenants(http: HttpClient, operator: Operator, origin: string, auth: string) {
  async function join(accountId: string): Promise<Member> {
    const person = await operator.createPerson(accountId);
    return { person, visitor: await signIn(http, origin, person) };
  }

  async function personal(tenant: Tenant, member: Member): Promise<Holding> {
    const { name, token } = await operator.createPersonalToken(member.person);
    return { token, kind: 'personal', member, accountId: tenant.accountId, name, grant: null, state: 'live' };
  }

  async function access({ accountId, application }: Tenant, member: Member): Promise<Holding> {
    const code = await member.visitor.authorize(application);
    const token = pairIn(await redeem(http, auth, application, code)).access_token;
    const { name } = application;
    return { token, kind: 'access', member, accountId, name, grant: { application, code }, state: 'live' };
  }

  /** Gives everybody in the account an active token of each kind again. */
  async function replenish(tenant: Tenant): Promise<void> {
    const live = tenant.holdings.filter(({ state }) => state === 'live');
    for (const member of tenant.members) {
      for (const make of [personal, access]) {
        const kind = make === personal ? 'personal' : 'access';
        if (!live.some((holding) => holding.member === member && holding.kind === kind)) {
          live.push(await make(tenant, member));
        }
      }
    }
    tenant.holdings = live;
  }

  return {
    join,
    replenish,
    async create(people: number): Promise<Tenant> {
      const accountId = `t${randomBytes(5).toString('hex')}`;
      await operator.ensureAccount(accountId);
      const application = await operator.createApplication(accountId);
      const tenant: Tenant = { accountId, application, members: [], holdings: [], isBusy: false };
      for (let index = 0; index < people; index += 1) tenant.members.push(await join(accountId));
      await replenish(tenant);
      return tenant;
    },
  };
}
export type Tenants = ReturnType<typeof createTenants>;
