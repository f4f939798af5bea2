import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deployables, reads } from './deployables';

const root = join(__dirname, '..');
const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8');
const sealing = deployables.filter((name) => reads(name, 'SEALING_KEYS') || reads(name, 'DELIVERY_KEYS'));

test('every service with sealing keys has a re-encryption command, and the operations guide runs it', () => {
  expect(sealing.length).toBeGreaterThan(0);
  for (const name of sealing) {
    expect(existsSync(join(root, 'services', name, 'src/reseal.ts'))).toBe(true);
    expect(operations).toContain(`exec deploy/${name} -- /nodejs/bin/node dist/reseal.js`);
  }
});

test.each(['INTROSPECTION_SECRET', 'CONSOLE_CLIENT_SECRET', 'COOKIE_KEYS', 'SEALING_KEYS', 'DELIVERY_KEYS'])(
  'the operations guide names the services to restart after a change of %s',
  (secret) => {
    const [, named = ''] =
      new RegExp(`^\\| \`${secret}\` \\| ([\\w-]+(?:, [\\w-]+)*) \\|$`, 'm').exec(operations) ?? [];
    expect(named.split(', ').sort()).toEqual(deployables.filter((name) => reads(name, secret)).sort());
  },
);
