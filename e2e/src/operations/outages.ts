import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { createHttpClient } from '../oauth/testing/http-client';
import type { Answer } from '../oauth/testing/http-client';
import { createCalls, postGraphql } from './calls';
import type { Credentials, Outcome } from './calls';
import type { Load } from './load';
import type { Scene } from './scene';

/** What clients observed from the start of an outage until full recovery. */
export interface Seen {
  readonly answered: number;
  readonly failed: readonly Outcome[];
  readonly slowest: number;
  /** Seconds from the end of the outage until every kind of call succeeded. */
  readonly recoveredIn: number;
}

/** Whether every service is ready, and one call of every kind succeeds. */
export async function isWell({ platform, clients }: Scene): Promise<boolean> {
  const http = createHttpClient(4);
  const calls = createCalls(http, platform.baseUrl, clients[0]);
  const outcomes = [await calls.query(), await calls.mutation(), await calls.read(), await calls.page()];
  http.close();
  return outcomes.every(({ isOk }) => isOk);
}

/** Starts an outage, waits, ends it, and waits for recovery. */
export async function suffer(
  scene: Scene,
  load: Load,
  { begin, seconds, end }: { begin: () => unknown; seconds: number; end: () => unknown },
): Promise<Seen> {
  load.take();
  await begin();
  await pause(seconds * 1000);
  await end();
  const ended = performance.now();
  await waitUntil('everything to be well', async () => (await isWell(scene)) || pause(200, false));
  const recoveredIn = Math.round(performance.now() - ended);
  const outcomes = load.take();
  const failed = outcomes.filter(({ isOk }) => !isOk);
  const slowest = Math.max(0, ...outcomes.map(({ milliseconds }) => milliseconds));
  return { answered: outcomes.length, failed, slowest, recoveredIn };
}

export const sentence = (what: string, { answered, failed, slowest, recoveredIn }: Seen): string =>
  `${what}: ${answered} calls, ${failed.length} refused, slowest ${slowest} ms, well after ${recoveredIn} ms\n`;

const me = '{ me { id } }';
/** Whether the token is accepted. */
export async function isAccepted({ platform, http }: Scene, credentials: Credentials): Promise<boolean> {
  const { status } = await postGraphql(http, platform.baseUrl, credentials, me).catch((): Answer => noAnswer);
  return status === 200;
}
const noAnswer: Answer = { status: 0, headers: {}, text: '' };

/** The start and the end of a call, in ms. */
interface Span {
  readonly began: number;
  readonly ended: number;
}

/** Makes `count` calls concurrently, in any state of the platform, and returns the spans of the accepted ones. */
export async function accepted(scene: Scene, credentials: Credentials, count: number): Promise<Span[]> {
  const spans = await Promise.all(
    Array.from({ length: count }, async () => {
      const began = performance.now();
      return (await isAccepted(scene, credentials)) ? [{ began, ended: performance.now() }] : [];
    }),
  );
  return spans.flat();
}

/**
 * A lower bound of the accepted calls within any `seconds`: a slow machine needs longer than a window for many calls.
 */
export function mostWithin(seconds: number, spans: readonly Span[]): number {
  const counts = spans.map(
    (from) => spans.filter(({ began, ended }) => began >= from.began && ended < from.began + seconds * 1000).length,
  );
  return Math.max(0, ...counts);
}
