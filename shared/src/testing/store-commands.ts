import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection, mongo } from 'mongoose';
import type { CollectionSource } from '../api/rest/collection-source';
import type { Condition } from '../api/rest/filter';
import { parseOrder } from '../api/rest/order';
import type { OrderStep } from '../api/rest/order';
import type { Resource, SortValue } from '../api/rest/resource';

type Document = mongo.BSON.Document;
type Asking<R> = (repository: R) => unknown;

/** Sample calls of each method; a missing one is a compile error. */
type Calls<R> = R extends (...parameters: never[]) => unknown
  ? { readonly call: Asking<R> }
  : {
      readonly [
        Method in Exclude<keyof R, 'ensureIndexes'> as R[Method] extends (...parameters: never[]) => unknown
          ? Method
          : never
      ]: Asking<R>;
    };

/** Declared exceptions of a repository: by method, the reason. */
interface Declared {
  /** Methods whose writes may be lost on a failover. */
  readonly forgettable?: Readonly<Record<string, string>>;
  /** Methods that examine more than they return. */
  readonly unbounded?: Readonly<Record<string, string>>;
}

/** A repository with a sample call of each of its methods. */
export interface Exercise extends Declared {
  /** The function that creates the repository. */
  readonly creator: string;
  readonly repository: object;
  readonly calls: Readonly<Record<string, Asking<never>>>;
}

/** `creator` is the name of the function that created `repository`. */
export const exercise = <R extends object>(
  creator: string,
  repository: R,
  calls: Calls<R>,
  declared: Declared = {},
): Exercise => ({ creator, repository, calls: calls, ...declared });

/** A command that was sent to the store, and the method that sent it. */
export interface Sent {
  readonly creator: string;
  readonly method: string;
  readonly command: Document;
}

const recorded = new Set(['find', 'aggregate', 'count', 'distinct', 'insert', 'update', 'delete', 'findAndModify']);

const queues = new Set<unknown>(['processes', 'imports', 'mail_orders', 'alerts']);

/** Whether the command is a periodic check: of other processes, or for waiting work. */
export const isLook = ({ find, filter }: Document): boolean =>
  queues.has(find) || (find !== undefined && ['outboxAt', 'notices.dueAt'].some((path) => path in (filter as object)));

/** Distinguishes several commands of one sample call; part of the method's name. */
let detail = '';

/** Makes every sample call in turn; the connection must monitor its commands. */
export async function sentBy(connection: Connection, exercises: readonly Exercise[]): Promise<Sent[]> {
  const all: Sent[] = [];
  let current = { creator: '', method: '' };
  const take = ({ commandName, command }: { commandName: string; command: Document }): void => {
    const { creator, method } = current;
    if (recorded.has(commandName)) all.push({ creator, method: method + detail, command });
  };
  connection.getClient().on('commandStarted', take);
  for (const { creator, repository, calls } of exercises)
    for (const [method, call] of Object.entries(calls)) {
      current = { creator, method };
      detail = '';
      await call(repository as never);
    }
  connection.getClient().off('commandStarted', take);
  return all;
}

/** Repository methods without a sample call, including those that TypeScript does not see. */
export const unexercised = (exercises: readonly Exercise[]): string[] =>
  exercises.flatMap(({ creator, repository, calls }) =>
    Object.entries(repository)
      .filter(([name, member]) => typeof member === 'function' && name !== 'ensureIndexes' && !(name in calls))
      .map(([name]) => `${creator}.${name}`),
  );

const exported = /^export (?:async )?(?:function\*? |const )(\w+)(?: = (?:async )?)?(?:<[^(]*>)?\(([^)]*)\)/gm;

/** The exported functions in sources below `folder` that take a connection. */
export const takersOfConnection = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|(^|\/)testing\//.test(file))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(exported)])
    .filter(([, , parameters = '']) => /\bconnection: Connection\b/.test(parameters))
    .map(([, name = '']) => name);

/**
 * Reads a collection in all the ways that REST allows: each order, from both ends and from a position, and each filter.
 */
export async function readInEveryWay<T extends { readonly id: number | string }, V>(
  source: CollectionSource<T>,
  resource: Resource<T, V>,
  values: Readonly<Record<string, SortValue>>,
  usual = parseOrder(resource, undefined),
): Promise<void> {
  const read = (order: readonly OrderStep[], more: object = {}) =>
    source.read({ order, limit: 20, skip: 0, fields: [], ...more });
  const valueOf = (property: string): SortValue => values[property] ?? null;
  const sorts = Object.keys(resource.sortable).flatMap((field) => [field, `-${field}`]);
  for (const order of [usual, ...sorts.map((sort) => parseOrder(resource, sort))]) {
    detail = ` by ${order[0]?.field}`;
    const place = order.map((step) => valueOf(step.property));
    await read(order);
    await read(order, { after: place });
    await read(order, { before: place });
  }
  for (const [name, { property, type }] of Object.entries(resource.filterable ?? {})) {
    detail = ` of ${name}`;
    const value = valueOf(property);
    const conditions: Condition[] = [
      { property, in: [value] },
      ...(type === 'time' || type === 'integer' ? [{ property, within: { gte: value as number } }] : []),
    ];
    for (const condition of conditions) {
      await read(usual, { filter: [condition] });
      await source.count([condition]);
    }
  }
  detail = ' counted';
  await source.count();
}

/** Commands that write with less than majority and journal. */
export const hasty = (sent: readonly Sent[]): Sent[] =>
  sent.filter(({ command }) => {
    if (!['insert', 'update', 'delete', 'findAndModify'].some((name) => name in command)) return false;
    const concern = command['writeConcern'] as { w?: unknown; j?: unknown } | undefined;
    return concern?.w !== 'majority' || concern.j !== true;
  });

/** Commands that read several documents without a time limit. */
export const endless = (sent: readonly Sent[]): Sent[] =>
  sent.filter(({ command }) => {
    const isRead = ['find', 'aggregate', 'count', 'distinct'].some((name) => name in command);
    return isRead && command['limit'] !== 1 && command['maxTimeMS'] === undefined;
  });

/** The page size of reads, as the API allows it. */
const page = 100;

/** The faults of a command's query plan; empty when it examines about as much as it returns. */
export async function faultsOf(connection: Connection, { command }: Sent): Promise<string[]> {
  const faults: string[] = [];
  for (const one of explainable(command)) {
    const plan = await connection.db!.command({ explain: one, verbosity: 'executionStats' });
    const found = examined(plan);
    const most = 2 * (await answered(connection, one, plan)) + page;
    if (found.scans.length > 0) faults.push(found.scans.join(', '));
    if (found.keys > most || found.documents > most)
      faults.push(`${found.keys} keys and ${found.documents} documents for at most ${most}`);
  }
  return faults;
}

async function sumOf(what: 'keys' | 'documents', connection: Connection, all: readonly Document[]): Promise<number> {
  let sum = 0;
  for (const one of all.flatMap(explainable))
    sum += examined(await connection.db!.command({ explain: one, verbosity: 'executionStats' }))[what];
  return sum;
}

/** The number of index keys that the server examines for these commands together. */
export const keysExaminedBy = (connection: Connection, all: readonly Document[]): Promise<number> =>
  sumOf('keys', connection, all);

/** The number of documents that the server examines for these commands together. */
export const documentsExaminedBy = (connection: Connection, all: readonly Document[]): Promise<number> =>
  sumOf('documents', connection, all);

const unexplained = [
  'lsid',
  '$db',
  '$clusterTime',
  'txnNumber',
  'writeConcern',
  '$readPreference',
  'ordered',
  'bypassDocumentValidation',
];

/** The statements of a command that can be explained; inserts have none. */
function explainable(command: Document): Document[] {
  const plain = Object.fromEntries(Object.entries(command).filter(([name]) => !unexplained.includes(name)));
  if ('insert' in command) return [];
  for (const list of ['updates', 'deletes'])
    if (list in plain) return (plain[list] as Document[]).map((statement) => ({ ...plain, [list]: [statement] }));
  return [plain];
}

interface Examined {
  readonly scans: string[];
  keys: number;
  documents: number;
}

function examined(plan: unknown, into: Examined = { scans: [], keys: 0, documents: 0 }): Examined {
  if (plan === null || typeof plan !== 'object') return into;
  const node = plan as Document;
  if (node['stage'] === 'COLLSCAN') into.scans.push('COLLSCAN');
  if (['NestedLoopJoin', 'HashJoin'].includes(node['strategy'] as string)) into.scans.push(String(node['strategy']));
  if (Number(node['collectionScans'] ?? 0) > 0) into.scans.push('COLLSCAN of a $lookup');
  into.keys += Number(node['totalKeysExamined'] ?? 0);
  into.documents += Number(node['totalDocsExamined'] ?? 0);
  for (const [name, member] of Object.entries(node))
    if (!['rejectedPlans', 'command', 'parsedQuery', 'serverParameters'].includes(name)) examined(member, into);
  return into;
}

/** The number of documents that a command returns; for a count, the counted ones. */
async function answered(connection: Connection, command: Document, plan: Document): Promise<number> {
  if ('find' in command) return Number((plan['executionStats'] as Document)['nReturned']);
  if ('distinct' in command) return ((await connection.db!.command(command))['values'] as unknown[]).length;
  if ('aggregate' in command) {
    const { cursor } = await connection.db!.command({ ...command, cursor: { batchSize: 100_000 } });
    const rows = (cursor as { firstBatch: Document[] }).firstBatch;
    return rows.reduce((sum, row) => sum + (typeof row['n'] === 'number' ? row['n'] : sizeOf(row)), 0);
  }
  return changed(plan);
}

/** The number of documents nested in a document by `$lookup`; `count` is the number of counted ones. */
const sizeOf = (row: Document): number =>
  Object.entries(row).reduce(
    (sum, [name, value]) => sum + (name === 'count' ? Number(value) : Array.isArray(value) ? value.length : 0),
    1,
  );

function changed(plan: unknown): number {
  if (plan === null || typeof plan !== 'object') return 0;
  const node = plan as Document;
  const own = Number(node['nMatched'] ?? node['nWouldDelete'] ?? 0);
  return Math.max(own, ...Object.values(node).map(changed));
}
