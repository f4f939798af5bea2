import { createHttpConnection } from './http-connection';
import type { Call, HttpConnection, Reply } from './http-connection';
import { failureOf } from './failure';
import { createIdleConnections } from './idle-connections';
import type { Target } from './target';
import type { Trace } from './trace';
import type { Socket } from 'node:net';

/** A call on its way: where it goes, what it may take, how far it is. */
export interface Course {
  readonly target: Target;
  readonly trace: Trace;
  readonly signal: AbortSignal;
}

/** Connects to an address of the target that was checked; undefined when one of them may not be called. */
export type Open = (course: Course) => Promise<Socket | undefined>;

/** Calls over connections that are used again for the same origin within seconds; undefined when `open` refuses. */
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
    const { origin } = course.target.url;
    const connection: HttpConnection = createHttpConnection(origin, socket, () => idle.forget(origin, connection));
    return over(connection, course, call);
  }

  return {
    async send(course, call) {
      const kept = call.keepAlive ? idle.take(course.target.url.origin) : undefined;
      if (!kept) return afresh(course, call);
      try {
        return await over(kept, course, call);
      } catch (error) {
        // The receiver closed it between two calls.
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
