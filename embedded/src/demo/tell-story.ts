import { setTimeout as pause } from 'node:timers/promises';
import type { GraphApp } from '@itsm/graph/app';
import type { Role } from '@itsm/shared/contracts/directory';
import type { Clock } from '@itsm/shared/base/time/clock';
import { source } from './demo-data';
import type { Deed, Ref, StoryDeed } from './story/deeds';
import { story } from './story/story';

interface Teller {
  readonly id: number;
  readonly name: string;
  readonly roles: readonly Role[];
}

interface Needs {
  readonly records: GraphApp['seed'];
  readonly now: Clock;
  readonly people: Readonly<Record<StoryDeed['by'], Teller>>;
  /** The UI extension with the form of the story. */
  readonly extensionId: number;
}

const hourMilliseconds = 3_600_000;

/** Writes the week of the story. Each deed is done once, so an interrupted start goes on where it was. */
export async function tellStory(accountId: string, { records, now, people, extensionId }: Needs): Promise<void> {
  // The service of the records gets forms by message; there is no limit, since a slow machine takes long.
  while (!(await records.knowsForm(accountId, extensionId))) await pause(20);
  const numbers = new Map(Object.entries(people).map(([key, { id }]) => [key, id]));
  numbers.set('laptop-form', extensionId);
  const versions = new Map<string, number>();
  const start = now().getTime();
  for (const deed of story) {
    const version = (versions.get(deed.record) ?? 0) + 1;
    versions.set(deed.record, version);
    const at = new Date(start - deed.hoursAgo * hourMilliseconds);
    const { id } = await records.ensureDeed(accountId, readDeed(deed, { version, at, by: people[deed.by], numbers }));
    numbers.set(deed.record, id);
  }
}

interface Known extends Pick<Deed, 'version' | 'at' | 'by'> {
  readonly numbers: ReadonlyMap<string, number>;
}

function readDeed(deed: StoryDeed, { numbers, ...known }: Known): Deed {
  const { type, record, set = {}, reply, internal, step } = deed;
  const text = reply ?? internal;
  const numberOf = ({ ref }: Ref): number => {
    const number = numbers.get(ref);
    if (number === undefined) throw new Error(`The story names ${ref} before it is there`);
    return number;
  };
  const read = (value: NonNullable<StoryDeed['set']>[string]): unknown =>
    Array.isArray(value)
      ? value.map((one: unknown) => (isRef(one) ? numberOf(one) : one))
      : isRef(value)
        ? numberOf(value)
        : value;
  return {
    ...known,
    type,
    source,
    sourceID: record,
    values: Object.fromEntries(Object.entries(set).map(([name, value]) => [name, read(value)])) as Deed['values'],
    ...(text !== undefined && { note: { text, internal: reply === undefined } }),
    ...(step !== undefined && { step }),
  };
}

const isRef = (value: unknown): value is Ref => typeof value === 'object' && value !== null && 'ref' in value;
