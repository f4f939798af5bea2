import type { Connection } from 'mongoose';
import { createIdempotentCalls } from '../stores/idempotence/idempotent-call.repository';
import { exercise } from './store-commands';
import type { Exercise } from './store-commands';

const at = new Date(Date.UTC(2026, 0, 1));
const later = new Date(Date.UTC(2027, 0, 1));
const accountOf = (n: number): string => `a${Math.floor(n / 10)}`;

/** The `n`-th document of the calls with an `Idempotency-Key`. */
export const idempotentCall = (n: number): object => ({
  _id: `call ${n}`,
  accountId: accountOf(n),
  fingerprint: 'same',
  leaseUntil: at,
  expiresAt: later,
});

/** Sample calls of the repository, which every service has. */
export function exerciseOfIdempotentCalls(connection: Connection): Exercise {
  const lease = (n: number) => ({ id: `call ${n}`, accountId: accountOf(n), until: at });
  return exercise('createIdempotentCalls', createIdempotentCalls(connection), {
    async claim(all) {
      await all.claim({ id: 'new', accountId: 'a5', fingerprint: 'same' }, at);
      await all.claim({ id: 'call 57', accountId: 'a5', fingerprint: 'same' }, at);
    },
    reserve: (all) => all.reserve(lease(56), 1),
    keep: (all) => all.keep(lease(55), 'answer', at),
    release: (all) => all.release(lease(54), at),
    forget: (all) => all.forget(lease(53)),
    prune: (all) => all.prune('a5', 1),
  });
}
