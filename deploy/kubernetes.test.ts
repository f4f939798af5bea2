import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { queues } from '@itsm/shared/contracts/topology';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, Service, ServiceAccount } from 'kubernetes-models/v1';
import { deployables, portOf, problemsWith, readersOf } from './deployables';
import type { Deployable } from './deployables';
import { k8s, ofKind, overlayNames, render, renderOverlays, selects } from './rendered';
import type { DeploymentSpec, Manifest, Selector } from './rendered';

const { version } = JSON.parse(readFileSync(join(k8s, '../package.json'), 'utf8')) as { version: string };
let overlays: Map<string, Manifest[]>;
let alone: Map<Deployable, Manifest[]>;
beforeAll(async () => {
  overlays = await renderOverlays();
  alone = new Map();
  for (const name of deployables) alone.set(name, await render(`services/${name}`));
});

/** All that can be applied: each overlay, and each service alone. */
const everything = (): [string, Manifest[]][] => [...overlays, ...alone];
const deploymentsOf = (manifests: readonly Manifest[]) => ofKind<DeploymentSpec>(manifests, 'Deployment');
const onlyContainer = ({ spec }: Manifest<DeploymentSpec>) => {
  const [container, ...others] = spec.template.spec.containers;
  if (!container || others.length > 0) throw new Error('one container is expected');
  return container;
};

/** The resulting environment of the container. `env` overrides the config maps. */
function environmentOf(manifests: readonly Manifest[], deployment: Manifest<DeploymentSpec>) {
  const { env, envFrom } = onlyContainer(deployment);
  const maps = envFrom.map(({ configMapRef: { name } }) => {
    const found = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === name);
    if (!found?.data) throw new Error(`there is no ConfigMap ${name}`);
    return found.data;
  });
  return Object.assign({}, ...maps, Object.fromEntries(env.map(({ name, value }) => [name, value]))) as Record<
    string,
    string
  >;
}

test('there are eleven deployments: production and QA in five regions, and a demo', () => {
  const regions = ['global', 'au', 'uk', 'ch', 'us'];
  const expected = [
    ...['production', 'qa'].flatMap((one) => regions.map((region) => `${one}-${region}`)),
    'demo-global',
  ];
  expect([...overlayNames].sort()).toEqual(expected.sort());
});

test('only kinds and versions that clusters serve are used', () => {
  const served = [
    'v1/ConfigMap',
    'v1/Namespace',
    'v1/Service',
    'v1/ServiceAccount',
    'apps/v1/Deployment',
    'policy/v1/PodDisruptionBudget',
    'autoscaling/v2/HorizontalPodAutoscaler',
    'networking.k8s.io/v1/Ingress',
    'networking.k8s.io/v1/NetworkPolicy',
    'keda.sh/v1alpha1/ScaledObject',
    'keda.sh/v1alpha1/TriggerAuthentication',
    'external-secrets.io/v1/ExternalSecret',
    'monitoring.coreos.com/v1/ServiceMonitor',
    'monitoring.coreos.com/v1/PrometheusRule',
  ];
  const used = new Set(everything().flatMap(([, all]) => all.map(({ apiVersion, kind }) => `${apiVersion}/${kind}`)));
  expect([...used].filter((kind) => !served.includes(kind))).toEqual([]);
});

const models = [
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
];

/**
 * The validation error of an object by the schema of its kind, or an empty text. Kinds that operators define are not
 * validated, since they are not part of Kubernetes.
 */
function faultOf(manifest: Manifest): string {
  const { apiVersion, kind } = manifest;
  const Model = models.find((one) => one.apiVersion === apiVersion && one.kind === kind);
  try {
    if (Model) new Model(structuredClone(manifest) as never).validate();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test('every object is valid by the schema of its kind in Kubernetes', () => {
  for (const [where, manifests] of everything())
    for (const manifest of manifests)
      expect([where, manifest.kind, manifest.metadata.name, faultOf(manifest)]).toEqual([
        where,
        manifest.kind,
        manifest.metadata.name,
        '',
      ]);
  const [deployment] = deploymentsOf(alone.get('graph') ?? []);
  if (!deployment) throw new Error('there is no deployment');
  const broken = { ...deployment, spec: { ...deployment.spec, replicas: 'two' } } as unknown as Manifest;
  expect(faultOf(broken)).toMatch(/replicas must be integer/);
});

test('every object of an overlay is in its namespace, and its name is unique', () => {
  for (const [name, manifests] of overlays) {
    const outside = manifests.filter(
      ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== `itsm-${name}`,
    );
    expect([name, outside.map(({ kind, metadata }) => `${kind} ${metadata.name}`)]).toEqual([name, []]);
    const ids = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test('all objects of a service in an overlay have its label, by which it can be applied alone', () => {
  for (const manifests of overlays.values())
    for (const name of deployables) {
      const own = manifests.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] === name);
      const kinds = ['ConfigMap', 'Deployment', 'ExternalSecret', 'PodDisruptionBudget', 'Service', 'ServiceAccount'];
      expect(own.map(({ kind }) => kind)).toEqual(expect.arrayContaining(kinds));
    }
});

test('every service can be deployed alone, and all are in every overlay', () => {
  for (const [name, manifests] of alone)
    expect(deploymentsOf(manifests).map(({ metadata }) => metadata.name)).toEqual([name]);
  for (const manifests of overlays.values())
    expect(deploymentsOf(manifests).map(({ metadata }) => metadata.name)).toEqual([...deployables].sort());
});

test('every process gets the settings that it needs and none that it does not read', () => {
  for (const [where, manifests] of everything())
    for (const deployment of deploymentsOf(manifests)) {
      const name = deployment.metadata.name as Deployable;
      expect([where, name, problemsWith(name, environmentOf(manifests, deployment))]).toEqual([where, name, []]);
    }
});

test('secrets are files of a mounted secret that an overlay fetches, never settings', () => {
  const secret = /PASSWORD|SECRET|KEYS|MONGODB_URL|AMQP_URL|REDIS_URL|SMTP_URL/;
  for (const manifests of overlays.values())
    for (const deployment of deploymentsOf(manifests)) {
      const { volumeMounts } = onlyContainer(deployment);
      const environment = environmentOf(manifests, deployment);
      const named = Object.keys(environment).filter((name) => secret.test(name));
      const secretName = `${deployment.metadata.name}-secrets`;
      const { data } = ofKind<{ data: { secretKey: string }[]; target: { name: string } }>(
        manifests,
        'ExternalSecret',
      ).find(({ spec }) => spec.target.name === secretName)?.spec ?? { data: [] };
      const mounted = data.map(({ secretKey }) => secretKey);
      expect(named.map((name) => [name, environment[name]]).sort()).toEqual(
        mounted.map((name) => [`${name}_FILE`, `/run/secrets/itsm/${name}`]).sort(),
      );
      expect(volumeMounts).toContainEqual({ name: 'secrets', mountPath: '/run/secrets/itsm', readOnly: true });
      const volume = deployment.spec.template.spec.volumes.find(({ name }) => name === 'secrets');
      expect(volume?.secret).toEqual({ secretName, defaultMode: 0o440 });
    }
});

test('a process that can send mails has a mail server, and a sender at the host of the deployment', () => {
  expect(readersOf('SMTP_URL').sort()).toEqual(['auth', 'graph', 'webhooks']);
  for (const manifests of overlays.values())
    for (const deployment of deploymentsOf(manifests)) {
      const { SMTP_URL_FILE, MAIL_FROM, BASE_URL = '' } = environmentOf(manifests, deployment);
      const sends = readersOf('SMTP_URL').includes(deployment.metadata.name as Deployable);
      expect([SMTP_URL_FILE, MAIL_FROM]).toEqual(
        sends
          ? ['/run/secrets/itsm/SMTP_URL', `Service Management <service@${new URL(BASE_URL).host}>`]
          : [undefined, undefined],
      );
    }
});

test('pods meet the restricted profile of Pod Security, with a read-only root file system', () => {
  for (const [, manifests] of everything())
    for (const deployment of deploymentsOf(manifests)) {
      const pod = deployment.spec.template.spec;
      expect(pod.securityContext).toEqual({
        runAsNonRoot: true,
        runAsUser: 65532,
        runAsGroup: 65532,
        fsGroup: 65532,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(onlyContainer(deployment).securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(['hostNetwork', 'hostPID', 'hostIPC', 'initContainers'].filter((field) => field in pod)).toEqual([]);
      expect(pod.volumes.flatMap((volume) => Object.keys(volume).filter((field) => field !== 'name')).sort()).toEqual([
        'emptyDir',
        'secret',
      ]);
      expect([pod.automountServiceAccountToken, pod['enableServiceLinks']]).toEqual([false, false]);
    }
  for (const [name, manifests] of overlays) {
    const [namespace] = ofKind(manifests, 'Namespace');
    expect(namespace?.metadata.name).toBe(`itsm-${name}`);
    expect(namespace?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  }
});

test('probes use the ops port; the grace period is long enough for an orderly stop', () => {
  for (const [, manifests] of everything())
    for (const deployment of deploymentsOf(manifests)) {
      const container = onlyContainer(deployment);
      const ports = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]));
      const { OPS_PORT } = environmentOf(manifests, deployment);
      expect(ports).toEqual({ http: portOf(deployment.metadata.name as Deployable), ops: Number(OPS_PORT) });
      const { startupProbe, livenessProbe, readinessProbe, lifecycle } = container;
      expect(startupProbe.httpGet).toEqual({ path: '/startupz', port: 'ops' });
      expect(livenessProbe.httpGet).toEqual({ path: '/livez', port: 'ops' });
      expect(readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'ops' });
      const stopping = 42;
      const { terminationGracePeriodSeconds: grace } = deployment.spec.template.spec;
      expect(grace).toBeGreaterThanOrEqual(lifecycle.preStop.sleep.seconds + stopping);
      expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    }
});

test('selectors find their pods, services find named ports, and the heap leaves room in the memory limit', () => {
  for (const [, manifests] of everything()) {
    const deployments = deploymentsOf(manifests);
    for (const deployment of deployments) {
      const { labels } = deployment.spec.template.metadata;
      expect(selects(deployment.spec.selector, labels)).toBe(true);
      const { resources, env } = onlyContainer(deployment);
      const options = env.find(({ name }) => name === 'NODE_OPTIONS')?.value ?? '';
      const megabytes = (option: string) => Number(new RegExp(`--${option}=(\\d+)`).exec(options)?.[1]);
      // The young generation takes up to three semi-spaces. At the default size they are small compared with the rest.
      const young = options.includes('--max-semi-space-size') ? 3 * megabytes('max-semi-space-size') : 0;
      const heap = megabytes('max-old-space-size') + young;
      expect(heap).toBeLessThanOrEqual(0.8 * Number.parseInt(resources.limits.memory, 10));
      const accounts = ofKind(manifests, 'ServiceAccount').map(({ metadata }) => metadata.name);
      expect(accounts).toContain(deployment.spec.template.spec.serviceAccountName);
    }
    type ServiceSpec = {
      selector: Record<string, string>;
      ports: { name: string; port: number; targetPort: string }[];
    };
    for (const { metadata, spec } of ofKind<ServiceSpec>(manifests, 'Service')) {
      const found = deployments.filter(({ spec: { template } }) =>
        selects({ matchLabels: spec.selector }, template.metadata.labels),
      );
      expect(found.map((one) => one.metadata.name)).toEqual([metadata.name.replace(/-ops$/, '')]);
      const named = found
        .flatMap((one) => onlyContainer(one).ports)
        .map(({ name, containerPort }) => [name, containerPort]);
      for (const { port, targetPort } of spec.ports) expect(named).toContainEqual([targetPort, port]);
    }
  }
});

test('every deployment of an overlay has a disruption budget and exactly one autoscaler', () => {
  type Scaler = { scaleTargetRef: { name: string }; minReplicas?: number; minReplicaCount?: number };
  for (const [name, manifests] of overlays) {
    const scalers = [
      ...ofKind<Scaler>(manifests, 'HorizontalPodAutoscaler'),
      ...ofKind<Scaler>(manifests, 'ScaledObject'),
    ];
    const budgets = ofKind<{ selector: Selector; maxUnavailable: number }>(manifests, 'PodDisruptionBudget');
    const least = name.startsWith('production') ? 3 : name.startsWith('qa') ? 2 : 1;
    for (const { metadata, spec } of deploymentsOf(manifests)) {
      expect(budgets.filter((one) => selects(one.spec.selector, spec.template.metadata.labels))).toHaveLength(1);
      const [scaler, ...others] = scalers.filter((one) => one.spec.scaleTargetRef.name === metadata.name);
      expect([scaler?.spec.minReplicas ?? scaler?.spec.minReplicaCount, others.length]).toEqual([least, 0]);
      expect(spec.replicas).toBeUndefined();
      const [zone] = spec.template.spec.topologySpreadConstraints;
      expect(zone?.whenUnsatisfiable).toBe(name.startsWith('production') ? 'DoNotSchedule' : 'ScheduleAnyway');
    }
  }
});

test('webhook-delivery is scaled by the length of its queue', () => {
  type Trigger = {
    triggers: { type: string; metadata: Record<string, string> }[];
    minReplicaCount: number;
    fallback: Record<string, unknown>;
  };
  for (const manifests of overlays.values()) {
    const [scaled] = ofKind<Trigger>(manifests, 'ScaledObject');
    const [access] = ofKind(manifests, 'TriggerAuthentication');
    const secretTargetRef = [{ parameter: 'host', name: 'webhook-delivery-secrets', key: 'AMQP_URL' }];
    expect(access?.spec).toEqual({ secretTargetRef });
    expect(scaled?.spec.triggers[0]).toMatchObject({
      type: 'rabbitmq',
      metadata: { queueName: queues.deliveries.name },
    });
    // While KEDA cannot reach the broker, the number of replicas stays, or is the minimum if that is higher.
    expect(scaled?.spec.fallback).toEqual({
      failureThreshold: 4,
      behavior: 'currentReplicasIfHigher',
      replicas: scaled?.spec.minReplicaCount,
    });
  }
});

test('the version of the images is the version of the platform', () => {
  for (const [, manifests] of everything())
    for (const deployment of deploymentsOf(manifests))
      expect(onlyContainer(deployment).image).toMatch(
        new RegExp(`/itsm-${deployment.metadata.name}(:${version}|@sha256:[0-9a-f]{64})$`),
      );
});
