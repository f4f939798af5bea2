import { notFound } from '@itsm/shared/base/errors/app-error';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { checkParameters, parseQueryParameters } from '@itsm/shared/api/rest/query-parameters';
import { sendRecord } from '@itsm/shared/api/rest/send';
import { Router } from 'express';
import { declaredResource } from '@itsm/shared/declared/declared.resource';
import type { Edits } from '@itsm/shared/declared/edits';
import { declaredRoutes } from '@itsm/shared/declared/declared.routes';
import type { Account } from './account';
import type { AccountRepository } from './account.repository';
import { personType, supportIdOf } from './person';
import type { Person } from './person';
import type { PersonRepository } from './person.repository';
import { mayKnowIdentity, mayKnowRoles } from './person-access';

interface PersonView {
  readonly nodeIdOf: (graphqlName: string, id: number) => string;
  /** The caller; roles are shown for their selected account. */
  readonly caller: Pick<Caller, 'accountId' | 'personId' | 'roles' | 'kind'>;
  /** The accounts of the shown people, by id. */
  readonly accounts: ReadonlyMap<string, Account>;
}

/** With the virtual member that filters use. */
type ListedPerson = Person & { readonly disabled?: boolean };

/** The REST form of a person. */
export const personResource = declaredResource<typeof personType, ListedPerson, PersonView>(
  personType,
  {
    supportID: supportIdOf,
    account: ({ accountId }, { accounts }) => ({ id: accountId, name: accounts.get(accountId)?.name ?? null }),
    roles: (person, { caller }) => (mayKnowRoles(person, caller) ? (person.roles[caller.accountId] ?? []) : []),
  },
  {
    authenticationID: (person, { caller }) => (mayKnowIdentity(person, caller) ? person.authenticationID : null),
  },
);

interface Dependencies {
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly nodeIdDomain: string;
  readonly baseUrl: string;
}

interface PersonEdits {
  readonly edits: Edits<typeof personType, Person>;
}

/**
 * `/v1/people` and `/v1/people/:id`: the people that GraphQL's `people` shows, and what its mutations do;
 * `/v1/people/me`: the caller.
 */
export function createPersonRoutes({ edits, ...dependencies }: Dependencies & PersonEdits): Router {
  const { nodeIdDomain, baseUrl } = dependencies;
  const listing = declaredRoutes(personType, edits, {
    resource: personResource,
    createView: (caller) => createView(dependencies, caller),
    baseUrl,
    nodeIdDomain,
  });
  return Router().use('/me', createMeRoutes(dependencies)).use(listing);
}

/** `GET /`: the person who makes the call, whom GraphQL's `me` shows. */
export function createMeRoutes(dependencies: Dependencies): Router {
  const router = Router();
  router
    .route('/')
    .get(allow('me:Name'), async (req, res) => {
      checkParameters(parseQueryParameters(req.originalUrl), ['fields']);
      const caller = callerOf(req);
      const person = await dependencies.people.find(caller.homeAccountId, caller.personId);
      if (!person) throw notFound();
      const { view, remember } = createView(dependencies, caller);
      await remember([person]);
      sendRecord(req, res, { resource: personResource, view, record: person });
    })
    .all(methodNotAllowed('GET'));
  return router;
}

function createView({ accounts, nodeIdDomain }: Dependencies, caller: Caller) {
  const nodeIdOf = (graphqlName: string, id: number): string => toNodeId(nodeIdDomain, graphqlName, id);
  const known = new Map<string, Account>();
  async function remember(found: readonly Person[]): Promise<void> {
    const wanted = [...new Set(found.map((person) => person.accountId))];
    for (const account of await accounts.findMany(wanted)) known.set(account.id, account);
  }
  return { view: { nodeIdOf, caller, accounts: known }, remember };
}
