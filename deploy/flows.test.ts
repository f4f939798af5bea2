import { deployables, portOf } from './deployables';
import type { Deployable } from './deployables';
import { isAllowed, isAllowedBy } from './flows';
import type { End } from './flows';
import { ofKind, render } from './rendered';
import type { DeploymentSpec, JobSpec, Manifest } from './rendered';

let cluster: Manifest[];
let jobs: Manifest[];
beforeAll(async () => {
  cluster = [...(await render('overlays/production-au')), ...(await render('overlays/production-ch'))];
  jobs = await render('overlays/production-au/indexes');
});

const inAustralia = 'itsm-production-au';
const pod = (name: string, namespace = inAustralia): End => {
  const found = ofKind<DeploymentSpec>(cluster, 'Deployment').find(
    ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
  );
  return { namespace, labels: found?.spec.template.metadata.labels ?? { app: name } };
};
/** The pod of the job that creates the indexes of a service. */
const job = (name: Deployable): End => {
  const found = ofKind<JobSpec>(jobs, 'Job').find(({ metadata }) => metadata.name === `${name}-indexes`);
  if (!found) throw new Error(`${name} has no job`);
  return { namespace: inAustralia, labels: found.spec.template.metadata.labels };
};
const at = (address: string): End => ({ address });
const ingress = (): End => pod('controller', 'ingress-nginx');
const prometheus = (): End => pod('prometheus', 'monitoring');
const stranger = (): End => pod('stranger', 'default');
const dns = (): End => ({ namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } });
const allowed = (from: End, to: End, port: number, protocol: 'TCP' | 'UDP' = 'TCP') =>
  isAllowed(cluster, { from, to, port, protocol });

const storeUsers: Deployable[] = ['auth', 'graph', 'webhooks', 'webhook-delivery', 'ui-extensions'];
const calls = (from: Deployable, to: Deployable): boolean => {
  if (from === 'console') return to === 'gateway';
  return (from === 'gateway' && to !== 'gateway') || (to === 'auth' && from !== 'auth');
};

test('only the gateway calls services, but all read the keys of auth; the console calls only the gateway', () => {
  for (const from of deployables)
    for (const to of deployables) {
      if (from === to) continue;
      expect([from, to, allowed(pod(from), pod(to), portOf(to))]).toEqual([from, to, calls(from, to)]);
      expect([from, to, allowed(pod(from), pod(to), 9090)]).toEqual([from, to, false]);
    }
});

test.each(['Egress', 'Ingress'] as const)('each end enforces these flows by itself (%s)', (side) => {
  for (const from of deployables)
    for (const to of deployables) {
      if (from === to) continue;
      const flow = { from: pod(from), to: pod(to), port: portOf(to) };
      expect([from, to, isAllowedBy(cluster, flow, side)]).toEqual([from, to, calls(from, to)]);
    }
});

test('only the gateway is reached from outside, and only Prometheus reads metrics', () => {
  for (const to of deployables) {
    expect([to, allowed(ingress(), pod(to), portOf(to))]).toEqual([to, to === 'gateway']);
    expect([to, allowed(ingress(), pod(to), 9090)]).toEqual([to, false]);
    expect([to, allowed(prometheus(), pod(to), 9090)]).toEqual([to, true]);
    expect([to, allowed(prometheus(), pod(to), portOf(to))]).toEqual([to, false]);
    for (const port of [portOf(to), 9090]) {
      expect([to, port, allowed(stranger(), pod(to), port)]).toEqual([to, port, false]);
      expect([to, port, allowed(at('203.0.113.7'), pod(to), port)]).toEqual([to, port, false]);
    }
  }
});

test.each<[string, number, readonly Deployable[]]>([
  ['MongoDB', 27017, storeUsers],
  ['RabbitMQ with TLS', 5671, ['auth', 'graph', 'webhooks', 'webhook-delivery', 'ui-extensions']],
  ['RabbitMQ', 5672, ['auth', 'graph', 'webhooks', 'webhook-delivery', 'ui-extensions']],
  ['Redis', 6379, ['gateway', 'auth']],
  ['the sentinels of Redis', 26379, ['gateway', 'auth']],
  ['the mail relay', 587, ['auth', 'graph', 'webhooks']],
  ['the mail relay with TLS', 465, ['auth', 'graph', 'webhooks']],
  ['the management of RabbitMQ', 15672, []],
  ['the object storage', 443, ['graph']],
  ['SSH', 22, []],
])('%s of the region is reached by its users, and not from another region', (_what, port, users) => {
  for (const name of deployables) {
    expect([name, allowed(pod(name), at('10.11.0.20'), port)]).toEqual([name, users.includes(name)]);
    expect([name, allowed(pod(name), at('10.13.0.20'), port)]).toEqual([name, false]);
    expect([name, allowed(pod(name, 'itsm-production-ch'), at('10.11.0.20'), port)]).toEqual([name, false]);
  }
});

test('no service reaches a service of another region', () => {
  for (const from of deployables)
    for (const to of deployables)
      expect([from, to, allowed(pod(from), pod(to, 'itsm-production-ch'), portOf(to))]).toEqual([from, to, false]);
});

test('only callers of receivers and identity providers reach public addresses, except the port of mail', () => {
  const callers: Deployable[] = ['auth', 'webhook-delivery'];
  for (const name of deployables) {
    for (const [address, port] of [
      ['93.184.215.14', 443],
      ['93.184.215.14', 8443],
      ['2606:2800:220:1::1', 443],
    ] as const)
      expect([name, address, allowed(pod(name), at(address), port)]).toEqual([name, address, callers.includes(name)]);
    expect([name, allowed(pod(name), at('93.184.215.14'), 25)]).toEqual([name, false]);
  }
});

test.each([
  '10.11.0.20',
  '10.96.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '168.63.129.16',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '0.0.0.0',
  '::1',
  'fe80::1',
  'fd00:ec2::254',
  '64:ff9b::a00:1',
])('no process reaches %s, which is not a public address', (address) => {
  for (const name of deployables)
    for (const port of [80, 443, 8443]) {
      // The object storage of the region.
      const isStorage = name === 'graph' && port === 443 && address === '10.11.0.20';
      expect([name, port, allowed(pod(name), at(address), port)]).toEqual([name, port, isStorage]);
    }
});

test('every pod resolves names, and sends its traces to the collector of its own deployment', () => {
  const collector = (name: string): End => pod('collector', `itsm-${name}-observability`);
  for (const name of deployables) {
    for (const protocol of ['UDP', 'TCP'] as const) expect(allowed(pod(name), dns(), 53, protocol)).toBe(true);
    expect(allowed(pod(name), at('8.8.8.8'), 53, 'UDP')).toBe(false);
    expect(allowed(pod(name), collector('production-au'), 4318)).toBe(true);
    expect(allowed(pod(name), collector('production-ch'), 4318)).toBe(false);
    expect(allowed(pod(name), pod('api', 'default'), 443)).toBe(false);
  }
});

test('a pod without a policy of its own reaches nothing, and nothing reaches it', () => {
  const other: End = { namespace: inAustralia, labels: { app: 'debug' } };
  for (const name of deployables) {
    expect(allowed(other, pod(name), portOf(name))).toBe(false);
    expect(allowed(pod(name), other, 80)).toBe(false);
  }
  expect(allowed(other, at('93.184.215.14'), 443)).toBe(false);
  expect(allowed(other, at('10.11.0.20'), 27017)).toBe(false);
});

test('an index job reaches only the engines that its service connects to', () => {
  const engines: [number, readonly Deployable[]][] = [
    [27017, storeUsers],
    [5671, ['auth', 'graph', 'webhooks', 'webhook-delivery', 'ui-extensions']],
    [6379, ['auth']],
    [587, []],
  ];
  for (const name of storeUsers) {
    expect([name, allowed(job(name), dns(), 53, 'UDP')]).toEqual([name, true]);
    for (const [port, users] of engines) {
      expect([name, port, allowed(job(name), at('10.11.0.20'), port)]).toEqual([name, port, users.includes(name)]);
      expect([name, port, allowed(job(name), at('10.13.0.20'), port)]).toEqual([name, port, false]);
    }
    expect([name, allowed(job(name), at('93.184.215.14'), 443)]).toEqual([name, false]);
    for (const other of deployables) {
      expect([name, other, allowed(job(name), pod(other), portOf(other))]).toEqual([name, other, false]);
      expect([name, other, allowed(pod(other), job(name), portOf(name))]).toEqual([name, other, false]);
    }
  }
});
