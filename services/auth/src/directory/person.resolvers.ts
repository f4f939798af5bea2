import { forbidden } from '@itsm/shared/base/errors/app-error';
import { oncePerCall } from '@itsm/shared/base/concurrency/present-call';
import { nodeResolvers, numberedIds } from '@itsm/shared/api/graphql/node-resolvers';
import { allowed, allowedReference } from '@itsm/shared/api/graphql/resolver';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { toPayload } from '@itsm/shared/api/graphql/mutation-payload';
import type { MutationArgs, MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import type { Role } from '@itsm/shared/contracts/directory';
import type { Account } from './account';
import type { AccountRepository } from './account.repository';
import { createDirectories } from './directory';
import { listing } from './listing';
import { supportIdOf } from './person';
import type { Person } from './person';
import { editorRoles, mayKnowRoles } from './person-access';
import type { Editor } from './person-access';
import type { PersonAdministration } from './person-administration.service';
import type { PersonRepository } from './person.repository';
import type { RoleOffer } from './role-offer';
import type { RoleOffers } from './role-offer.service';

interface Dependencies {
  readonly personAdministration: PersonAdministration;
  readonly roleOffers: Pick<RoleOffers, 'offer'>;
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly nodeIdDomain: string;
}

interface Membership {
  readonly account: Account;
  readonly roles: readonly Role[];
}

interface Reference {
  readonly id: string;
}

/** Resolvers of people: visibility, creation and changes. */
export function createPersonResolvers(dependencies: Dependencies) {
  const { personAdministration, roleOffers, people, accounts, nodeIdDomain } = dependencies;
  const directoryOf = createDirectories({ people, accounts });
  const { parseId, idOf, load } = nodeResolvers({ type: 'Person', nodeIdDomain, restNames: {} });

  const loadPerson = ({ id: text }: Reference, { caller }: SubgraphContext) =>
    load(text, (id) => directoryOf(caller).person(id));

  return {
    Query: {
      me: allowed('me:Name', (_parent, _args, { caller }) =>
        oncePerCall('me', () => people.find(caller.homeAccountId, caller.personId)),
      ),
      people: listing('person:Read', parseId, async (words, caller) =>
        people.source(await directoryOf(caller).visibility(), words),
      ),
      person: allowed<Reference>('person:Read', (_parent, args, context) => loadPerson(args, context)),
    },
    Mutation: {
      personCreate: allowed<MutationArgs<MutationInput>>(
        'person:Create',
        (_parent, { input }, { caller }) =>
          toPayload(input, async () => ({
            person: await personAdministration.create(caller.accountId, editorOf(caller), input),
          })),
        ...editorRoles,
      ),
      personUpdate: allowed<MutationArgs<MutationInput & Reference>>(
        'person:Update',
        (_parent, { input }, { caller }) =>
          toPayload(input, async () => {
            const { accountId } = caller;
            return { person: await personAdministration.update(accountId, editorOf(caller), idOf(input.id), input) };
          }),
        ...editorRoles,
      ),
      roleOfferCreate: allowed<MutationArgs<MutationInput>>(
        'person:Update',
        (_parent, { input }, { caller }) =>
          toPayload(input, async (given) => ({
            roleOffer: await roleOffers.offer(caller.accountId, editorOf(caller), given),
          })),
        'account_administrator',
      ),
    },
    RoleOffer: { accountID: ({ homeAccountId }: RoleOffer) => homeAccountId },
    Person: {
      // A reference from another service needs `person:Read` too.
      __resolveReference: allowedReference('person:Read', loadPerson),
      ...numberedIds(nodeIdDomain, 'Person'),
      supportID: supportIdOf,
      authenticationID: (person: Person, _args: unknown, { caller }: SubgraphContext) =>
        mayKnowIdentity(person, caller) ? person.authenticationId : null,
      roles: (person: Person, _args: unknown, { caller }: SubgraphContext) =>
        mayKnowRoles(person, caller) ? (person.roles[caller.accountId] ?? []) : [],
      disabled: (person: Person) => person.disabledAt !== null,
      account: (person: Person, _args: unknown, { caller }: SubgraphContext) => directoryOf(caller).accountOf(person),
      memberships: async ({ id }: Person, _args: unknown, { caller }: SubgraphContext): Promise<Membership[]> => {
        if (id !== caller.personId) throw forbidden();
        const found = await accounts.findMany(Object.keys(caller.accounts));
        const named = found.map((account) => ({ account, roles: caller.accounts[account.id] ?? [] }));
        return named.sort((one, other) => one.account.name.localeCompare(other.account.name));
      },
    },
  };
}

const editorOf = ({ personId, name, accountId, roles }: Caller): Editor => ({ personId, name, accountId, roles });

/** Whether the caller sees the authentication ID: the person, and administrators of their account. */
const mayKnowIdentity = (person: Person, { personId, accountId, roles }: Caller): boolean =>
  person.id === personId || (person.accountId === accountId && editorRoles.some((role) => roles.includes(role)));
