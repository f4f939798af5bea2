import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..');
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'itsm-modules-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const thing = 'export interface Thing { readonly id: number }\nexport const thing = { id: 1 };\n';
/** Two modules of a service and two folders of one of `shared`, in which every arrow goes as it may. */
const sound = {
  'services/webhooks/src/directory/account.ts': thing,
  'services/webhooks/src/directory/module.ts': "export { thing as createDirectory } from './account';\n",
  'services/webhooks/src/webhooks/webhook.ts': "export { thing as webhook } from '../directory/account';\n",
  'services/webhooks/src/app.ts': "export { createDirectory } from './directory/module';\n",
  'services/webhooks/src/config.ts': thing,
  'shared/src/base/ids/id.ts': thing,
  'shared/src/base/time/clock.ts': "export type { Thing as Clock } from '../ids/id';\n",
  'shared/src/base/time/zone.ts': thing,
  'console/browser/parts/row.ts': thing,
  'console/browser/signing/keys.ts': "export { thing as key } from '../parts/row';\n",
  'console/browser/webhooks/list.ts': thing,
};

/** Each breaks a rule of its own; the circle of the folders of `base` is one of types alone. */
const planted = {
  'services/webhooks/src/directory/upwards.ts': "export type { webhook as Upwards } from '../webhooks/webhook';\n",
  'services/webhooks/src/webhooks/settings.ts': "export type { Thing as Settings } from '../config';\n",
  'services/webhooks/src/helpers/stray.ts': "export { thing as helper } from '../directory/account';\n",
  'services/webhooks/src/tools/alone.ts': thing,
  'services/webhooks/src/webhooks/tooled.ts': "export { thing as tool } from '../tools/alone';\n",
  'services/webhooks/src/app.ts': "export { thing as account } from './directory/account';\n",
  'shared/src/base/ids/numbered.ts': "export type { Thing as Zoned } from '../time/zone';\n",
  'shared/src/base/time/one.ts': "import type { Other } from './other';\nexport type One = Other | 1;\n",
  'shared/src/base/time/other.ts': "import type { One } from './one';\nexport type Other = One | 2;\n",
  'console/browser/parts/cell.ts': "export { key as cell } from '../signing/keys';\n",
  'console/browser/webhooks/policy.ts': "export { key as policy } from '../signing/keys';\n",
};

interface Report {
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[];
  };
}

/** Which rules a tree of these files breaks, and where. */
function brokenBy(files: Readonly<Record<string, string>>): string[] {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(directory, dirname(path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  const config = join(root, '.dependency-cruiser.modules.cjs');
  const args = ['services', 'shared', 'console', '--config', config, '--output-type', 'json'];
  const program = join(root, 'node_modules/.bin/depcruise');
  const { stdout, stderr } = spawnSync(program, args, {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (stdout === '') throw new Error(stderr);
  const { summary } = JSON.parse(stdout) as Report;
  return [...new Set(summary.violations.map(({ from, rule: { name } }) => `${name}: ${from}`))].sort();
}

test('the check of modules names each arrow upwards, circle by types alone, folder that is no module, and nothing else', () => {
  expect(brokenBy({ ...sound, ...planted })).toEqual([
    'console/browser: features do not know each other: console/browser/webhooks/policy.ts',
    'console/browser: parts stands below: console/browser/parts/cell.ts',
    'no circle of files: shared/src/base/time/one.ts',
    'no circle of folders: console/browser/parts',
    'no circle of folders: console/browser/signing',
    'no circle of folders: services/webhooks/src/directory',
    'no circle of folders: services/webhooks/src/webhooks',
    'no circle of folders: shared/src/base/ids',
    'no circle of folders: shared/src/base/time',
    'services/webhooks: directory stands below: services/webhooks/src/directory/upwards.ts',
    'services/webhooks: every folder is a module: services/webhooks/src/helpers/stray.ts',
    'services/webhooks: every folder is a module: services/webhooks/src/webhooks/tooled.ts',
    'services/webhooks: modules do not know who composes them: services/webhooks/src/webhooks/settings.ts',
    'services/webhooks: the app knows modules by their module.ts: services/webhooks/src/app.ts',
  ]);
});
