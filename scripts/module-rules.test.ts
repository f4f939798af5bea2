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
/** A valid tree: two modules of a service, and two folders of one module of `shared`. */
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

/** Each file breaks one rule; the cycle between folders of `base` consists of type imports only. */
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

/** The violated rules of a tree of these files, with their places. */
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

test('the module check reports each upward import, cycle by types alone and folder that is no module, and nothing else', () => {
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
