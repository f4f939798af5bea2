import type { Socket } from 'node:net';
import { createHttpConnection } from './http-connection';
import type { Call, HttpConnection, Reply } from './http-connection';
import { failureOf } from './failure';
import type { Target } from './target';
import type { Trace } from './trace';

/** A call in progress: its target, its limits and its current stage. */
export interface Course {
  readonly target: Target;
  readonly trace: Trace;
  readonly signal: AbortSignal;
}

/** Connects to a checked address of the target; undefined when one of its addresses is forbidden. */
export type Open = (course: Course) => Promise<Socket | undefined>;

/** Sends calls over connections that are reused within seconds for the same origin; undefined when `open` refuses. */
export interface Exchange {
  send(course: Course, call: Omit<Call, 'path'>): Promise<Reply | undefined>;
  close(): void;
}

export function createExchange(open: Open): Exchange {
  const idle = createIdleConnections();

  async function over(connection: HttpConnection, { target, trace, signal }: Course, call: Omit<Call, 'path'>) {
    const path = `${target.url.pathname}${target.url.search}`;
    const headers = createSignal();
    const reply = connection.request({ ...call, path }, signal, headers.come);
    const [answer] = await Promise.all([reply, trace.during('firstByte', Promise.race([headers.came, reply]))]);
    if (call.keepAlive && answer.end === 'whole') idle.keep(target.url.origin, connection);
    else connection.close();
    return answer;
  }

  async function afresh(course: Course, call: Omit<Call, 'path'>): Promise<Reply | undefined> {
    const socket = await open(course);
    if (!socket) return undefined;
    const { host, origin } = course.target.url;
    const connection: HttpConnection = createHttpConnection(host, socket, () => idle.forget(origin, connection));
    return over(connection, course, call);
  }

  return {
    async send(course, call) {
      const kept = call.keepAlive ? idle.take(course.target.url.origin) : undefined;
      if (!kept) return afresh(course, call);
      try {
        return await over(kept, course, call);
      } catch (error) {
        // The receiver closed the reused connection between two calls.
        if (course.signal.aborted || failureOf(error, 'firstByte') !== 'reset') throw error;
        return afresh(course, call);
      }
    },
    close: () => idle.close(),
  };
}

function createSignal() {
  let come = () => {};
  const came = new Promise<void>((resolve) => (come = resolve));
  return { came, come };
}

/** Idle connections by origin, which close after some seconds. */
interface IdleConnections {
  take(origin: string): HttpConnection | undefined;
  /** Closes the connection instead when it cannot be reused. */
  keep(origin: string, connection: HttpConnection): void;
  forget(origin: string, connection: HttpConnection): void;
  close(): void;
}

/** The maximum age of a connection, after which the name is resolved and checked again. */
const longestMilliseconds = 30_000;
const mostIdle = 500;

function createIdleConnections(): IdleConnections {
  const idle = new Map<string, HttpConnection[]>();
  const since = new WeakMap<HttpConnection, number>();
  let count = 0;
  let closed = false;

  function isUsable(connection: HttpConnection): boolean {
    const opened = since.get(connection) ?? performance.now();
    since.set(connection, opened);
    return connection.isOpen() && performance.now() - opened < longestMilliseconds;
  }

  function forget(origin: string, connection: HttpConnection): void {
    const there = idle.get(origin);
    const index = there?.indexOf(connection) ?? -1;
    if (!there || index < 0) return;
    there.splice(index, 1);
    count -= 1;
    if (there.length === 0) idle.delete(origin);
  }

  return {
    take(origin) {
      // The most recent one first: it is the least likely to be closed by the receiver.
      for (let last = idle.get(origin)?.at(-1); last; last = idle.get(origin)?.at(-1)) {
        forget(origin, last);
        if (isUsable(last)) return last;
        last.close();
      }
      return undefined;
    },
    keep(origin, connection) {
      if (closed || count >= mostIdle || !isUsable(connection)) {
        connection.close();
        return;
      }
      idle.set(origin, [...(idle.get(origin) ?? []), connection]);
      count += 1;
    },
    forget,
    close() {
      closed = true;
      for (const connection of [...idle.values()].flat()) connection.close();
    },
  };
}
