import { notFound } from '@itsm/shared/base/errors/app-error';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import { toPayload } from '@itsm/shared/api/graphql/mutation-payload';
import type { MutationArgs, MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { checkAllowed } from '@itsm/shared/api/identity/allow';
import type { AccountRepository } from './account.repository';
import { createDirectories } from './directory';
import { listing } from './listing';
import { supportIdOf } from './person';
import type { Person } from './person';
import { editorRoles } from './person-access';
import type { Editor } from './person-access';
import type { PersonAdministration } from './person-administration.service';
import type { PersonRepository } from './person.repository';

interface Dependencies {
  readonly personAdministration: PersonAdministration;
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly nodeIdDomain: string;
}

interface Reference {
  readonly id: string;
}

/** Who is shown to whom, and how people are made and changed. */
export function createPersonResolvers(dependencies: Dependencies) {
  const { personAdministration, people, accounts, nodeIdDomain } = dependencies;
  const directoryOf = createDirectories({ people, accounts });
  const idOf = (id: string) => parseRecordId(nodeIdDomain, 'Person', id);

  function loadPerson({ id }: Reference, { caller }: SubgraphContext): Promise<Person | undefined> {
    const personId = idOf(id);
    return personId === undefined ? Promise.resolve(undefined) : directoryOf(caller).person(personId);
  }

  return {
    Query: {
      me: allowed('me:Name', (_parent, _args, { caller }) => people.find(caller.homeAccountId, caller.personId)),
      people: listing('person:Read', idOf, async (words, caller) =>
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
            const id = idOf(input.id);
            if (id === undefined) throw notFound();
            return { person: await personAdministration.update(caller.accountId, editorOf(caller), id, input) };
          }),
        ...editorRoles,
      ),
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

const editorOf = ({ personId, name, accountId, roles }: Caller): Editor => ({ personId, name, accountId, roles });

/** How a person is known to an identity provider concerns them and their administrators. */
const mayKnowIdentity = (person: Person, { personId, accountId, roles }: Caller): boolean =>
  person.id === personId || (person.accountId === accountId && editorRoles.some((role) => roles.includes(role)));
