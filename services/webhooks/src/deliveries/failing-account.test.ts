import { createLogger } from '@itsm/shared/observing/logs/logger';
import type { RecordChanged } from '@itsm/shared/contracts/records';
import type { Presence } from '@itsm/shared/stores/presence/presence';
import { createTestClock } from '@itsm/shared/testing/test-clock';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { createAccountPace } from './account-pace';
import type { WaitingEventRepository } from './waiting-event.repository';
import { createWaitingEvents } from './waiting-events';

const { now } = createTestClock();

test('an account whose waiting events cannot be read holds up no other one', async () => {
  const done: string[] = [];
  const store: WaitingEventRepository = {
    ensureIndexes: () => Promise.resolve(),
    add: () => Promise.resolve(),
    accounts: () => Promise.resolve(['broken', 'other']),
    isDue: () => Promise.resolve(true),
    claim: (accountId) =>
      accountId === 'broken'
        ? Promise.reject(new Error('cannot be read'))
        : Promise.resolve([{ id: '1 other', accountId, change: {} as RecordChanged, dueAt: now() }]),
    remove: (accountId) => Promise.resolve(void done.push(accountId)),
    postpone: () => Promise.resolve(),
  };
  const presence = {
    claim: (from, milliseconds) =>
      from.claim(now(), [], { owner: 'this', until: new Date(now().getTime() + milliseconds) }),
    onGone: () => undefined,
  } as Pick<Presence, 'claim' | 'onGone'> as Presence;
  const waiting = createWaitingEvents({
    store,
    presence,
    pace: createAccountPace(1_000, now),
    fanOut: () => Promise.resolve([]),
    rests: { after: (piece) => piece(), end: () => undefined },
    logger: createLogger('webhooks', 'error', () => undefined),
    now,
    turnMilliseconds: 1,
  });
  waiting.start();
  await waitUntil('the event of the other account', () => done.includes('other'));
  await waiting.stop();
});
