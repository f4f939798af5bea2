import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { k8s, ofKind, render, selects } from '../../../deploy/rendered';
import type { Container as Process, DeploymentSpec, Manifest, Selector } from '../../../deploy/rendered';
import { crowding, imageCommand, startContainer } from './container';
import type { Container, Mount } from './container';
import { startIngress } from './ingress';
import { serveNames } from './names';
import type { Names } from './names';
import { addresses, createHost } from './network';
import type { Host } from './network';
import { enforcePolicies } from './network-policies';
import type { Place } from './network-policies';

interface ServiceSpec {
  readonly selector: Selector['matchLabels'];
  readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[];
}
interface ExternalSecretSpec {
  readonly target: { readonly name: string };
  readonly data: readonly {
    readonly secretKey: string;
    readonly remoteRef: { readonly key: string; readonly property: string };
  }[];
}

/** What a cluster and its operator provide for an overlay. */
export interface Surroundings {
  readonly directory: string;
  /** An entry of the secret store of docs/operations.md, such as `itsm-production-au/shared`. */
  readonly secret: (entry: string, property: string) => string;
  /** Config maps that the operator makes. */
  readonly configMaps: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Machines outside of the cluster, by name, at the addresses that the policies are about. */
  readonly outside: Names;
}

export interface Cluster {
  readonly namespace: string;
  readonly manifests: readonly Manifest[];
  readonly pods: ReadonlyMap<string, Container>;
  /** A call that the gateway gets from the ingress controller. */
  fromIngress(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ status: number; body: string }>;
  /** All exit codes; nothing of the cluster is left. */
  stop(): Promise<(number | null)[]>;
}

/** The overlay with the authorities of an operator who has a certificate authority of their own. */
export async function renderWithAuthorities(overlay: string, directory: string): Promise<Manifest[]> {
  const folder = mkdtempSync(join(directory, `${overlay}-`));
  const path = (target: string) => relative(folder, join(k8s, target));
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [path(`overlays/${overlay}`)],
    components: [path('components/private-authorities')],
  };
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
  return render('.', folder);
}

/** The first address after the network's own, plus `offset`. */
const within = (cidr: string, offset: number): string => {
  const [network = ''] = cidr.split('/');
  const value = network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) + offset;
  return [24, 16, 8, 0].map((bits) => (value >>> bits) & 255).join('.');
};

/** Starts what the manifests say, and resolves when every pod is ready by its own probes. */
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
  await serveNames({
    ...serviceNames(manifests, hosts),
    [`collector.${namespace}-observability.svc.cluster.local`]: addresses.collector,
    ...ingressNames(manifests, publicAddress),
    ...surroundings.outside,
  });
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
      rmSync(directory, { recursive: true, force: true });
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

/** The range of the region's engines: of `store`, the policy that lets services reach MongoDB. */
export function enginesOf(manifests: readonly Manifest[], index: number): string {
  type Spec = {
    readonly egress: readonly { readonly to: readonly { readonly ipBlock: { readonly cidr: string } }[] }[];
  };
  const policy = ofKind<Spec>(manifests, 'NetworkPolicy').find(({ metadata }) => metadata.name === 'store');
  return within(policy?.spec.egress[0]?.to[0]?.ipBlock.cidr ?? '', index);
}

const endOf = ({ metadata, spec }: Manifest<DeploymentSpec>) => ({
  namespace: metadata.namespace ?? '',
  labels: spec.template.metadata.labels,
});

function hostOf(hosts: ReadonlyMap<string, Host>, name: string): Host {
  const host = hosts.get(name);
  if (!host) throw new Error(`There is no pod of ${name}`);
  return host;
}

function containerOf({ metadata, spec }: Manifest<DeploymentSpec>): Process {
  const [container, ...others] = spec.template.spec.containers;
  if (!container || others.length > 0) throw new Error(`${metadata.name} should have one container`);
  return container;
}

/** The deployment behind a service, and the number of the port that one of its ports leads to. */
function behind(manifests: readonly Manifest[], service: Manifest<ServiceSpec>) {
  const found = ofKind<DeploymentSpec>(manifests, 'Deployment').find(({ spec }) =>
    selects({ matchLabels: service.spec.selector ?? {} }, spec.template.metadata.labels),
  );
  if (!found) throw new Error(`The service ${service.metadata.name} selects nothing`);
  const ports = service.spec.ports.map(({ name, port, targetPort }) => {
    const number = containerOf(found).ports.find((one) => one.name === targetPort)?.containerPort;
    if (number === undefined) throw new Error(`The service ${service.metadata.name} leads to no port ${targetPort}`);
    return { name, port, number };
  });
  return { deployment: found.metadata.name, ports };
}

/** As the DNS of a cluster has them. One replica stands behind each, so that its address is the service's. */
const serviceNames = (manifests: readonly Manifest[], hosts: ReadonlyMap<string, Host>): Names =>
  Object.fromEntries(
    ofKind<ServiceSpec>(manifests, 'Service').map((service) => {
      const { deployment, ports } = behind(manifests, service);
      const moved = ports.find(({ port, number }) => port !== number);
      if (moved)
        throw new Error(`${service.metadata.name} serves ${moved.number} as ${moved.port}, which is not done here`);
      const { name, namespace } = service.metadata;
      return [`${name}.${namespace}.svc.cluster.local`, hostOf(hosts, deployment).address];
    }),
  );

const ingressNames = (manifests: readonly Manifest[], address: string): Names =>
  Object.fromEntries(
    ofKind<{ readonly rules: readonly { readonly host: string }[] }>(manifests, 'Ingress').flatMap(({ spec }) =>
      spec.rules.map(({ host }) => [host, address]),
    ),
  );

function upstreamOf(
  manifests: readonly Manifest[],
  hosts: ReadonlyMap<string, Host>,
  name: string,
  port: string,
): string {
  const service = ofKind<ServiceSpec>(manifests, 'Service').find(({ metadata }) => metadata.name === name);
  if (!service) throw new Error(`The ingress leads to ${name}, which is no service`);
  const { deployment, ports } = behind(manifests, service);
  return `${hostOf(hosts, deployment).address}:${ports.find((one) => one.name === port)?.number}`;
}

function startPod(
  manifests: readonly Manifest[],
  deployment: Manifest<DeploymentSpec>,
  host: Host,
  surroundings: Surroundings,
  directory: string,
): Container {
  const { name, namespace = '' } = deployment.metadata;
  const container = containerOf(deployment);
  const own = join(directory, name);
  mkdirSync(own, { recursive: true });
  const { runAsUser, runAsGroup, fsGroup } = deployment.spec.template.spec.securityContext;
  if (fsGroup !== runAsGroup) throw new Error(`${name}: mounted secrets belong to another group than the process`);
  const env = Object.fromEntries([
    ...container.envFrom.flatMap(({ configMapRef }) => Object.entries(configMapOf(manifests, configMapRef.name))),
    ...container.env.map(({ name: setting, value }) => [setting, value] as const),
  ]);
  return startContainer({
    ...{ host, directory: own, service: name, env },
    args: (container as { readonly args?: readonly string[] }).args ?? imageCommand,
    mounts: mountsOf(manifests, deployment, surroundings, own),
    user: Number(runAsUser),
    group: Number(runAsGroup),
    resolver: `search ${namespace}.svc.cluster.local svc.cluster.local cluster.local\nnameserver ${addresses.names}\noptions ndots:5\n`,
  });
}

function configMapOf(manifests: readonly Manifest[], name: string): Readonly<Record<string, string>> {
  const found = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === name);
  if (!found?.data) throw new Error(`There is no config map ${name}`);
  return found.data;
}

function mountsOf(
  manifests: readonly Manifest[],
  deployment: Manifest<DeploymentSpec>,
  surroundings: Surroundings,
  directory: string,
): Mount[] {
  const { volumes, securityContext } = deployment.spec.template.spec;
  return containerOf(deployment).volumeMounts.map(({ name, mountPath }) => {
    const volume = volumes.find((one) => one.name === name);
    if (volume?.emptyDir) return { path: mountPath, memory: volume.emptyDir.sizeLimit.replace(/Mi$/, 'm') };
    const from = join(directory, name);
    mkdirSync(from, { recursive: true });
    const configMap = volume?.['configMap'] as { readonly name: string } | undefined;
    const [files, mode] = volume?.secret
      ? [secretOf(manifests, volume.secret.secretName, surroundings), volume.secret.defaultMode]
      : [surroundings.configMaps[configMap?.name ?? ''], 0o644];
    if (!files) throw new Error(`The volume ${name} is not understood, or nobody provides it`);
    for (const [file, text] of Object.entries(files)) {
      writeFileSync(join(from, file), text);
      chownSync(join(from, file), 0, Number(securityContext['fsGroup']));
      chmodSync(join(from, file), mode);
    }
    return { path: mountPath, from };
  });
}

/** What External Secrets makes of an entry: the secret that the pod mounts. */
function secretOf(
  manifests: readonly Manifest[],
  name: string,
  { secret }: Surroundings,
): Readonly<Record<string, string>> | undefined {
  const found = ofKind<ExternalSecretSpec>(manifests, 'ExternalSecret').find(({ spec }) => spec.target.name === name);
  return (
    found &&
    Object.fromEntries(
      found.spec.data.map(({ secretKey, remoteRef }) => [secretKey, secret(remoteRef.key, remoteRef.property)]),
    )
  );
}

/** As the kubelet does: first the start-up probe within its patience, then readiness, and the process has to be alive. */
async function becomeReady(deployment: Manifest<DeploymentSpec>, pod: Container | undefined): Promise<void> {
  const { startupProbe, readinessProbe, livenessProbe } = containerOf(deployment);
  if (!pod) throw new Error(`${deployment.metadata.name} has no pod`);
  for (const probe of [startupProbe, readinessProbe, livenessProbe]) {
    const { path, port } = probe.httpGet;
    const number = containerOf(deployment).ports.find(({ name }) => name === port)?.containerPort ?? 0;
    const giveUpAt = Date.now() + startupProbe.periodSeconds * startupProbe.failureThreshold * 1_000 * crowding;
    for (;;) {
      const status = await statusOf(pod.host.address, number, path);
      if (status !== undefined && status >= 200 && status < 400) break;
      if (pod.hasEnded() || Date.now() > giveUpAt)
        throw new Error(`${deployment.metadata.name}: ${path} answers ${String(status)}\n${pod.output()}`);
      await pause(100);
    }
  }
}

const statusOf = (host: string, port: number, path: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    const request = get({ host, port, path, localAddress: addresses.node, timeout: 2_000, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    request.on('timeout', () => request.destroy()).on('error', () => resolve(undefined));
  });
