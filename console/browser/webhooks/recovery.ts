import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { explain, failureOf } from '../api/errors';
import { run } from '../api/graphql';
import { queryOf } from '../api/queries';
import { rest } from '../api/rest';
import { recoverCounts, skippedRedeliver } from './recover-document';

/** The kinds of deliveries to send. */
export interface Kinds {
  readonly unsuccessful: boolean;
  readonly skipped: boolean;
  readonly waiting: boolean;
}

export interface Recovery {
  readonly isRunning: boolean;
  readonly startedAt: number;
  /** The number of successful deliveries in the span before the recovery began. */
  readonly deliveredBefore: number;
  /** The number of requested deliveries so far. */
  readonly asked: number;
  readonly refused: readonly { readonly id: string; readonly message: string }[];
  /** Why it is waiting before the next call, which follows by itself. */
  readonly waits?: string | undefined;
  /** The person stopped it. */
  readonly isStopped?: boolean;
  /** Why it ended early. */
  readonly failed?: string;
}

interface Redelivered {
  readonly redelivered: readonly { readonly id: string }[];
  readonly refused: readonly { readonly id: string; readonly message: string }[];
}

const fresh = { isRunning: true, deliveredBefore: 0, asked: 0, refused: [] };
/** The number of deliveries that one call sends. */
const atOnce = 1_000;

/** Requests all deliveries of a span, 1,000 per call, until none is left or `stop` is called. */
export function useRecovery(account: string, webhookId: string) {
  const client = useQueryClient();
  const [recovery, setRecovery] = useState<Recovery>();
  const isStopped = useRef(false);

  /** `waiting` is the number of waiting deliveries: those that wait again after a try are not tried twice. */
  const start = async (from: Date, until: Date, kinds: Kinds, waiting: number): Promise<void> => {
    isStopped.current = false;
    let known: Recovery = Object.assign({ startedAt: Date.now() }, fresh);
    const note = (changes: Partial<Recovery>): void => {
      known = Object.assign({}, known, changes);
      setRecovery(known);
    };
    const patiently = async <T>(call: () => Promise<T>): Promise<T> => {
      try {
        return await untilNotTooFast(call, (waits) => note({ waits }));
      } finally {
        note({ waits: undefined });
      }
    };
    const send = async (states: readonly string[]): Promise<Redelivered> => {
      const body = { webhook_id: Number(webhookId), from: from.toISOString(), until: until.toISOString(), states };
      const answer = await patiently(() =>
        rest<Redelivered>(account, '/webhook_deliveries/redeliver', { method: 'POST', body }),
      );
      note({ asked: known.asked + answer.redelivered.length, refused: merged(known.refused, answer.refused) });
      return answer;
    };
    // One call with the one that shows the progress.
    const countDelivered = async (): Promise<number> => {
      const query = queryOf(recoverCounts, { id: webhookId, from: from.toISOString() }, account);
      const { data } = await client.fetchQuery({ ...query, staleTime: 0 });
      return data.webhook?.delivered?.totalCount ?? 0;
    };
    note({});
    try {
      note({ deliveredBefore: await patiently(countDelivered) });
      if (kinds.skipped) note({ asked: await patiently(() => sendSkipped(account, webhookId, from, until)) });
      // Refused deliveries are found again by every call, so a call that sends nothing is the last.
      for (let isMore = kinds.unsuccessful; isMore && !isStopped.current;) {
        const { redelivered, refused } = await send(['failed', 'stopped']);
        isMore = redelivered.length > 0 && redelivered.length + refused.length >= atOnce;
      }
      const calls = kinds.waiting ? Math.ceil(waiting / atOnce) : 0;
      for (let call = 0; call < calls && !isStopped.current; call += 1) await send(['pending']);
      note({ isRunning: false, isStopped: isStopped.current });
    } catch (error) {
      note({ isRunning: false, failed: explain(error) });
    }
    await client.invalidateQueries({ queryKey: [account] });
  };
  return {
    recovery,
    start,
    stop: () => {
      isStopped.current = true;
    },
  };
}

async function sendSkipped(account: string, id: string, from: Date, until: Date): Promise<number> {
  const variables = { id, from: from.toISOString(), until: until.toISOString() };
  const { data } = await run(skippedRedeliver, variables, account);
  const refusal = data.webhookRedeliverSkipped?.errors[0]?.message;
  if (refusal !== undefined) throw new Error(refusal);
  return data.webhookRedeliverSkipped?.skipped?.count ?? 0;
}

const merged = (before: Recovery['refused'], now: Recovery['refused']): Recovery['refused'] => [
  ...new Map([...before, ...now].map((one) => [one.id, one])).values(),
];

/** Waits after a rate limit for as long as the platform says, and reports why. */
async function untilNotTooFast<T>(call: () => Promise<T>, tell: (waits: string) => void): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind !== 'too_fast') throw error;
      tell(explain(error));
      await new Promise((resolve) => setTimeout(resolve, failure.seconds * 1_000));
    }
  }
}
