import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { QueryPlan } from '@apollo/query-planner';
import { print } from 'graphql';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { createIdleThread, createUnderWay } from '@itsm/shared/base/concurrency/idle-thread';
import { AppError } from '@itsm/shared/base/errors/app-error';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { createPlanningTurns } from '../callers/calls-in-flight';
import type { ExecutionContext } from '../execution/executor';
import type { PlanForCall } from '../execution/query-planner';
import type { DocumentErrors } from './documents';

const works = ['check', 'plan'] as const;

/** One piece of work for the thread: to check a document as a client sent it, or to plan a valid one. */
export interface PlanningWork {
  readonly kind: (typeof works)[number];
  readonly query: string;
  readonly operationName: string | undefined;
}

export type ToPlanning = PlanningWork & { readonly id: number };

/** `text` is JSON: the errors of the document, or its query plan. */
export type FromPlanning =
  | { readonly kind: 'done'; readonly id: number; readonly text: string }
  | { readonly kind: 'failed'; readonly id: number; readonly error: unknown };

const planned = new Counter({
  name: 'gateway_new_documents_total',
  help: 'GraphQL documents not seen before that the planning thread checked or planned',
  labelNames: ['work'],
});
for (const work of works) planned.inc({ work }, 0);

/** The call that waits for the work. */
export type Asker = Pick<ExecutionContext, 'accountId' | 'deadline' | 'signal'>;

/**
 * Checks and plans documents in a worker thread, one at a time, accounts in turn: a document of ninety aliases takes a
 * tenth of a second. Both reject with 503 when the thread has ended, or when the deadline comes before the turn.
 */
export interface Planning {
  /** The errors of a document. */
  check(query: string, operationName: string | undefined, asker: Asker): Promise<DocumentErrors>;
  readonly plan: PlanForCall;
  /** Starts the thread, which takes a second. */
  start(): void;
  /** Lets the thread end once it has been idle for a while: new calls go to the next graph. */
  retire(): void;
  /** Ends the thread; calls in flight fail. */
  close(): void;
}

const heapMegabytes = 256;
/** In characters of JSON. It serves equal documents that come at once; lasting caches hold what is made of it. */
const mostOfAnswers = 2 * 1024 * 1024;

/** By default as this project has it. */
export interface PlanningOptions {
  readonly script?: string;
  /** As in `IdleThreadOptions`; applies once the thread is retired. */
  readonly idleMilliseconds?: number;
}

export const planningScript = resolve(__dirname, '../../dist/supergraph/planning.thread.js');

const unavailable = (): AppError =>
  new AppError('service_unavailable', 'Service Unavailable', { headers: { 'Retry-After': '1' } });

interface Waiting {
  readonly done: (text: string) => void;
  readonly failed: (error: unknown) => void;
}

export function createPlanning(supergraphSdl: string, logger: Logger, options: PlanningOptions = {}): Planning {
  const turns = createPlanningTurns();
  const answers = new LRUCache<string, string>({ maxSize: mostOfAnswers, sizeCalculation: (text) => text.length });
  let isRetired = false;
  const running = createUnderWay<Waiting>(() => isRetired && thread.rest());
  const thread = createIdleThread<ToPlanning, FromPlanning>({
    script: planningScript,
    ...options,
    workerData: supergraphSdl,
    heapMegabytes,
    take(message) {
      const work = running.get(message.id);
      if (message.kind === 'failed') work?.failed(message.error);
      else work?.done(message.text);
      running.end(message.id);
    },
    lost(error) {
      logger.error('the planning thread ended', { error });
      running.endAll(({ failed }) => failed(unavailable()));
    },
  });

  function run(work: PlanningWork): Promise<string> {
    planned.inc({ work: work.kind });
    return new Promise((done, failed) => thread.post({ id: running.add({ done, failed }), ...work }));
  }

  /** An equal document that is under way is waited for in the same queue, and its answer is taken then. */
  async function answer(work: PlanningWork, { accountId, deadline, signal }: Asker): Promise<unknown> {
    const key = digestOf(work);
    const make = async (): Promise<string> => {
      const known = answers.get(key);
      if (known !== undefined) return known;
      const text = await run(work);
      answers.set(key, text);
      return text;
    };
    const known = answers.get(key);
    if (known !== undefined) return JSON.parse(known);
    return JSON.parse(await turns.run(accountId, make, { deadline, departure: () => signal }));
  }

  return {
    check: async (query, operationName, asker) =>
      (await answer({ kind: 'check', query, operationName }, asker)) as DocumentErrors,
    plan: async (document, { node }, context) =>
      (await answer({ kind: 'plan', query: print(document), operationName: node.name?.value }, context)) as QueryPlan,
    start: () => thread.post({ id: 0, kind: 'check', query: '{ __typename }', operationName: undefined }),
    retire() {
      isRetired = true;
      // Work in the thread is not lost, however long it takes.
      if (running.isEmpty()) thread.rest();
    },
    close() {
      thread.close();
      running.endAll(({ failed }) => failed(unavailable()));
    },
  };
}

const digestOf = ({ kind, query, operationName }: PlanningWork): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, operationName]))
    .update(query)
    .digest('base64');
