import { forbidden } from '@itsm/shared/base/errors/app-error';
import { oncePerCall } from '@itsm/shared/base/concurrency/present-call';
import { nodeResolvers, numberedIds } from '@itsm/shared/api/graphql/node-resolvers';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import { allowed, allowedReference } from '@itsm/shared/api/graphql/resolver';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Role } from '@itsm/shared/contracts/directory';
import { declaredMutations, fieldResolvers } from '@itsm/shared/declared/declared.resolvers';
import type { Edits } from '@itsm/shared/declared/edits';
import { readInput, restNamesOf } from '@itsm/shared/declared/read-input';
import type { Account } from './account';
import type { AccountRepository } from './account.repository';
import type { Directory } from './directory';
import { listing } from './listing';
import { personEditors } from '@itsm/shared/contracts/directory';
import { personType, supportIdOf } from './person';
import type { Person } from './person';
import { mayKnowIdentity, mayKnowRoles } from './person-access';
import type { PersonLinks } from './person-links.service';
import type { PersonRepository } from './person.repository';
import { roleOfferType } from './role-offer';
import type { RoleOffer } from './role-offer';
import type { RoleOffers } from './role-offer.service';

interface Dependencies {
  readonly edits: Edits<typeof personType, Person>;
  readonly directoryOf: (caller: Caller) => Directory;
  readonly personLinks: PersonLinks;
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
  const { edits, directoryOf, personLinks, roleOffers, people, accounts, nodeIdDomain } = dependencies;
  const { parseId, idOf, load, mutation } = nodeResolvers({ type: 'Person', nodeIdDomain, restNames: {} });
  const offers = nodeResolvers({ type: 'RoleOffer', nodeIdDomain, restNames: restNamesOf(roleOfferType) });

  const loadPerson = ({ id: text }: Reference, { caller }: SubgraphContext) =>
    load(text, (id) => edits.find(caller, id));

  return {
    Query: {
      me: allowed('me:Name', (_parent, _args, { caller }) =>
        oncePerCall('me', () => people.find(caller.homeAccountId, caller.personId)),
      ),
      people: listing(personType, edits, parseId),
      person: allowed<Reference>('person:Read', (_parent, args, context) => loadPerson(args, context)),
    },
    Mutation: {
      ...declaredMutations(personType, edits, nodeIdDomain),
      personInvite: mutation<IdInput>(
        'person:Update',
        async ({ id }, caller) => ({ person: await personLinks.invite(caller.accountId, caller, idOf(id)) }),
        personEditors,
      ),
      personResetPassword: mutation<IdInput>(
        'person:Update',
        async ({ id }, caller) => ({ person: await personLinks.resetPassword(caller.accountId, caller, idOf(id)) }),
        personEditors,
      ),
      roleOfferCreate: offers.mutation('person:Update', async (input, caller) => {
        const given = readInput(roleOfferType, nodeIdDomain, 'create', input);
        return { roleOffer: await roleOffers.offer(caller.accountId, caller, given) };
      }),
    },
    RoleOffer: { accountID: ({ homeAccountId }: RoleOffer) => homeAccountId },
    Person: {
      // A reference from another service needs `person:Read` too.
      __resolveReference: allowedReference('person:Read', loadPerson),
      ...numberedIds(nodeIdDomain, 'Person'),
      ...fieldResolvers(personType),
      supportID: supportIdOf,
      authenticationID: (person: Person, _args: unknown, { caller }: SubgraphContext) =>
        mayKnowIdentity(person, caller) ? person.authenticationID : null,
      roles: (person: Person, _args: unknown, { caller }: SubgraphContext) =>
        mayKnowRoles(person, caller) ? (person.roles[caller.accountId] ?? []) : [],
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
