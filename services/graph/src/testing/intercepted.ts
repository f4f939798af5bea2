import type { Connection } from 'mongoose';

type Write = (...parameters: readonly unknown[]) => Promise<unknown>;

/** What happens to a call: `send` sends it, if at all, and other parameters may be sent instead. */
export type Intercept = (parameters: readonly unknown[], send: Write) => Promise<unknown>;

const writes: readonly PropertyKey[] = ['insertOne', 'updateOne', 'bulkWrite'];

/** The connection of a process whose writes, or other methods of its collections, are intercepted; those of models are not. */
export const intercepted = (
  connection: Connection,
  intercept: Intercept,
  methods: readonly PropertyKey[] = writes,
): Connection =>
  new Proxy(connection, {
    get(target, property) {
      if (property !== 'collection') return Reflect.get(target, property, target) as unknown;
      return (name: string) =>
        new Proxy(target.collection(name), {
          get(collection, method) {
            const member = Reflect.get(collection, method, collection) as unknown;
            if (typeof member !== 'function') return member;
            const call = member.bind(collection) as Write;
            return methods.includes(method) ? (...parameters: unknown[]) => intercept(parameters, call) : call;
          },
        });
    },
  });

/** How the last write of a process ends. */
export type End = 'lost' | 'unanswered' | 'in part';

/** The connection of a process that is killed during its write number `last`, counted from 0. */
export function dying(connection: Connection, last: number, end: End): Connection {
  let sent = 0;
  return intercepted(connection, async (parameters, send) => {
    const nr = (sent += 1) - 1;
    if (nr < last) return send(...parameters);
    const [first, ...others] = parameters;
    if (nr === last && end === 'unanswered') await send(...parameters);
    if (nr === last && end === 'in part' && Array.isArray(first) && first.length > 1)
      await send(first.slice(0, Math.ceil(first.length / 2)), ...others);
    throw new Error('The process has ended');
  });
}
