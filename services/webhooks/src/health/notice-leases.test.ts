import { createFailureStreakRepository } from '../webhooks/webhook-streak.repository';
import { deliveryKey, startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { activeWebhook } from '../testing/webhook-steps';
import { createUriVault } from '../webhooks/uri-vault';
import { createNoticeRepository } from '../webhooks/webhook-notice.repository';

const minute = 60_000;

let engines: Engines;
let service: Service;
beforeAll(async () => {
  engines = await startEngines();
  service = await startService(engines);
});
afterAll(async () => {
  await service.close();
  await engines.close();
});

test('a notice of a dead process is sent by another under the same number, and only the new owner settles it', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  // The app's own notifier must not compete with the test.
  await service.app.stop();
  const { connection, now } = service;
  const streaks = createFailureStreakRepository(connection);
  const notices = createNoticeRepository(connection, createUriVault([deliveryKey]));
  let processes = 0;
  const claim = (at: Date, until: Date) => notices.claim(at, [], { owner: `process ${(processes += 1)}`, until });
  const later = (minutes: number) => new Date(now().getTime() + minutes * minute);
  const fail = (key: string) => streaks.addFailure('wdc', id, { key, at: now(), error: 'No answer' }, now());

  await fail('a:1');
  await fail('a:2');
  const claims = await Promise.all(Array.from({ length: 5 }, () => claim(now(), later(3))));
  const [dead, ...others] = claims.filter((claim) => claim !== undefined);
  expect(others).toEqual([]);
  expect(dead).toMatchObject({ failures: 2, number: 1 });
  expect(await claim(later(2), later(5))).toBeUndefined();

  service.pass(3 * minute);
  const alive = await claim(now(), later(3));
  expect(alive).toMatchObject({ failures: 2, number: 1 });
  await fail('a:3');
  if (!dead || !alive) throw new Error('There is no claim');
  await notices.settle(dead, later(20));
  expect(await claim(now(), later(3))).toBeUndefined();
  await notices.settle(alive, later(20));

  expect(await claim(later(19), later(22))).toBeUndefined();
  const next = await claim(later(20), later(23));
  expect(next).toMatchObject({ failures: 1, number: 2 });
  if (!next) throw new Error('There is no claim');
  await notices.settle(next, later(40));
  expect(await claim(later(1_000), later(1_003))).toBeUndefined();
});

test('the look for a mail that is due examines no webhook without one', async () => {
  const client = service.connection.getClient();
  const looks: object[] = [];
  client.on('commandStarted', ({ command }) => {
    const { find, filter } = command as { find?: string; filter?: object };
    if (find === 'webhooks' && filter && 'notices.dueAt' in filter) looks.push(filter);
  });
  for (let count = 0; count < 3; count += 1) await activeWebhook(service, 'wdc');
  await createNoticeRepository(service.connection, createUriVault([deliveryKey])).isDue(service.now(), []);
  const [look = {}] = looks;
  const { executionStats } = (await service.connection.collection('webhooks').find(look).explain('executionStats')) as {
    executionStats?: object;
  };
  expect(executionStats).toMatchObject({ nReturned: 0, totalDocsExamined: 0 });
});
