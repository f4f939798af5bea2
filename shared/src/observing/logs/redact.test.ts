import { toNodeId } from '../../base/ids/node-id';
import { createOpaqueToken } from '../../base/ids/opaque-token';
import { createLogger } from './logger';
import { redact } from './redact';

test('secrets are redacted by key and by form, in a copy', () => {
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

test.each([
  ['/ui_extension_previews/RudJFveyB4z9qY2yQx0a1B2c3D4e5F6g7H8i9J0kLmN', '/ui_extension_previews/[redacted]'],
  [
    '/ui_extension_previews/RudJFveyB4z9qY2yQx0a1B2c3D4e5F6g7H8i9J0kLmN/content',
    '/ui_extension_previews/[redacted]/content',
  ],
  ['/oauth/links/%52udJFveyB4z9qY2yQx0a1B2', '/oauth/links/[redacted]'],
  ['https://host/links/udJFveyB4z9qY2yQx0a1B2?x=1', 'https://host/links/[redacted]?x=1'],
  ['/v1/people/ada@wdc.example', '/v1/people/[redacted]'],
  ['/v1/people/ada%40wdc.example', '/v1/people/[redacted]'],
  ['/v1/webhook_policies/1/audit', undefined],
  ['/.well-known/oauth-authorization-server', undefined],
  ['/v1/webhook_deliveries/0f0e0d0c-1111-4222-8333-444455556666', undefined],
  [`/v1/requests/${toNodeId('service.example', 'Request', 70451)}`, undefined],
])('the path %s is shown without possible secrets', (path, shown = path) => {
  expect(redact({ path, of: [{ url: path }] })).toEqual({ path: shown, of: [{ url: shown }] });
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

test('a cycle terminates', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  expect(JSON.stringify(redact(cycle))).toContain('[deep]');
});
