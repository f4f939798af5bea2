import { createLogger, silentLogger } from '@itsm/shared/observing/logs/logger';
import { fillStore } from '@itsm/shared/testing/full-store';
import { startStore } from '../testing/start-auth';
import type { Store } from '../testing/start-auth';
import { createAuditRepository } from './audit.repository';
import { createAudit } from './audit.service';

let store: Store;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

test('two processes that write a thousand entries in the same millisecond lose none', async () => {
  const { connection } = await store.start();
  const auditEntries = createAuditRepository(connection);
  const at = new Date('2026-03-01T12:00:00Z');
  const accountId = 'wdc';
  const processes = [1, 2].map(() =>
    createAudit({ auditEntries, presentOrigin: () => undefined, logger: silentLogger, now: () => at }),
  );
  const each = 1_100;
  for (let written = 0; written < each; written += 100)
    await Promise.all(
      processes.flatMap((audit) =>
        Array.from({ length: 100 }, () => audit.record(accountId, { event: 'account.updated' })),
      ),
    );
  expect(await auditEntries.count(accountId, {})).toBe(processes.length * each);
});

test('on a full store an entry that has to be there is refused with what to do, and another is only logged', async () => {
  const { connection } = await store.start();
  const auditEntries = createAuditRepository(connection);
  const lines: string[] = [];
  const logger = createLogger('test', 'error', (line) => lines.push(line));
  const at = new Date('2026-03-18T19:04:06Z');
  const audit = createAudit({ auditEntries, presentOrigin: () => undefined, logger, now: () => at });
  fillStore(connection);
  await expect(audit.record('wdc', { event: 'token.revoked' })).rejects.toMatchObject({ code: 'insufficient_storage' });
  await audit.record('wdc', { event: 'sign_in.failed' });
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { message: 'security log entry lost', event: 'token.revoked' },
    { message: 'security log entry lost', event: 'sign_in.failed' },
  ]);
});
