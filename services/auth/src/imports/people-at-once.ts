import type { Announce } from '../security/announce';
import type { AccountRepository } from '../directory/account.repository';
import { emailKeyOf } from '../directory/person';
import type { Person } from '../directory/person';
import type { Among, PersonRepository, Visibility } from '../directory/person.repository';
import { createSlots } from '@itsm/shared/base/concurrency/slots';
import { createBatcher } from '@itsm/shared/stores/mongo/batcher';
import type { Batcher } from '@itsm/shared/stores/mongo/batcher';

/** Rows that are written side by side, and the most that a command looks up or reserves. */
export const mostAtOnce = 500;
const options = { most: mostAtOnce };
/** Changes of people are a write each, behind which other calls wait. */
const changesAtOnce = 20;

/** Looks up what several callers ask for at the same time with one command, by texts that name it. */
function sharing<R>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, R>>,
): Batcher<string, R | undefined> {
  return createBatcher<string, R | undefined>(async (keys) => {
    const found = await find([...new Set(keys)]);
    return keys.map((key) => found.get(key));
  }, options);
}

type LookUp = Batcher<string, readonly Person[] | undefined>;

const groupedBy = (people: readonly Person[], keyOf: (person: Person) => string): ReadonlyMap<string, Person[]> => {
  const groups = new Map<string, Person[]>();
  for (const person of people) {
    const group = groups.get(keyOf(person));
    if (group) group.push(person);
    else groups.set(keyOf(person), [person]);
  }
  return groups;
};

/**
 * The people whom an account sees, for rows that are written side by side: what they look up at the same time is one command.
 * For one message, as it knows one account only.
 */
export function peopleAtOnce(people: PersonRepository, visibility: Visibility): PersonRepository {
  const { accountId } = visibility;
  const among = (whom: (keys: readonly string[]) => Among, keyOf: (person: Person) => string): LookUp =>
    sharing(async (keys) => groupedBy(await people.findAmong(accountId, whom(keys)), keyOf));
  const byId = among(
    (keys) => ({ ids: keys.map(Number) }),
    ({ id }) => String(id),
  );
  const byEmail = among(
    (keys) => ({ emails: keys }),
    ({ primaryEmail }) => emailKeyOf(primaryEmail),
  );
  const byAuthenticationId = among(
    (keys) => ({ authenticationIds: keys }),
    ({ authenticationID }) => String(authenticationID),
  );
  const visible = sharing(async (keys) =>
    groupedBy(await people.findVisible(visibility, keys.map(Number)), ({ id }) => String(id)),
  );
  const bySource = new Map<string, LookUp>();
  const ofSource = (source: string): LookUp => {
    const known = bySource.get(source);
    if (known) return known;
    const made = among(
      (keys) => ({ source, sourceIDs: keys }),
      ({ sourceID }) => String(sourceID),
    );
    bySource.set(source, made);
    return made;
  };
  const slots = createSlots(changesAtOnce);
  return {
    ...people,
    save: (person, ...rest) =>
      person.version === 1 ? people.save(person, ...rest) : slots.run(() => people.save(person, ...rest)),
    find: async (_accountId, id) => (await byId(String(id)))?.[0],
    findByEmail: async (_accountId, email) => (await byEmail(emailKeyOf(email)))?.[0],
    findByAuthenticationId: async (_accountId, id) => (await byAuthenticationId(id))?.[0],
    findBySource: async (_accountId, source, sourceID) => (await ofSource(source)(sourceID)) ?? [],
    findVisible: async (_visibility, ids) =>
      (await Promise.all(ids.map((id) => visible(String(id))))).flatMap((found) => found ?? []),
  };
}

/** The accounts, each looked up once for those who ask at the same time. */
export const accountsAtOnce = (accounts: AccountRepository): AccountRepository => ({
  ...accounts,
  find: sharing(async (ids) => new Map((await accounts.findMany(ids)).map((account) => [account.id, account]))),
});

/** Announces changes that are written at the same time with one command, and records each of them then. */
export function announceAtOnce(announce: Announce): Announce {
  const bump = createBatcher<readonly string[], void>(async (all) => {
    await announce([...new Set(all.flat())], () => Promise.resolve());
    return [];
  }, options);
  return async (accountIds, record) => {
    try {
      await bump(accountIds);
    } finally {
      await record();
    }
  };
}
