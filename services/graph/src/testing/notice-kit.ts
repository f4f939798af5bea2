import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import type { Role } from '@itsm/shared/contracts/directory';
import type { CallerClaims } from '@itsm/shared/api/identity/caller';
import type { MailSettings } from '../mails/module';
import type { ImportRow } from '@itsm/shared/declared/file-rows';
import { createImporter } from './create-engine';
import { nodeId, startGraph } from './start-graph';
import type { Client } from './start-graph';

/** A notice as its person reads it. */
export interface Notified {
  readonly id: string;
  readonly kind: string;
  readonly count: number;
  readonly unread: boolean;
  readonly by: { readonly id: string } | null;
  readonly record: { readonly number: number; readonly title: string; readonly status: string } | null;
}

const people = {
  mia: [1, 'specialist'],
  howard: [2, 'specialist'],
  grace: [3, 'end_user'],
  audra: [4, 'auditor'],
  admin: [5, 'account_administrator'],
} as const satisfies Readonly<Record<string, readonly [number, Role]>>;
type Name = keyof typeof people;

/** The service with people of an account: what they do with requests, and which notices they get. */
export async function startNotices(mails: MailSettings = {}) {
  const [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  const graph = await startGraph(mongo, keys, undefined, { mails });
  for (const [name, [id, role]] of Object.entries(people))
    await graph.publishPerson({
      id,
      name,
      primaryEmail: `${name}@wdc.example`,
      roles: { wdc: [role] },
      verified: true,
      locale: 'en',
      timeZone: 'UTC',
    });

  const as = (name: Name, claims: Partial<CallerClaims> = {}, account?: string): Client => {
    const [id, role] = people[name];
    return graph.as(role, { sub: String(id), name, ...claims }, account);
  };
  const made = await as('admin')
    .rest('post', '/v1/teams', { name: 'Desk', member_ids: [1, 2] })
    .expect(201);
  const team = (made.body as { readonly nodeID: string }).nodeID;

  const list = (client: Client, more = '') =>
    client.ask<Notified[]>(
      'notices.nodes',
      `{ notices(last: 100${more}) { nodes { id kind count unread by { id } record { number title status } } } }`,
    );

  /** The reasons for which somebody was notified. */
  async function kindsOf(name: Name): Promise<readonly string[]> {
    await graph.settled();
    return (await list(as(name))).map(({ kind, count }) => (count === 1 ? kind : `${kind} ${count}`));
  }

  const create = (name: Name, more = {}) =>
    as(name).ask<{ readonly id: string; readonly number: number }>(
      'requestCreate.request',
      'mutation ($input: RequestCreateInput!) { requestCreate(input: $input) { request { id number } errors { message } } }',
      { input: { subject: 'Wi-Fi drops', ...more } },
    );

  const update = (name: Name, id: string, more: object) =>
    as(name).ask<readonly object[]>(
      'requestUpdate.errors',
      'mutation ($input: RequestUpdateInput!) { requestUpdate(input: $input) { errors { message path } } }',
      { input: { id, ...more } },
    );

  const note = (name: Name, recordId: string, internal = false, text = 'A note') =>
    as(name).ask<readonly object[]>(
      'noteCreate.errors',
      'mutation ($input: NoteCreateInput!) { noteCreate(input: $input) { errors { message } } }',
      { input: { recordId, text, internal } },
    );

  const read = (name: Name, input: object) =>
    as(name).ask<{ readonly unread: number | null; readonly errors: readonly object[] }>(
      'noticesRead',
      'mutation ($input: NoticesReadInput!) { noticesRead(input: $input) { unread errors { message path } } }',
      { input },
    );

  const watch = (name: Name, id: string, level: string) =>
    as(name).graphql(
      'mutation ($input: WatchUpdateInput!) { watchUpdate(input: $input) { level errors { message } } }',
      { input: { id, level } },
    );

  const assignedTo = (name: Name) => ({ teamId: team, memberId: nodeId('Person', people[name][0]) });

  const trash = (id: string) =>
    as('admin').ask<readonly object[]>(
      'requestTrash.errors',
      'mutation ($input: RecordLifeCycleInput!) { requestTrash(input: $input) { errors { message } } }',
      { input: { id } },
    );

  /** Writes rows of an import of requests, as its worker does. */
  async function importRows(rows: readonly ImportRow[]) {
    const own = await connectPatiently(mongo.urlOf(graph.connection.name));
    const outcomes = await createImporter(own, graph.clock.now).importRows('request', rows);
    await own.close();
    return outcomes;
  }

  /** Forgets all notices and what people watch. */
  async function clear(): Promise<void> {
    // What is on its way would arrive in the next test.
    await graph.settled();
    for (const name of ['notices', 'watches', 'notice_mails', 'notice_preferences'])
      await graph.connection.collection(name).deleteMany({});
  }

  async function close(): Promise<void> {
    await graph.stop();
    await keys.close();
    await mongo.close();
  }

  /** Another process of the same service. */
  const startAnother = () => startGraph(mongo, keys, graph.connection.name, { mails });

  return {
    graph,
    startAnother,
    as,
    list,
    kindsOf,
    create,
    update,
    note,
    read,
    watch,
    assignedTo,
    trash,
    importRows,
    clear,
    close,
  };
}
