import { uploadPaths } from '@itsm/shared/contracts/uploads';
import { findRoute, routeTable } from './route-table';

test.each([
  ['/v1/people', 'auth'],
  ['/v1/people/12?fields=id', 'auth'],
  ['/v1/me', 'auth'],
  ['/v1/people/me', 'auth'],
  ['/v1/account?fields=name', 'auth'],
  ['/v1/accounts/wdc', 'auth'],
  ['/v1/people/enabled', 'auth'],
  ['/v1/requests/assigned_to_me?sort=-id', 'graph'],
  ['/v1/workflows/1/tasks/open', 'graph'],
  ['/v1/oauth_applications?sort=name', 'auth'],
  ['/v1/sso_configurations/1', 'auth'],
  ['/v1/requests/1', 'graph'],
  ['/v1/teams', 'graph'],
  ['/v1/notices/read', 'graph'],
  ['/v1/attachments', 'graph'],
  ['/v1/export/token/file', 'graph'],
  ['/v1/attachments/storage', 'graph'],
  ['/v1/webhooks/1', 'webhooks'],
  ['/v1/webhook_events', 'webhooks'],
  ['/v1/webhooks/1/deliveries?state=failed', 'webhook-delivery'],
])('%s is answered by %s', (target, service) => {
  expect(findRoute(target)).toMatchObject({ service, access: 'caller' });
});

test('four texts of 64 KB, with every byte escaped in JSON, reach UI extensions', () => {
  for (const path of ['/v1/ui_extensions/1', '/ui_extensions/1'])
    expect(findRoute(path)?.bodyLimit).toBeGreaterThan(4 * 65_536 * 6);
});

test('files pass the console in the same way as without it', () => {
  for (const path of uploadPaths) {
    const { bodyLimit, isUpload } = findRoute(path) ?? {};
    expect(isUpload).toBe(true);
    expect(findRoute(`/console${path}`)).toMatchObject({ service: 'console', cookies: true, bodyLimit, isUpload });
  }
});

test('a path that only shares a prefix within a segment does not match', () => {
  expect(findRoute('/v1/peoples')).toBeUndefined();
});

test('no path is routed twice', () => {
  const paths = routeTable.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
});

test('compressed are records without secrets, and nothing that anybody can ask for or that has cookies', () => {
  const compressed = routeTable.filter(({ isCompressed }) => isCompressed);
  expect(compressed.filter(({ access, cookies }) => access === 'public' || cookies)).toEqual([]);
  const others = routeTable.filter(({ access, isCompressed }) => access === 'caller' && !isCompressed);
  expect(others.map(({ path }) => path)).toEqual([
    '/v1/webhooks',
    '/v1/webhook_policies',
    '/v1/import',
    '/v1/attachments',
    '/v1/export',
  ]);
});
