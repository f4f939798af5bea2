import type { ServerResponse } from 'node:http';
import { tooManyCalls } from '@itsm/shared/base/errors/app-error';

/** Calls at once in one process of the gateway: as many of a caller as the shorter request window lets through together. */
export const mostInFlight = { caller: 20, account: 60 } as const;

interface Call {
  /** The holder of the limits: the person, or the application and the person. */
  readonly limitKey: string;
  readonly accountId: string;
}

/** Counts calls until they are answered or their client has left. */
export interface CallsInFlight {
  /** Begins a call that is answered with `res`; 429 when too many of its caller or account are under way. */
  begin(call: Call, res: ServerResponse): void;
}

export function createCallsInFlight(): CallsInFlight {
  const counts = new Map<string, number>();

  function change(key: string, by: number): void {
    const count = (counts.get(key) ?? 0) + by;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  }

  return {
    begin({ limitKey, accountId }, res) {
      const keys = [`caller ${limitKey}`, `account ${accountId}`] as const;
      const [ofCaller, ofAccount] = keys.map((key) => counts.get(key) ?? 0);
      if (Number(ofCaller) >= mostInFlight.caller) throw crowded(mostInFlight.caller, 'this caller');
      if (Number(ofAccount) >= mostInFlight.account) throw crowded(mostInFlight.account, 'this account');
      for (const key of keys) change(key, 1);
      res.once('close', () => keys.forEach((key) => change(key, -1)));
    },
  };
}

const crowded = (limit: number, whose: string) =>
  tooManyCalls(`Too many calls at once: ${limit} of ${whose} are under way`);
