import { notFound } from '@itsm/shared/base/errors/app-error';
import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { checkParameters, parseQueryParameters } from '@itsm/shared/api/rest/query-parameters';
import { sendRecord } from '@itsm/shared/api/rest/send';
import { Router } from 'express';
import { namedFilters, sourcedFields, sourcedFilters } from '@itsm/shared/api/rest/record-fields';
import type { Resource } from '@itsm/shared/api/rest/resource';
import type { Account } from './account';
import type { AccountRepository } from './account.repository';
import { createListingRoutes } from './listing.routes';
import { supportIdOf } from './person';
import type { Person } from './person';
import type { PersonRepository, Visibility } from './person.repository';
import { mayKnowRoles } from './person-access';

interface PersonView {
  readonly nodeIdDomain: string;
  /** The caller; roles are shown for their selected account. */
  readonly caller: Pick<Caller, 'accountId' | 'personId' | 'roles'>;
  /** The accounts of the shown people, by id. */
  readonly accounts: ReadonlyMap<string, Account>;
}

/** With the virtual member that filters use. */
type ListedPerson = Person & { readonly disabled?: boolean };

export const personResource: Resource<ListedPerson, PersonView> = {
  fields: {
    id: ({ id }) => id,
    nodeID: ({ id }, { nodeIdDomain }) => toNodeId(nodeIdDomain, 'Person', id),
    name: ({ name }) => name,
    primary_email: ({ primaryEmail }) => primaryEmail,
    verified: ({ verified }) => verified,
    supportID: supportIdOf,
    account: ({ accountId }, { accounts }) => ({ id: accountId, name: accounts.get(accountId)?.name ?? null }),
    roles: (person, { caller }) => (mayKnowRoles(person, caller) ? (person.roles[caller.accountId] ?? []) : []),
    disabled: ({ disabledAt }) => disabledAt !== null,
    locale: ({ locale }) => locale,
    time_zone: ({ timeZone }) => timeZone,
    ...sourcedFields,
  },
  collectionFields: [
    'id',
    'nodeID',
    'name',
    'primary_email',
    'disabled',
    'source',
    'sourceID',
    'created_at',
    'updated_at',
  ],
  sortable: { id: 'id', name: 'name', primary_email: 'primaryEmail', created_at: 'createdAt', updated_at: 'updatedAt' },
  filterable: {
    ...namedFilters,
    primary_email: { property: 'primaryEmail', type: 'string' },
    disabled: { property: 'disabled', type: 'boolean' },
    ...sourcedFilters,
  },
};

interface Dependencies {
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly nodeIdDomain: string;
  readonly baseUrl: string;
}

/** `GET /v1/people` and `/v1/people/:id`: the people that GraphQL's `people` shows; `/v1/people/me`: the caller. */
export function createPersonRoutes(dependencies: Dependencies): Router {
  const { people, accounts, nodeIdDomain, baseUrl } = dependencies;

  async function visibilityIn(accountId: string): Promise<Visibility> {
    const account = await accounts.find(accountId);
    return { accountId, directoryAccountId: account?.directoryAccountId ?? null };
  }

  const listing = createListingRoutes({
    action: 'person:Read',
    resource: personResource,
    baseUrl,
    source: async ({ accountId }) => people.source(await visibilityIn(accountId)),
    async find({ accountId }, text) {
      const id = parseRecordId(nodeIdDomain, 'Person', text);
      if (id === undefined) return undefined;
      const [found] = await people.findVisible(await visibilityIn(accountId), [id]);
      return found;
    },
    createView: (caller) => createView(dependencies, caller),
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
  const known = new Map<string, Account>();
  async function remember(found: readonly Person[]): Promise<void> {
    const wanted = [...new Set(found.map((person) => person.accountId))];
    for (const account of await accounts.findMany(wanted)) known.set(account.id, account);
  }
  return { view: { nodeIdDomain, caller, accounts: known }, remember };
}
