import type { HttpClient } from './http-client';
import { everything } from './operator';
import type { Application, Operator } from './operator';
import type { Holding, Tenant, Tenants } from './tenant';
import { redeem } from './tokens';

/**
 * A way to revoke tokens: which tokens of the tenant it ends besides `chosen`, how, and what must be created again
 * afterwards.
 */
export interface Cause {
  readonly of: readonly Holding['kind'][];
  ends(chosen: Holding, other: Holding): boolean;
  /** Resolves when the tokens are revoked. */
  act(tenant: Tenant, chosen: Holding): Promise<void>;
  repair?(tenant: Tenant, chosen: Holding): Promise<void>;
}

interface Surroundings {
  readonly http: HttpClient;
  readonly operator: Operator;
  readonly tenants: Tenants;
  readonly auth: string;
}

const itself = (chosen: Holding, other: Holding): boolean => other === chosen;
const sameApplication = (chosen: Holding, other: Holding): boolean =>
  other.grant !== null && other.grant.application.id === chosen.grant?.application.id;

/** The grant of an access token; causes for access tokens only get these. */
function grantOf({ grant }: Holding) {
  if (!grant) throw new Error('a personal access token has no application');
  return grant;
}

async function pressRevoke({ member: { visitor }, name }: Holding): Promise<void> {
  const page = await visitor.visit('/oauth/profile');
  const row = page.text.slice(page.text.indexOf(`<h3>${name}</h3>`));
  const action = /action="([^"]+\/revoke)"/.exec(row)?.[1];
  if (action === undefined) throw new Error(`the profile does not show ${name}: ${page.status}`);
  const answer = await visitor.submit(page, action);
  if (answer.status !== 303) throw new Error(`revoking answered ${answer.status}`);
}

export const createCauses = ({ http, operator, tenants, auth }: Surroundings) => {
  const newApplication = async (tenant: Tenant): Promise<void> => {
    tenant.application = await operator.createApplication(tenant.accountId);
  };
  const changes = new Map<number, number>();
  /** Never the application's current ones, and always sufficient for every use. */
  const otherScopes = ({ id }: Application) => {
    const count = (changes.get(id) ?? 0) + 1;
    changes.set(id, count);
    return [...everything, { effect: 'deny', actions: [`import:${count % 2 === 0 ? 'Create' : 'Delete'}`] }];
  };
  return {
    'the person revokes it on the profile page': {
      of: ['personal', 'access'],
      ends: (chosen, other) =>
        chosen.grant === null ? other === chosen : other.member === chosen.member && sameApplication(chosen, other),
      act: (_tenant, chosen) => pressRevoke(chosen),
    },
    'its code is presented again': {
      of: ['access'],
      ends: itself,
      async act(_tenant, chosen) {
        const { application, code } = grantOf(chosen);
        const { status } = await redeem(http, auth, application, code);
        if (status !== 400) throw new Error(`a replayed code answered ${status}`);
      },
    },
    "the application's scopes change": {
      of: ['access'],
      ends: sameApplication,
      act(_tenant, chosen) {
        const { application } = grantOf(chosen);
        return operator.changeApplication(application, { scopes: otherScopes(application) });
      },
    },
    "the client's token is disabled": {
      of: ['access'],
      ends: sameApplication,
      act({ accountId }, chosen) {
        const { clientId } = grantOf(chosen).application;
        return operator.call('services.clientTokens.update', accountId, everything, { clientId }, { disabled: true });
      },
      repair: newApplication,
    },
    "the client's token is deleted": {
      of: ['access'],
      ends: sameApplication,
      async act(tenant, chosen) {
        tenant.application = await operator.renewApplicationToken(grantOf(chosen).application);
      },
    },
    'the application is disabled': {
      of: ['access'],
      ends: sameApplication,
      act: (_tenant, chosen) => operator.changeApplication(grantOf(chosen).application, { disabled: true }),
      repair: newApplication,
    },
    'the person is disabled': {
      of: ['personal', 'access'],
      ends: (chosen, other) => other.member === chosen.member,
      act: ({ accountId }, chosen) => operator.call('services.persons.disable', accountId, chosen.member.person.id),
      async repair(tenant, chosen) {
        const others = tenant.members.filter((member) => member !== chosen.member);
        tenant.members = [...others, await tenants.join(tenant.accountId)];
      },
    },
  } satisfies Record<string, Cause>;
};
export type CauseName = keyof ReturnType<typeof createCauses>;

/** How often each is drawn; causes that revoke much at once are rarer. */
export const causeWeights: Readonly<Record<CauseName, number>> = {
  'the person revokes it on the profile page': 40,
  'its code is presented again': 20,
  "the application's scopes change": 6,
  "the client's token is disabled": 4,
  "the client's token is deleted": 4,
  'the application is disabled': 3,
  'the person is disabled': 6,
};
