import { createBreaker, createBreakers, patienceMilliseconds, restMilliseconds } from './breaker';

function start() {
  let at = 0;
  const breaker = createBreaker(() => new Date(at));
  const fail = (times: number) => Array.from({ length: times }, () => breaker.failed());
  return { breaker, fail, pass: (milliseconds: number) => (at += milliseconds) };
}

test('five failures in a row open the breaker, four do not', () => {
  const { breaker, fail } = start();
  fail(4);
  expect(breaker.mayTry()).toBe(true);
  fail(1);
  expect(breaker.mayTry()).toBe(false);
});

test('a success resets the count', () => {
  const { breaker, fail } = start();
  fail(4);
  breaker.succeeded();
  fail(4);
  expect(breaker.mayTry()).toBe(true);
});

test('after the rest one call probes, and its outcome decides for all', () => {
  const { breaker, fail, pass } = start();
  fail(5);
  pass(restMilliseconds);
  expect([breaker.mayTry(), breaker.mayTry()]).toEqual([true, false]);
  breaker.failed();
  pass(restMilliseconds - 1);
  expect(breaker.mayTry()).toBe(false);
  pass(1);
  expect(breaker.mayTry()).toBe(true);
  breaker.succeeded();
  expect([breaker.mayTry(), breaker.mayTry()]).toEqual([true, true]);
});

const times = (count: number, act: () => void): void => Array.from({ length: count }).forEach(act);

/** Breakers and their clock; `failTogether` fails five calls of one account at one moment. */
function startAccounts() {
  let at = 0;
  const breakers = createBreakers(() => new Date(at));
  const failTogether = () => times(5, () => breakers.failed('wdc', new Error('no answer in time')));
  return { breakers, failTogether, pass: (milliseconds: number) => (at += milliseconds) };
}

test('slow answers to one account do not open the breaker of others', () => {
  const { breakers, failTogether, pass } = startAccounts();
  failTogether();
  pass(patienceMilliseconds);
  failTogether();
  expect([breakers.mayTry('wdc'), breakers.mayTry('acme')]).toEqual([false, true]);
  breakers.succeeded('acme');
  expect(breakers.mayTry('wdc')).toBe(false);
});

test('failures at one moment do not open the breaker of an account, since the next calls may be answered', () => {
  const { breakers, failTogether, pass } = startAccounts();
  failTogether();
  pass(patienceMilliseconds - 1);
  failTogether();
  expect(breakers.mayTry('wdc')).toBe(true);
  breakers.succeeded('wdc');
  pass(1);
  failTogether();
  expect(breakers.mayTry('wdc')).toBe(true);
});

test('a service that cannot be connected to opens the breaker for all accounts', () => {
  const breakers = createBreakers(() => new Date(0));
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  times(3, () => breakers.failed('wdc', refused));
  times(2, () => breakers.failed('acme', refused));
  expect([breakers.mayTry('wdc'), breakers.mayTry('other')]).toEqual([false, false]);
});
