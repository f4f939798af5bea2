import { AsyncLocalStorage } from 'node:async_hooks';
import { watchStorages } from './jest/storages.cjs';

test('what a suite has entered ends with it, and can be entered again', () => {
  const endSuite = watchStorages();
  const [run, entered] = [new AsyncLocalStorage<number>(), new AsyncLocalStorage<number>()];
  entered.enterWith(1);
  run.run(2, () => {
    expect([run.getStore(), entered.getStore()]).toEqual([2, 1]);
    endSuite();
    expect([run.getStore(), entered.getStore()]).toEqual([undefined, undefined]);
  });
  expect(run.run(3, () => run.getStore())).toBe(3);
});
