import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { k8s, ofKind, render } from '../../../deploy/rendered';
import type { DeploymentSpec, JobSpec, Manifest } from '../../../deploy/rendered';
import type { Container, Ended } from './container';
import { startIngress } from './ingress';
import { serveNames } from './names';
import { addresses, createHost } from './network';
import { enforcePolicies } from './network-policies';
import type { Place } from './network-policies';
import { becomeReady, containerOf, endOf, startPod } from './pod';
import type { Surroundings } from './pod';
import { hostOf, ingressNames, serviceNames, upstreamOf } from './services';

export interface Cluster {
  readonly namespace: string;
  readonly manifests: readonly Manifest[];
  readonly pods: ReadonlyMap<string, Container>;
  /** Runs jobs, among other manifests of the namespace, until they end. */
  runJobs(jobs: readonly Manifest[]): Promise<Ended[]>;
  /** A call as the gateway gets it from the ingress controller. */
  fromIngress(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ status: number; body: string }>;
  /** Resolves with all exit codes; removes everything. */
  stop(): Promise<(number | null)[]>;
}

/** Renders an overlay for an operator with a private certificate authority, and with their settings of the gateway. */
export async function renderForOperator(
  overlay: string,
  directory: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Manifest[]> {
  const folder = mkdtempSync(join(directory, `${overlay.replace('/', '-')}-`));
  const path = (target: string) => relative(folder, join(k8s, target));
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [path(`overlays/${overlay}`)],
    components: [path('components/private-authorities')],
    patches: Object.entries(settings).map(([name, value]) => ({
      target: { kind: 'ConfigMap', name: 'gateway-settings' },
      patch: JSON.stringify([{ op: 'add', path: `/data/${name}`, value }]),
    })),
  };
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
  return render('.', folder);
}

/** The address at `offset` after the first one in the network. */
const within = (cidr: string, offset: number): string => {
  const [network = ''] = cidr.split('/');
  const value = network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) + offset;
  return [24, 16, 8, 0].map((bits) => (value >>> bits) & 255).join('.');
};

/** Starts the manifests; resolves when every pod is ready by its own probes. */
export async function startCluster(manifests: readonly Manifest[], surroundings: Surroundings): Promise<Cluster> {
  const deployments = ofKind<DeploymentSpec>(manifests, 'Deployment');
  const namespace = deployments[0]?.metadata.namespace ?? '';
  const directory = join(surroundings.directory, namespace);
  mkdirSync(directory, { recursive: true });
  const proxies = proxiesOf(manifests);
  const controller = createHost('ingress', within(proxies, 10));
  const publicAddress = `20.76.${proxies.split('.')[1]}.10`;
  controller.addAddress(publicAddress);
  const hosts = new Map(
    deployments.map(({ metadata }, index) => [metadata.name, createHost(metadata.name, within(proxies, 257 + index))]),
  );
  const names = {
    ...serviceNames(manifests, hosts),
    [`collector.${namespace}-observability.svc.cluster.local`]: addresses.collector,
    ...ingressNames(manifests, publicAddress),
    ...surroundings.outside,
  };
  await serveNames(names, surroundings.seedLists);
  const places: Place[] = [
    ...deployments.map((one) => ({ end: endOf(one), address: hostOf(hosts, one.metadata.name).address })),
    { end: { namespace: 'ingress-nginx', labels: {} }, address: controller.address },
    { end: { namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } }, address: addresses.names },
    { end: { namespace: 'monitoring', labels: {} }, address: addresses.prometheus },
    { end: { namespace: `${namespace}-observability`, labels: {} }, address: addresses.collector },
    ...[...Object.values(surroundings.outside), addresses.client].map((address) => ({ end: { address }, address })),
  ];
  const podPorts = deployments.flatMap((one) => containerOf(one).ports.map(({ containerPort }) => containerPort));
  const pods = new Map<string, Container>();
  for (const deployment of deployments) {
    const host = hostOf(hosts, deployment.metadata.name);
    enforcePolicies(manifests, host, endOf(deployment), places, podPorts);
    pods.set(deployment.metadata.name, startPod(manifests, deployment, host, surroundings, directory));
  }
  const ingress = await startIngress(
    manifests,
    controller,
    join(directory, 'ingress'),
    surroundings.directory,
    (service, port) => upstreamOf(manifests, hosts, service, port),
  );
  const cluster: Cluster = {
    namespace,
    manifests,
    pods,
    async runJobs(others) {
      const together = [...manifests, ...others];
      const jobs = ofKind<JobSpec>(others, 'Job');
      return Promise.all(
        jobs.map(async (job, index) => {
          const host = createHost(job.metadata.name, within(proxies, 513 + index));
          enforcePolicies(manifests, host, endOf(job), places, podPorts);
          const container = startPod(together, job, host, surroundings, directory);
          const code = await container.ended;
          host.remove();
          return { code, output: container.output() };
        }),
      );
    },
    async fromIngress(method, path, headers) {
      const gateway = upstreamOf(manifests, hosts, 'gateway', 'http');
      const script = `
        const [host, port] = process.argv[1].split(':');
        const { method, path, headers } = JSON.parse(process.argv[2]);
        require('http').request({ host, port, method, path, headers }, async (answer) => {
          let body = '';
          for await (const chunk of answer) body += chunk;
          console.log(JSON.stringify({ status: answer.statusCode, body }));
        }).end();`;
      const [program = '', ...args] = [...controller.prefix, process.execPath, '-e', script, gateway];
      const { stdout } = await promisify(execFile)(program, [...args, JSON.stringify({ method, path, headers })]);
      return JSON.parse(stdout) as { status: number; body: string };
    },
    async stop() {
      const codes = await Promise.all([...pods.values()].map((pod) => pod.stop()));
      ingress.signal('SIGKILL');
      await ingress.ended;
      for (const host of [controller, ...hosts.values()]) host.remove();
      rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
      return codes;
    },
  };
  try {
    await Promise.all(deployments.map((one) => becomeReady(one, pods.get(one.metadata.name))));
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

const proxiesOf = (manifests: readonly Manifest[]): string => {
  const found = ofKind(manifests, 'ConfigMap').find(({ data }) => data?.['TRUSTED_PROXIES'] !== undefined);
  return found?.data?.['TRUSTED_PROXIES'] ?? '';
};

/** The address range of the region's engines, from the network policy at `index`; that of `store` is for MongoDB. */
export function enginesOf(manifests: readonly Manifest[], index: number): string {
  type Spec = {
    readonly egress: readonly { readonly to: readonly { readonly ipBlock: { readonly cidr: string } }[] }[];
  };
  const policy = ofKind<Spec>(manifests, 'NetworkPolicy').find(({ metadata }) => metadata.name === 'store');
  return within(policy?.spec.egress[0]?.to[0]?.ipBlock.cidr ?? '', index);
}
