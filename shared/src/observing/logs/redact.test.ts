import { createOpaqueToken } from '../../base/ids/opaque-token';
import { createLogger } from './logger';
import { redact } from './redact';

test('secrets are left out by key and by form, in a copy', () => {
  const token = createOpaqueToken('at');
  const facts = {
    headers: { authorization: `Bearer ${token}`, cookie: 'session=abc', accept: '*/*' },
    url: `https://user:hunter2@host/path?code=abc123&x=1`,
    text: `sent ${token} on`,
    client_secret: 'hunter2',
    count: 3,
  };
  const before = structuredClone(facts);
  expect(redact(facts)).toEqual({
    headers: { authorization: '[redacted]', cookie: '[redacted]', accept: '*/*' },
    url: 'https://[redacted]@host/path?code=[redacted]&x=1',
    text: 'sent itsm_at_[redacted] on',
    client_secret: '[redacted]',
    count: 3,
  });
  expect(facts).toEqual(before);
});

test('a log line is one JSON object without secrets, errors and their causes included', () => {
  const lines: string[] = [];
  const logger = createLogger('test', 'info', (line) => lines.push(line));
  const error = new Error('refused Bearer abc.def', { cause: new Error('by https://u:p@host') });
  logger.error('failed', { error, password: 'hunter2' });
  logger.debug('not written', {});
  expect(lines).toHaveLength(1);
  const line = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  expect(line).toMatchObject({ level: 'error', message: 'failed', service: 'test', password: '[redacted]' });
  expect(lines[0]).not.toMatch(/abc\.def|u:p@|hunter2/);
});

test('a cycle ends', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  expect(JSON.stringify(redact(cycle))).toContain('[deep]');
});
