import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { checkAllowed } from '@itsm/shared/api/identity/allow';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import { loadSortedConnection } from '@itsm/shared/api/graphql/sorted-connection';
import type { AccountRepository } from './account.repository';
import { supportIdOf } from './person';
import type { Person } from './person';
import { editorRoles } from './person-access';
import type { PersonRepository } from './person.repository';
import { createDirectories } from './directory';
import { toListing } from './listing';
import type { ListingArgs } from './listing';

interface Dependencies {
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly nodeIdDomain: string;
}

interface Reference {
  readonly id: string;
}

export function createDirectoryResolvers({ people, accounts, nodeIdDomain }: Dependencies) {
  const directoryOf = createDirectories({ people, accounts });

  function loadPerson({ id }: Reference, { caller }: SubgraphContext): Promise<Person | undefined> {
    const personId = parseRecordId(nodeIdDomain, 'Person', id);
    return personId === undefined ? Promise.resolve(undefined) : directoryOf(caller).person(personId);
  }

  return {
    Query: {
      me: allowed('me:Name', (_parent, _args, { caller }) => people.find(caller.homeAccountId, caller.personId)),
      people: allowed<ListingArgs>('person:Read', async (_parent, args, { caller }) => {
        const { words, ...listing } = toListing(args, (id) => parseRecordId(nodeIdDomain, 'Person', id));
        const source = people.source(await directoryOf(caller).visibility(), words);
        return loadSortedConnection(args, { source, ...listing, fields: ['*'] });
      }),
      person: allowed<Reference>('person:Read', (_parent, args, context) => loadPerson(args, context)),
    },
    Person: {
      // However a record of another service leads to a person, reading them is `person:Read`.
      async __resolveReference(reference: Reference, context: SubgraphContext) {
        checkAllowed(context.caller, 'person:Read');
        return loadPerson(reference, context);
      },
      id: (person: Person) => toNodeId(nodeIdDomain, 'Person', person.id),
      supportID: supportIdOf,
      authenticationID: (person: Person, _args: unknown, { caller }: SubgraphContext) =>
        mayKnowIdentity(person, caller) ? person.authenticationId : null,
      roles: (person: Person, _args: unknown, { caller }: SubgraphContext) => person.roles[caller.accountId] ?? [],
      disabled: (person: Person) => person.disabledAt !== null,
      account: (person: Person, _args: unknown, { caller }: SubgraphContext) => directoryOf(caller).accountOf(person),
    },
  };
}

/** How a person is known to an identity provider concerns them and their administrators. */
const mayKnowIdentity = (person: Person, { personId, accountId, roles }: Caller): boolean =>
  person.id === personId || (person.accountId === accountId && editorRoles.some((role) => roles.includes(role)));
