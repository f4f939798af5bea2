import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';
import type { Worker } from 'node:worker_threads';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { planningScript } from '../supergraph/planning';
import type { PlanningOptions } from '../supergraph/planning';

/** What reached the planning thread: whether it was to check or to plan, and the text. */
interface Reached {
  readonly kind: 'check' | 'plan';
  readonly query: string;
  /** The number of the thread. */
  readonly thread: number;
}

/** A planning thread that the test can hold. It ends at a document that has the word `die`. */
interface PlanningGate {
  /** For `startGateway`. */
  readonly planning: PlanningOptions;
  /** In the order in which they came; what the gateway itself sends at its start is left out. */
  readonly reached: readonly Reached[];
  /** Work waits in the thread from now on. */
  hold(): Promise<void>;
  release(): void;
  hasEnded(thread: number): boolean;
  close(): void;
}

interface Heard {
  readonly held?: boolean;
  readonly reached?: Reached;
}

export function openPlanningGate(): PlanningGate {
  const folder = mkdtempSync(join(tmpdir(), 'planning-'));
  const script = join(folder, 'thread.js');
  const channel = new BroadcastChannel(script);
  writeFileSync(script, textOf(script));
  const reached: Reached[] = [];
  const ended = new Set<number>();
  const note = (message: unknown): void => {
    const { worker } = message as { readonly worker: Worker };
    const { threadId } = worker;
    worker.once('exit', () => ended.add(threadId));
  };
  subscribe('worker_threads', note);
  let isHeld = false;
  channel.onmessage = (event) => {
    const heard = (event as { readonly data: Heard }).data;
    if (heard.reached) reached.push(heard.reached);
    if (heard.held !== undefined) isHeld = heard.held;
  };
  return {
    planning: { script },
    reached,
    async hold() {
      // The thread may not listen yet.
      await waitUntil('the thread to be held', () => {
        channel.postMessage('hold');
        return isHeld;
      });
    },
    release() {
      isHeld = false;
      channel.postMessage('release');
    },
    hasEnded: (thread) => ended.has(thread),
    close() {
      unsubscribe('worker_threads', note);
      channel.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The thread of the project, whose messages pass the gate. */
const textOf = (channel: string): string => `
  const { BroadcastChannel, parentPort, threadId } = require('node:worker_threads');
  const channel = new BroadcastChannel(${JSON.stringify(channel)});
  const waiting = [];
  let isHeld = false;
  channel.onmessage = ({ data }) => {
    // What other threads report is not for this one.
    if (typeof data !== 'string') return;
    isHeld = data === 'hold';
    channel.postMessage({ held: isHeld });
    while (!isHeld && waiting.length > 0) waiting.shift()();
  };
  const on = parentPort.on.bind(parentPort);
  parentPort.on = (event, handle) =>
    on(event, (message) => {
      const { id, kind, query } = message;
      if (id > 0) channel.postMessage({ reached: { kind, query, thread: threadId } });
      if (/\\bdie\\b/.test(query)) process.exit(3);
      if (isHeld && id > 0) waiting.push(() => handle(message));
      else handle(message);
    });
  require(${JSON.stringify(planningScript)});
`;
