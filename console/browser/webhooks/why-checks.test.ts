/// <reference types="jest" />
import { checksOf } from './why-checks';
import type { Explanation } from './why-document';

const webhook = { event: 'request.update', createdAt: '2026-03-01T00:00:00Z' };
const explained = (verdict: Explanation['verdict'], others: Partial<Explanation> = {}): Explanation =>
  Object.assign(
    {
      eventId: 'e-1',
      verdict,
      reason: '',
      visible: true,
      event: 'request.update',
      eventMatches: true,
      occurredAt: '2026-03-18T12:00:00Z',
      stateThen: 'active' as const,
      state: 'active' as const,
      verified: true,
      deliveryId: null,
      attempts: 0,
      lastAttemptAt: null,
      lastStatus: null,
      lastError: null,
      nextAttemptAt: null,
    },
    others,
  );

test.each([
  ['delivered', {}, 'passed passed passed passed passed'],
  ['waiting', { attempts: 1 }, 'passed passed passed passed open'],
  ['failed', { attempts: 10 }, 'passed passed passed passed stopped'],
  ['given_up', { attempts: 2 }, 'passed passed passed passed stopped'],
  ['skipped', { stateThen: 'unverified' }, 'passed passed passed stopped unreached'],
  ['not_registered', { stateThen: null }, 'passed passed passed stopped unreached'],
  ['other_event', { eventMatches: false, stateThen: null }, 'passed passed stopped unreached unreached'],
  [
    'unknown_event',
    { visible: false, event: null, occurredAt: null },
    'stopped unreached unreached unreached unreached',
  ],
] as const)('%s', (verdict, others, results) => {
  const checks = checksOf(explained(verdict, others), webhook);
  expect(checks.map(({ result }) => result).join(' ')).toBe(results);
});

test('the last step shows the number of attempts, the last result and the next attempt', () => {
  const waiting = { attempts: 3, lastError: 'The receiver answered 500', nextAttemptAt: '2026-03-18T13:00:00Z' };
  expect(checksOf(explained('waiting', waiting), webhook).at(-1)?.fact).toMatch(
    /^3 attempts\. The receiver answered 500\. The next one is on Mar 18, 2026/,
  );
});
