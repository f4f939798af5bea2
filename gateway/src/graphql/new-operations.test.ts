import { waitUntil } from '@itsm/shared/testing/wait-until';
import { mostInFlight } from '../callers/calls-in-flight';
import { startGateway } from '../testing/start-gateway';

/** A unique operation that takes some milliseconds to parse and plan. */
const operation = (n: number) => {
  const fields = Array.from({ length: 20 }, (_none, i) => `a${n}x${i}: requests(first: 1) { totalCount }`);
  return { query: `{ ${fields.join(' ')} }` };
};

test('many new operations of one account at once do not delay other accounts', async () => {
  const gateway = await startGateway();
  const as = (accountId: string) => ({
    'x-service-account': accountId,
    authorization: `Bearer ${gateway.auth.issue({ accounts: { [accountId]: ['specialist'] } })}`,
  });
  const begun = gateway.auth.asked();
  // As many as may wait.
  const many = Array.from({ length: mostInFlight.newDocuments }, (_none, n) =>
    gateway.post(undefined, operation(n), as('greedy')),
  );
  await waitUntil('them to be known', () => gateway.auth.asked() > begun);
  const small = gateway.post(undefined, operation(100), as('small'));
  await waitUntil('the other to be with the service', () => gateway.graph.asked('small') === 1);
  expect(gateway.graph.asked('greedy')).toBeLessThan(20);
  expect((await small).status).toBe(200);
  for (const { status } of await Promise.all(many)) expect(status).toBe(200);
  await gateway.close();
});
