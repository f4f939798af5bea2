import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { explain, failureOf } from '../api/errors';
import { run } from '../api/graphql';
import { rest } from '../api/rest';
import { recoverCounts, skippedRedeliver } from './recover-document';

/** What of a span is sent. */
export interface Kinds {
  readonly unsuccessful: boolean;
  readonly skipped: boolean;
  readonly waiting: boolean;
}

export interface Recovery {
  readonly isRunning: boolean;
  readonly startedAt: number;
  /** Had arrived before it began, of everything since the beginning of the span. */
  readonly deliveredBefore: number;
  /** Asked for so far. */
  readonly asked: number;
  readonly refused: readonly { readonly id: string; readonly message: string }[];
  /** Why it waits for its next call, which comes by itself. */
  readonly waits?: string | undefined;
  /** The person has stopped it. */
  readonly isStopped?: boolean;
  /** Why it ended before everything was asked for. */
  readonly failed?: string;
}

interface Redelivered {
  readonly redelivered: readonly { readonly id: string }[];
  readonly refused: readonly { readonly id: string; readonly message: string }[];
}

const fresh = { isRunning: true, deliveredBefore: 0, asked: 0, refused: [] };
/** As many as one call sends. */
const atOnce = 1_000;

/** Asks for everything of a span, 1,000 at a time, one call after the other, until nothing is left or `stop`. */
export function useRecovery(account: string, webhookId: string) {
  const client = useQueryClient();
  const [recovery, setRecovery] = useState<Recovery>();
  const isStopped = useRef(false);

  /** `waiting` is how many of those there are: some wait again after their try, and are not tried twice. */
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
    note({});
    try {
      note({ deliveredBefore: await patiently(() => countDelivered(account, webhookId, from)) });
      if (kinds.skipped) note({ asked: await patiently(() => sendSkipped(account, webhookId, from, until)) });
      // What is refused is met again by every call: a call that sends nothing is the last.
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

async function countDelivered(account: string, id: string, from: Date): Promise<number> {
  const { data } = await run(recoverCounts, { id, from: from.toISOString() }, account);
  return data.webhook?.delivered?.totalCount ?? 0;
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

/** Waits as long as the platform says when there were too many calls, and tells why. */
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
