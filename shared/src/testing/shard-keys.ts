import type { mongo } from 'mongoose';
import { markdownTable } from './generated-part';
import type { Sent } from './store-commands';

type Document = mongo.BSON.Document;

/** How the collections of a service would be sharded on a MongoDB cluster. */
export interface Sharding {
  /** The shard key of each sharded collection. */
  readonly split: Readonly<Record<string, Readonly<Record<string, 1 | 'hashed'>>>>;
  /** By unsharded collection: the reason. */
  readonly whole: Readonly<Record<string, string>>;
  /** By method that sends a command to all shards: the reason. */
  readonly toAllShards: Readonly<Record<string, string>>;
}

export const methodOf = ({ creator, method }: Pick<Sent, 'creator' | 'method'>): string =>
  `${creator}.${method.split(' ')[0] ?? ''}`;

const plainOf = (value: unknown): unknown => (value instanceof Map ? Object.fromEntries(value) : value);

const isGiven = (value: unknown): boolean => {
  if (value === undefined) return false;
  if (value === null || typeof value !== 'object') return true;
  const operators = Object.keys(value).filter((name) => name.startsWith('$'));
  return operators.length === 0 || operators.some((name) => name === '$eq' || name === '$in');
};

/** Whether a filter has values for the field, so that mongos can target shards. */
function gives(filter: Document, field: string): boolean {
  const { $and = [], $or = [], [field]: value } = filter as Document & { $and?: Document[]; $or?: Document[] };
  if (isGiven(plainOf(value)) || $and.some((part) => gives(part, field))) return true;
  return $or.length > 0 && $or.every((part) => gives(part, field));
}

interface Asked {
  readonly filter: Document;
  /** Whether the command changes a single document; its filter must then contain the whole shard key. */
  readonly single: boolean;
}

function asked(command: Document): Asked[] {
  const statements = (name: string): Document[] => command[name] as Document[];
  if ('insert' in command) return [];
  if ('findAndModify' in command) return [{ filter: command['query'] as Document, single: true }];
  if ('update' in command)
    return statements('updates').map(({ q, multi }) => ({ filter: q as Document, single: multi !== true }));
  if ('delete' in command)
    return statements('deletes').map(({ q, limit }) => ({ filter: q as Document, single: limit === 1 }));
  if ('aggregate' in command) {
    const stages = statements('pipeline');
    const others = stages.findIndex((stage) => !('$match' in stage));
    const matches = stages.slice(0, others < 0 ? stages.length : others).map(({ $match }) => $match as Document);
    return [{ filter: { $and: matches }, single: false }];
  }
  const filter = (command['filter'] ?? command['query'] ?? {}) as Document;
  return [{ filter, single: false }];
}

const targetOf = (command: Document): string => String(Object.values(command)[0]);

/** The methods that broadcast to all shards of a sharded collection. */
export const scattered = (sent: readonly Sent[], { split }: Sharding): string[] => {
  const found = sent.filter(({ command }) => {
    const fields = Object.keys(split[targetOf(command)] ?? {});
    return asked(command).some(({ filter, single }) =>
      (single ? fields : fields.slice(0, 1)).some((field) => !gives(filter, field)),
    );
  });
  return [...new Set(found.map(methodOf))].sort();
};

/** The used collections that are neither in `split` nor in `whole`. */
export const undecided = (sent: readonly Sent[], { split, whole }: Sharding): string[] => {
  const reached = new Set(sent.map(({ command }) => targetOf(command)));
  return [...reached].filter((name) => !(name in split) && !(name in whole)).sort();
};

/** Whether a unique index is possible: on a cluster it must start with the whole shard key. */
export const mayBeUnique = (index: Document, shardKey: Readonly<Record<string, 1 | 'hashed'>>): boolean => {
  const fields = Object.keys(index);
  return Object.entries(shardKey).every(([field, kind], at) => kind === 1 && fields[at] === field);
};

/** The table of docs/scale.md. */
export const shardingTable = ({ split, whole, toAllShards }: Sharding): string => {
  const table = markdownTable([
    ['Collection', 'Shard key'],
    ...Object.entries(split).map(([name, key]) => [`\`${name}\``, `\`${JSON.stringify(key)}\``]),
    ...Object.entries(whole).map(([name, reason]) => [`\`${name}\``, `none: ${reason}`]),
  ]);
  const calls = Object.entries(toAllShards).map(([method, reason]) => [`\`${method}\``, reason]);
  return calls.length === 0 ? table : `${table}\n\n${markdownTable([['Asks all shards', 'Why'], ...calls])}`;
};
