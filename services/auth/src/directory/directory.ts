import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Account } from './account';
import type { AccountRepository } from './account.repository';
import type { Person } from './person';
import type { PersonRepository, Visibility } from './person.repository';

/** People and accounts as one caller sees them; look-ups of one moment are one read. */
export interface Directory {
  visibility(): Promise<Visibility>;
  /** Undefined when there is none, or none the caller may see. */
  person(id: number): Promise<Person | undefined>;
  /** The account of a person the caller may see. */
  accountOf(person: Person): Promise<Account | undefined>;
}

interface Dependencies {
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
}

/** One directory per request, since what is visible depends on the caller. */
export function createDirectories({ people, accounts }: Dependencies): (caller: Caller) => Directory {
  const directories = new WeakMap<Caller, Directory>();
  return (caller) => {
    const directory = directories.get(caller) ?? open(caller, { people, accounts });
    directories.set(caller, directory);
    return directory;
  };
}

function open({ accountId }: Caller, { people, accounts }: Dependencies): Directory {
  let visible: Promise<Visibility> | undefined;
  const known = new Map<string, Promise<Account | undefined>>();
  const visibility = () => (visible ??= loadVisibility(accountId, accounts));
  let batch: { ids: Set<number>; found: Promise<Map<number, Person>> } | undefined;

  function load(wanted: string): Promise<Account | undefined> {
    const loading = known.get(wanted) ?? accounts.find(wanted);
    known.set(wanted, loading);
    return loading;
  }

  function startBatch() {
    const ids = new Set<number>();
    // The read waits until everything that asks in the same turn has added its id.
    const found = visibility().then(async (sees) => {
      batch = undefined;
      const persons = await people.findVisible(sees, [...ids]);
      return new Map(persons.map((person) => [person.id, person]));
    });
    return { ids, found };
  }

  return {
    visibility,
    async person(id) {
      batch ??= startBatch();
      batch.ids.add(id);
      return (await batch.found).get(id);
    },
    accountOf: (person) => load(person.accountId),
  };
}

async function loadVisibility(accountId: string, accounts: AccountRepository): Promise<Visibility> {
  const account = await accounts.find(accountId);
  return { accountId, directoryAccountId: account?.directoryAccountId ?? null };
}
