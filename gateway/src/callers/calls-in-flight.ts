import type { ServerResponse } from 'node:http';
import { tooManyCalls } from '@itsm/shared/base/errors/app-error';

/** Calls at once in one process of the gateway. */
export const mostInFlight = {
  /** As many as the shorter request window lets through together. */
  caller: 20,
  account: 60,
  /** Of one IPv4 address, or one /64 of IPv6, to paths that need no token. */
  address: 64,
  /** Imports of one caller and one account, which may take minutes. */
  uploadsOfCaller: 4,
  uploadsOfAccount: 8,
} as const;

/** Counts what is under way for each key (a caller, an account, an address). */
export interface InFlight {
  /** Begins what is answered with `res`, and ends it with the answer or the connection; 429 when too much is under way. */
  begin(key: string, res: ServerResponse): void;
}

/** `whose` completes the sentence of the refusal. */
export function createInFlight(limit: number, whose: string): InFlight {
  const counts = new Map<string, number>();
  return {
    begin(key, res) {
      const count = counts.get(key) ?? 0;
      if (count >= limit) throw tooManyCalls(`Too many calls at once: ${limit} of ${whose} are under way`);
      counts.set(key, count + 1);
      res.once('close', () => {
        const left = (counts.get(key) ?? 1) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      });
    },
  };
}
