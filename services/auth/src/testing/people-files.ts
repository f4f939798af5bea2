import { randomUUID } from 'node:crypto';
import { peopleRowsRead } from '@itsm/shared/contracts/imports';
import type { PeopleRowsImported, PeopleRowsRead } from '@itsm/shared/contracts/imports';
import { call } from './caller';
import type { Auth, SeededPerson } from './start-auth';

/** Rows of a file as `graph` sends them: the first one has the headers. */
export const rowsOf = (
  { id: personId, accountId }: Pick<SeededPerson, 'id' | 'accountId'>,
  [headers = [], ...rows]: readonly (readonly string[])[],
  {
    importer,
    ...more
  }: Partial<Omit<PeopleRowsRead, 'importer'>> & { importer?: Partial<PeopleRowsRead['importer']> } = {},
): PeopleRowsRead => ({
  importId: randomUUID(),
  accountId,
  line: rows.length + 1,
  headers: [...headers],
  rows: rows.map((cells, index) => ({ line: index + 2, cells: [...cells] })),
  isDryRun: false,
  invites: false,
  queuedAt: '2026-03-18T19:04:06.000Z',
  ...more,
  importer: {
    personId,
    name: 'Ellen Brown',
    homeAccountId: accountId,
    roles: ['account_administrator'],
    timeZone: 'UTC',
    kind: 'personal',
    authenticatedAt: null,
    ...importer,
  },
});

/** Sends the message, and returns the answer. */
export async function sendRows(auth: Auth, message: PeopleRowsRead): Promise<PeopleRowsImported['outcome']> {
  const { length } = auth.published.imported;
  await auth.broker.publish(peopleRowsRead, message, `import ${message.importId} ${message.line}`);
  const answer = auth.published.imported[length];
  if (answer?.importId !== message.importId) throw new Error('There is no answer');
  return answer.outcome;
}

export const none = { created: 0, updated: 0, unchanged: 0, failures: 0 };

/** The refusals of an answer. */
export const failuresIn = (outcome: PeopleRowsImported['outcome']) =>
  'failures' in outcome ? outcome.failures.map(({ line, column, message }) => [line, column, message]) : outcome;

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly primaryEmail: string;
  readonly roles: readonly string[];
}

/** The people of the account, as its administrator sees them. */
export async function peopleOf(auth: Auth, administrator: SeededPerson): Promise<readonly Shown[]> {
  const query = `{ people(first: 100, order: [{ field: id, direction: asc }]) { nodes {
    id name primaryEmail verified roles disabled locale timeZone source sourceID authenticationID } } }`;
  const { data, errors } = await call(auth, administrator, query);
  if (!data) throw new Error(JSON.stringify(errors));
  return (data['people'] as { nodes: readonly Shown[] }).nodes;
}

/** Entries of the security log. */
export const entriesOf = async ({ connection }: Auth, accountId: string, event: string) =>
  connection
    .collection('security_log')
    .find({ accountIds: accountId, event }, { projection: { _id: 0, actor: 1, facts: 1, 'person.name': 1 } })
    .toArray();
