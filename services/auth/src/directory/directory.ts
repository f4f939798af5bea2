import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Account } from './account';
import type { AccountRepository } from './account.repository';
import type { Person } from './person';
import type { PersonRepository, Visibility } from './person.repository';

/** People and accounts visible to one caller. Concurrent look-ups are batched into one read. */
export interface Directory {
  visibility(): Promise<Visibility>;
  /** Undefined for an unknown or invisible person. */
  person(id: number): Promise<Person | undefined>;
  /** The account of a visible person. */
  accountOf(person: Person): Promise<Account | undefined>;
}

interface Dependencies {
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
}

/** Makes a directory per request, because visibility depends on the caller. */
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
    // Runs after `visibility` resolves, so that all look-ups of the same turn join the batch first.
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
