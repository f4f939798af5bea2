import { createFairTurns } from './fair-turns';

const within = (milliseconds: number) => ({ left: () => milliseconds });

test('a waiting call is refused at its deadline or when the client disconnects, and its work never starts', async () => {
  const turns = createFairTurns({ limit: 2 });
  let end = (): void => undefined;
  const first = turns.run('wdc', () => new Promise<void>((resolve) => (end = resolve)), {
    deadline: within(1_000),
  });
  let done = 0;
  const work = () => Promise.resolve((done += 1));
  const late = turns.run('wdc', work, { deadline: within(20) });
  await expect(late).rejects.toMatchObject({ code: 'service_unavailable' });
  const leaving = new AbortController();
  const left = turns.run('wdc', work, { deadline: within(10_000), departure: () => leaving.signal });
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  end();
  await first;
  expect(done).toBe(0);
  expect(await turns.run('wdc', work, { deadline: within(20) })).toBe(1);
});
