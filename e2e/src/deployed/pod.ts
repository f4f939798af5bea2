import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { ofKind } from '../../../deploy/rendered';
import type { Container as Process, DeploymentSpec, Manifest } from '../../../deploy/rendered';
import { imageCommand, mostRestarts, startContainer } from './container';
import type { Container, Mount } from './container';
import type { Names } from './names';
import { addresses } from './network';
import type { Host, SeedList } from './network';

/** A manifest with a pod template: a deployment, or a job. */
export type Workload = Manifest<Pick<DeploymentSpec, 'template'>>;

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
  /** Reads the secret store of docs/operations.md, for example the entry `itsm-production-au/shared`. */
  readonly secret: (entry: string, property: string) => string;
  /** Config maps that the operator creates. */
  readonly configMaps: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Machines outside of the cluster, by name, at the addresses in the policies. */
  readonly outside: Names;
  readonly seedLists: readonly SeedList[];
}

export const endOf = ({ metadata, spec }: Workload) => ({
  namespace: metadata.namespace ?? '',
  labels: spec.template.metadata.labels,
});

export function containerOf({ metadata, spec }: Workload): Process {
  const [container, ...others] = spec.template.spec.containers;
  if (!container || others.length > 0) throw new Error(`${metadata.name} should have one container`);
  return container;
}

export function startPod(
  manifests: readonly Manifest[],
  deployment: Workload,
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
    host,
    directory: own,
    service: container.image.replace(/^.*itsm-|[:@].*$/g, ''),
    env,
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
  deployment: Workload,
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
    if (!files) throw new Error(`The volume ${name} is not understood, or not provided`);
    for (const [file, text] of Object.entries(files)) {
      writeFileSync(join(from, file), text);
      chownSync(join(from, file), 0, Number(securityContext['fsGroup']));
      chmodSync(join(from, file), mode);
    }
    return { path: mountPath, from };
  });
}

/** Emulates External Secrets: creates the secret that the pod mounts. */
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

/**
 * Emulates the kubelet: the start-up probe, then readiness; the process must stay alive. Here all processes and engines
 * share one machine, so the limits of time of the probe are not kept.
 */
export async function becomeReady(deployment: Manifest<DeploymentSpec>, pod: Container | undefined): Promise<void> {
  const { startupProbe, readinessProbe, livenessProbe } = containerOf(deployment);
  if (!pod) throw new Error(`${deployment.metadata.name} has no pod`);
  let restarts = 0;
  for (const probe of [startupProbe, readinessProbe, livenessProbe]) {
    const { path, port } = probe.httpGet;
    const number = containerOf(deployment).ports.find(({ name }) => name === port)?.containerPort ?? 0;
    let status: number | undefined;
    const becoming = () => `${path} of ${deployment.metadata.name}, which answers ${String(status)}\n${pod.output()}`;
    await waitUntil(becoming, async () => {
      status = await statusOf(pod.host.address, number, path);
      if (status !== undefined && status >= 200 && status < 400) return true;
      if (pod.hasEnded() && restarts === mostRestarts) throw new Error(`Waited in vain for ${becoming()}`);
      await pause(100);
      // If MongoDB did not answer in time the process has ended, and is restarted.
      if (!pod.hasEnded()) return false;
      restarts += 1;
      pod.restart();
      return false;
    });
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
