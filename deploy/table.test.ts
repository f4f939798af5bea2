import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deployables } from './deployables';
import { k8s, ofKind, render } from './rendered';

test('the committed files are what the table makes', () => {
  const check = () =>
    execFileSync(process.execPath, [join(k8s, '../deploy/kubernetes.mjs'), '--check'], { stdio: 'pipe' });
  expect(check).not.toThrow();
});

test('with externalSecrets off the table makes deployments that fetch no secrets', async () => {
  const checkout = mkdtempSync(join(tmpdir(), 'itsm-table-'));
  try {
    for (const folder of ['deploy', 'k8s'])
      cpSync(join(k8s, '..', folder), join(checkout, folder), { recursive: true });
    symlinkSync(join(k8s, '../node_modules'), join(checkout, 'node_modules'));
    const table = join(checkout, 'k8s/environments.json');
    const changed = { ...(JSON.parse(readFileSync(table, 'utf8')) as object), externalSecrets: false };
    writeFileSync(table, JSON.stringify(changed));
    execFileSync(process.execPath, [join(checkout, 'deploy/kubernetes.mjs')], { stdio: 'pipe' });
    const manifests = await render('overlays/demo-global', join(checkout, 'k8s'));
    expect(ofKind(manifests, 'ExternalSecret')).toEqual([]);
    expect(ofKind(manifests, 'Deployment')).toHaveLength(deployables.length);
  } finally {
    rmSync(checkout, { recursive: true });
  }
}, 60_000);
