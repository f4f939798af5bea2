import { createTestClock } from '@itsm/shared/testing/test-clock';
import { createAccountPace } from './account-pace';

const second = 1_000;

test('an account has two seconds of its pace at once, and what it has spent comes back with time', () => {
  const clock = createTestClock();
  const pace = createAccountPace(10, clock.now);
  expect(pace.left('a')).toBe(20);
  pace.spend('a', 25);
  expect(pace.left('a')).toBe(-5);
  expect(pace.left('b')).toBe(20);
  clock.pass(second);
  expect(pace.left('a')).toBe(5);
  clock.pass(3_600 * second);
  expect(pace.left('a')).toBe(20);
});

test('a clock that is set back stops no account', () => {
  const clock = createTestClock();
  const pace = createAccountPace(10, clock.now);
  pace.spend('a', 30);
  clock.pass(-3_600 * second);
  expect(pace.left('a')).toBe(20);
});
