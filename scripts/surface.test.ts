import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const indexed = { key: { accountId: 1, 'values.status': 1, _id: 1 }, name: 'account_status' };
const beginnings = [
  'type Webhook implements Node {',
  'route services/ui-extensions GET /ui_extensions/:id ui-extension:Read',
  'route gateway GET /v1/rate_limit',
  'resource requests {"fields":["account",',
  'resource webhooks webhookResource {"fields":["consecutive_failures",',
  'resource graph noteResource {"fields":["attachments",',
  'answer /v1/people 200 [].created_at,',
  'message records.record.changed.v1 {"$schema":',
  'queue webhook-delivery.policies webhooks.policy.saved.v1',
  `index surface-graph requests ${JSON.stringify(indexed)}`,
  'created webhookPolicy {',
  'refusal teamCreate name, a control character: 400 BAD_USER_INPUT',
  'text teamUpdate name, an empty text: ',
  'refusal teamUpdate disabled, true: accepted',
  'refusal POST /v1/teams name, a number: 422 name',
  'read /v1/teams {"id":<id>,',
  'stored surface-auth applications .name String',
];

test('prints each kind of fact that clients and operators see', async () => {
  const script = join(__dirname, 'surface.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--deep=team'], { maxBuffer: 2 ** 24 });
  const lines = stdout.split('\n');
  expect(beginnings.filter((beginning) => !lines.some((line) => line.startsWith(beginning)))).toEqual([]);
});
