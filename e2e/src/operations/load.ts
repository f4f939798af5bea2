import { setTimeout as pause } from 'node:timers/promises';
import { createHttpClient } from '../oauth/testing/http-client';
import { createCalls } from './calls';
import type { Credentials, Outcome } from './calls';

/** Clients that call continuously, each below its rate limit. */
export interface Load {
  /** The outcomes since the last `take`. */
  take(): readonly Outcome[];
  /** The ids of all records whose creation was acknowledged. */
  acknowledged(): readonly string[];
  /** Resolves when all calls in flight are answered. */
  quiet(): Promise<void>;
  stop(): Promise<void>;
}

/** The rate limit is twenty calls per two seconds. */
const betweenCalls = 130;

export function startLoad(baseUrl: string, clients: readonly Credentials[], subject?: () => string): Load {
  const outcomes: Outcome[] = [];
  const acknowledged: string[] = [];
  const underWay = new Set<Promise<Outcome>>();
  let stopped = false;

  async function run(credentials: Credentials): Promise<void> {
    const http = createHttpClient(4);
    const calls = createCalls(http, baseUrl, credentials, subject);
    const turns = [calls.query, calls.mutation, calls.read, calls.mutation, calls.page];
    for (let turn = 0; !stopped; turn += 1) {
      const call = turns[turn % turns.length]?.();
      if (call) underWay.add(call);
      const outcome = await call;
      if (call) underWay.delete(call);
      if (outcome) outcomes.push(outcome);
      if (outcome?.id !== undefined) acknowledged.push(outcome.id);
      await pause(betweenCalls);
    }
    http.close();
  }

  const running = clients.map(run);
  return {
    take: () => outcomes.splice(0),
    acknowledged: () => acknowledged,
    async quiet() {
      await Promise.all(underWay);
    },
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}
