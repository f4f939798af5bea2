import { allQueues } from './topology';

test('every contract name says context, noun, past verb and version', () => {
  for (const { contracts } of allQueues) {
    for (const { name } of contracts) expect(name).toMatch(/^[a-z-]+\.[a-z-]+\.[a-z]+\.v\d+$/);
  }
});

test('every queue name begins with the service that consumes it and is used once', () => {
  const names = allQueues.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^(auth|webhooks|graph|webhook-delivery)\.[a-z-]+$/);
});
