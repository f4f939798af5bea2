import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deployables } from './deployables';
import { k8s, ofKind, render } from './rendered';
import type { DeploymentSpec, JobSpec, Manifest } from './rendered';

interface Table {
  readonly environments: Readonly<Record<string, { readonly components?: readonly string[] }>>;
  readonly [entry: string]: unknown;
}

test('the committed files are those generated from the table', () => {
  const check = () =>
    execFileSync(process.execPath, [join(k8s, '../deploy/kubernetes.mjs'), '--check'], { stdio: 'pipe' });
  expect(check).not.toThrow();
});

/** Generates the files from the table as changed by `change`, and renders the given folders below k8s/. */
async function renderWith(change: (table: Table) => Table, folders: readonly string[]): Promise<Manifest[][]> {
  const checkout = mkdtempSync(join(tmpdir(), 'itsm-table-'));
  try {
    for (const folder of ['deploy', 'k8s'])
      cpSync(join(k8s, '..', folder), join(checkout, folder), { recursive: true });
    symlinkSync(join(k8s, '../node_modules'), join(checkout, 'node_modules'));
    const file = join(checkout, 'k8s/environments.json');
    writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')) as Table)));
    execFileSync(process.execPath, [join(checkout, 'deploy/kubernetes.mjs')], { stdio: 'pipe' });
    return await Promise.all(folders.map((folder) => render(folder, join(checkout, 'k8s'))));
  } finally {
    rmSync(checkout, { recursive: true });
  }
}

test('with externalSecrets off the generated deployments fetch no secrets', async () => {
  const [manifests = []] = await renderWith(
    (table) => ({ ...table, externalSecrets: false }),
    ['overlays/demo-global'],
  );
  expect(ofKind(manifests, 'ExternalSecret')).toEqual([]);
  expect(ofKind(manifests, 'Deployment')).toHaveLength(deployables.length);
});

test('an environment with private authorities trusts them in every process, of services and of jobs', async () => {
  const folders = ['overlays/demo-global', 'overlays/demo-global/indexes', 'overlays/qa-au'];
  const [services = [], jobs = [], elsewhere = []] = await renderWith(({ environments, ...table }) => {
    const { demo, ...others } = environments;
    const components = [...(demo?.components ?? []), 'private-authorities'];
    return { ...table, environments: { ...others, demo: { ...demo, components } } };
  }, folders);
  const trusts = ({ spec }: Manifest<DeploymentSpec | JobSpec>) => {
    const [container] = spec.template.spec.containers;
    const file = container?.env.find(({ name }) => name === 'NODE_EXTRA_CA_CERTS')?.value;
    const mount = container?.volumeMounts.find(({ mountPath }) => file === `${mountPath}/ca.crt`);
    const volume = spec.template.spec.volumes.find(({ name }) => name === mount?.name);
    return (volume?.['configMap'] as { readonly name: string } | undefined)?.name;
  };
  const processes = [...ofKind<DeploymentSpec>(services, 'Deployment'), ...ofKind<JobSpec>(jobs, 'Job')];
  expect(processes.map(trusts)).toEqual(Array(deployables.length + 5).fill('private-authorities'));
  expect(ofKind<DeploymentSpec>(elsewhere, 'Deployment').filter(trusts)).toEqual([]);
});
