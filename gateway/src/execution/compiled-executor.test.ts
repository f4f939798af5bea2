import { startExecutor } from '../testing/start-executors';

test('an operation is cached on its second call and not planned again', async () => {
  const { run, plans } = await startExecutor('compiled');
  for (let call = 0; call < 5; call += 1) await run('{ person { name badge { code } } }');
  expect(plans()).toBe(2);
});
