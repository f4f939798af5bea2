import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { mayPoll } from '../api/budget';
import { graphql, run } from '../api/graphql';
import { isStaff } from '../api/roles';
import { isAbout } from '../api/touched';
import { rest, restTagged } from '../api/rest';
import type { SentFile } from '../api/upload';
import { useAccount } from '../frame/account';
import { sendChange } from './change';
import type { KnownRecord, Outcome, RecordChange } from './change';
import type { Kind } from './kinds';
import type { RestRecord } from './values';

/** A record of an account by its address. */
interface Place {
  readonly account: string;
  readonly kind: Kind;
  readonly number: string;
}

const pathOf = ({ kind, number }: Place): string => `/${kind.plural}/${number}`;

export const recordOptions = (place: Place) =>
  queryOptions({
    queryKey: [place.account, 'record', place.kind.plural, place.number],
    queryFn: ({ signal }): Promise<KnownRecord> => restTagged<RestRecord>(place.account, pathOf(place), { signal }),
  });

/** The version in a tag, `"<version>.<hash>"`: the hash is of what was asked for. */
const versionIn = (tag: string | undefined): number | undefined => {
  const [, version] = /"(\d+)\./.exec(tag ?? '') ?? [];
  return version === undefined ? undefined : Number(version);
};

const lookMilliseconds = 15_000;

/** Says that the person looks at the record; nothing is shown for it but who else does. */
const visiting = graphql(`
  mutation VisitRecord($input: VisitUpdateInput!) {
    visitUpdate(input: $input) {
      version
      others {
        person {
          id
          name
        }
        writing
      }
    }
  }
`);

/** Somebody else who has the record on their screen. */
export interface Visitor {
  readonly name: string;
  readonly writing: boolean;
}
const nobody: readonly Visitor[] = [];

/** What a look finds: the version of the record, and who else looks at it. */
interface Look {
  readonly version: number;
  readonly others: readonly Visitor[];
}

async function visit(account: string, id: string, writing: boolean): Promise<Look> {
  const { data } = await run(visiting, { input: { id, writing } }, account);
  const { version, others } = data.visitUpdate ?? {};
  const named = (others ?? []).flatMap(({ person, writing: writes }) =>
    person ? [{ name: person.name, writing: writes }] : [],
  );
  return { version: version ?? 0, others: named };
}

async function look(place: Place, signal: AbortSignal): Promise<Look> {
  const { tag } = await restTagged(place.account, `${pathOf(place)}?fields=id`, { signal });
  return { version: versionIn(tag) ?? 0, others: nobody };
}

/**
 * Looks at the version of the shown record, and reads it and its history again when others have changed it. Those who work
 * with the records see who else looks at it.
 */
export function useLive(place: Place, known: KnownRecord | undefined, isWriting: () => boolean): readonly Visitor[] {
  const client = useQueryClient();
  const { session } = useAccount();
  const { account, kind, number } = place;
  const shown = versionIn(known?.tag);
  const isVisit = isStaff(session) && kind.hasNotes && known?.data.account.id === account;
  const id = known?.data.nodeID ?? '';
  const { data } = useQuery({
    queryKey: [account, 'version', kind.plural, number, isVisit],
    queryFn: ({ signal }) => (isVisit ? visit(account, id, isWriting()) : look(place, signal)),
    enabled: shown !== undefined,
    ...(!isVisit && { initialData: { version: 0, others: nobody } }),
    staleTime: Infinity,
    refetchInterval: () => (mayPoll() ? lookMilliseconds : 4 * lookMilliseconds),
  });
  const { version: latest = 0, others = nobody } = data ?? {};
  useEffect(() => {
    if (shown === undefined || latest <= shown) return;
    void client.invalidateQueries({ queryKey: recordOptions({ account, kind, number }).queryKey });
    void client.invalidateQueries({ queryKey: [account, 'notes', kind.plural, number] });
    void refreshAround(client, { account, kind, number });
    // Again only when it has changed once more.
  }, [latest]);
  return others;
}

/** The record in the trash, where only its view shows it; null when it is not there. */
export const trashOptions = (place: Place) =>
  queryOptions({
    queryKey: [place.account, 'trash', place.kind.plural, place.number],
    queryFn: async ({ signal }) => {
      const path = `/${place.kind.plural}/trash?id=${place.number}`;
      const [found] = await rest<readonly RestRecord[]>(place.account, path, { signal });
      return found ?? null;
    },
  });

/** The calls of a change, which is refused when the record is no longer in the state of the tag. */
const callsOf = (
  account: string,
  path: string,
  { headers, ...options }: { headers?: Readonly<Record<string, string>>; keepalive?: boolean } = {},
) => ({
  read: () => restTagged<RestRecord>(account, path),
  write: (body: RecordChange['body'], tag: string | undefined) =>
    restTagged<RestRecord>(account, path, {
      ...options,
      method: 'PATCH',
      body,
      headers: { ...headers, ...(tag !== undefined && { 'If-Match': tag }) },
    }),
});

/** Sends a change of the record that was made looking at `base`; the page shows the answer. */
export function useChange(
  place: Omit<Place, 'account'>,
): (base: KnownRecord, change: RecordChange) => Promise<Outcome> {
  const { account } = useAccount();
  const client = useQueryClient();
  return async (base, change) => {
    const here = { account, ...place };
    const path = pathOf(here);
    const { queryKey } = recordOptions(here);
    // An answer that is under way may be older than that of the change.
    await client.cancelQueries({ queryKey });
    const outcome = await sendChange(callsOf(account, path), base, change);
    client.setQueryData(queryKey, outcome.known);
    void refreshAround(client, here);
    return outcome;
  };
}

/** A note; one that is sent again with the same `key` is added once. */
export interface NewNote {
  readonly text: string;
  readonly internal: boolean;
  readonly files: readonly SentFile[];
  readonly key: string;
  /** A change that is made with it, looking at `base`. */
  readonly with?: { readonly base: KnownRecord; readonly change: RecordChange } | undefined;
}

/**
 * Adds a note. `differs`: somebody else has changed what comes with it, so nothing was written. With `isLeaving` it is sent
 * though the page goes away meanwhile.
 */
export function useNewNote(
  place: Omit<Place, 'account'>,
): (note: NewNote, isLeaving?: boolean) => Promise<Outcome['kind']> {
  const { account } = useAccount();
  const client = useQueryClient();
  return async ({ text, internal, files, key, with: changed }, isLeaving = false) => {
    const here = { account, ...place };
    const path = pathOf(here);
    const headers = { 'Idempotency-Key': `"${key}"` };
    const attachments = files.map(asAttachment);
    if (changed) {
      const name = internal ? 'internal_note' : 'note';
      const body = { ...changed.change.body, [name]: text, [`${name}_attachments`]: attachments };
      const calls = callsOf(account, path, { headers, keepalive: isLeaving });
      const outcome = await sendChange(calls, changed.base, { ...changed.change, body });
      client.setQueryData(recordOptions(here).queryKey, outcome.known);
      if (outcome.kind === 'differs') return outcome.kind;
    } else {
      const body = { text, internal, attachments };
      await rest(account, `${path}/notes`, { method: 'POST', body, headers, keepalive: isLeaving });
    }
    await Promise.all([
      client.invalidateQueries({ queryKey: [account, 'notes', place.kind.plural, place.number] }),
      client.invalidateQueries({ queryKey: recordOptions(here).queryKey }),
      refreshAround(client, here),
    ]);
    return 'written';
  };
}

/** A file as a write names it. */
export const asAttachment = ({ key, size }: SentFile) => ({ key, size });

/** Takes a step of those to whom the record belongs; one that is sent again with the same `key` is taken once. */
export function useStep(
  place: Omit<Place, 'account'>,
): (step: string, body: Readonly<Record<string, unknown>>, key: string) => Promise<void> {
  const { account } = useAccount();
  const client = useQueryClient();
  return async (step, body, key) => {
    const here = { account, ...place };
    const headers = { 'Idempotency-Key': `"${key}"` };
    const { queryKey } = recordOptions(here);
    await client.cancelQueries({ queryKey });
    const known = await restTagged<RestRecord>(account, `${pathOf(here)}/${step}`, { method: 'POST', body, headers });
    client.setQueryData(queryKey, known);
    await Promise.all([
      client.invalidateQueries({ queryKey: [account, 'notes', place.kind.plural, place.number] }),
      refreshAround(client, here),
    ]);
  };
}

/** Archives, trashes or restores a record. */
export type Move = (move: 'archive' | 'trash' | 'restore') => Promise<void>;

export function useMove(place: Omit<Place, 'account'>): Move {
  const { account } = useAccount();
  const client = useQueryClient();
  return async (move) => {
    const here = { account, ...place };
    await rest(account, `${pathOf(here)}/${move}`, { method: 'POST' });
    await Promise.all([
      client.invalidateQueries({ queryKey: recordOptions(here).queryKey }),
      client.invalidateQueries({ queryKey: trashOptions(here).queryKey }),
      refreshAround(client, here),
    ]);
  };
}

/** After a write: the history, and every document about records of this kind. */
export function refreshAround(client: QueryClient, { account, kind, number }: Place): Promise<unknown> {
  const [word = kind.name] = kind.name.split('_');
  return Promise.all([
    client.invalidateQueries({ queryKey: [account, 'audit', kind.plural, number] }),
    client.invalidateQueries({
      queryKey: [account],
      predicate: ({ meta }) => meta?.document !== undefined && isAbout(meta.document, word),
    }),
  ]);
}
