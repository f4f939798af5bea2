import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { checkAccepted } from '../api/errors';
import { run } from '../api/graphql';
import { patiently } from '../api/patiently';
import { request } from '../api/request';
import { rest } from '../api/rest';
import { useAccount } from '../frame/account';
import type { Refused } from './bulk-change';
import { bulkUpdateOf, isOver, itemsOf, mostAtOnce, refusedIn } from './bulk-job';
import type { Job } from './bulk-job';
import type { Kind } from './kinds';
import { listOf } from './list-document';
import type { ListedRecord } from './list-document';
import type { Asked } from './list-search';
import { refreshAround } from './use-record';

const lookMilliseconds = 1_000;

/** What became of a job. */
export interface Ended {
  readonly job: Job;
  readonly total: number;
  readonly refused: readonly Refused[];
}

/** Reads all records of a list, and changes them by a job of the platform that one can watch and cancel. */
export function useBulkJob(kind: Kind, type: TypeDescription, types: readonly TypeDescription[]) {
  const { account } = useAccount();
  const client = useQueryClient();
  const [running, setRunning] = useState<{ readonly token: string; readonly records: readonly ListedRecord[] }>();
  const { data: job } = useQuery<{ readonly now: Job; readonly ended?: Ended }>({
    queryKey: [account, 'job', running?.token],
    enabled: running !== undefined,
    refetchInterval: ({ state }) => (state.data?.ended ? false : lookMilliseconds),
    queryFn: async ({ signal }) => {
      const { token = '', records = [] } = running ?? {};
      const now = await rest<Job>(account, `/import/${token}`, { signal });
      if (!isOver(now)) return { now };
      const log =
        now.results.failures === 0
          ? undefined
          : await request(`/console/v1/import/${token}/log`, { account, isRead: true, signal });
      const refused = log?.ok === true ? refusedIn(await log.text(), records) : [];
      await refreshAround(client, { account, kind, number: '' });
      return { now, ended: { job: now, total: records.length, refused } };
    },
  });
  return {
    job: running === undefined ? undefined : { done: job?.now.line ?? 0, total: running.records.length },
    ended: running === undefined ? undefined : job?.ended,
    /** The records of the list, at most as many as a job takes. `onRead` is called with how many there are so far. */
    read: async (asked: Asked, onRead: (count: number) => void): Promise<readonly ListedRecord[]> => {
      const found: ListedRecord[] = [];
      let after: string | null = null;
      do {
        const variables: Asked & { readonly first: number; readonly after: string | null } = {
          first: 100,
          ...asked,
          after,
        };
        const { data } = await patiently(() => run(listOf(type, types), variables, account));
        found.push(...(data.records?.nodes ?? []));
        onRead(found.length);
        after = data.records?.pageInfo.hasNextPage === true ? data.records.pageInfo.endCursor : null;
      } while (after !== null && found.length < mostAtOnce);
      return found.slice(0, mostAtOnce);
    },
    /** Starts the job; rejects when the platform refuses it as a whole. */
    start: async (records: readonly ListedRecord[], input: Readonly<Record<string, unknown>>): Promise<void> => {
      const { data } = await run(bulkUpdateOf(type), { items: itemsOf(records, input) }, account);
      checkAccepted(data.job);
      const token = data.job?.token;
      if (token) setRunning({ token, records });
    },
    cancel: () => rest(account, `/import/${running?.token ?? ''}/cancel`, { method: 'POST' }),
    forget: () => setRunning(undefined),
  };
}
