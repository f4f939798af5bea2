import type { Outcome } from '../operations/calls';
import { isAllowed } from './report';

const times = { began: 100_000, ended: 130_000 };
const clear = { status: 503, retryAfter: '1', problem: '503 {}' };

/** A call that was made `after` seconds from the start of the fault, and refused after `seconds`. */
const refused = (after: number, seconds: number, about: Partial<Outcome> = clear): Outcome => ({
  what: 'query',
  status: 0,
  isOk: false,
  retryAfter: undefined,
  problem: '',
  ...about,
  at: times.began + after * 1_000,
  milliseconds: seconds * 1_000,
});

test.each([
  ['was made before the fault and waited into it', refused(-1, 3), true],
  ['had its answer before the fault', refused(-1, 0.5), false],
  ['was made within ten seconds', refused(9.9, 0.1), true],
  ['was made within ten seconds and waited beyond them', refused(9.9, 9), true],
  ['was made later', refused(10.1, 0), false],
  ['was refused without the time of another try', refused(1, 0, { ...clear, retryAfter: undefined }), false],
  ['had no answer', refused(1, 0, { status: 0 }), false],
])('classifies a refused call that %s', (_what, outcome, expected) => {
  expect(isAllowed({ refusals: 'clear', until: 'begin' }, times, outcome)).toBe(expected);
});

test('during an outage calls may be refused until ten seconds after its end', () => {
  const isAllowedAt = (seconds: number): boolean =>
    isAllowed({ refusals: 'clear', until: 'end' }, times, refused(seconds, 9));
  expect([isAllowedAt(39.9), isAllowedAt(40.1)]).toEqual([true, false]);
});

test('a killed process may leave calls without an answer; a fault without refusals may not', () => {
  const cut = refused(1, 0, { status: 0 });
  expect(isAllowed({ refusals: 'any', until: 'begin' }, times, cut)).toBe(true);
  expect(isAllowed({ refusals: 'none', until: 'begin' }, times, refused(1, 0))).toBe(false);
});
