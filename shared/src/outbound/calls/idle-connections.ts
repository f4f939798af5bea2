import type { HttpConnection } from './http-connection';

/** Connections between two calls, by origin. They close by themselves after some seconds. */
export interface IdleConnections {
  take(origin: string): HttpConnection | undefined;
  /** Closes it instead when it cannot be used again. */
  keep(origin: string, connection: HttpConnection): void;
  forget(origin: string, connection: HttpConnection): void;
  close(): void;
}

/** Its address is looked up and checked again from time to time, however busy it is. */
const longestMilliseconds = 30_000;
const mostIdle = 500;

export function createIdleConnections(): IdleConnections {
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
      // The latest: it is the least likely to be closed at this moment.
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
