import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { k8s, ofKind, renderOverlays } from './rendered';
import type { Manifest } from './rendered';

let overlays: Map<string, Manifest[]>;
beforeAll(async () => {
  overlays = await renderOverlays();
});

/** Settings that may be equal in all regions: addresses within the namespace, levels, ports and ratios. */
const sameEverywhere = [
  'LOG_LEVEL',
  'OPS_PORT',
  'TRACE_RATIO',
  'AUTH_JWKS_URL',
  'AUTH_URL',
  'GRAPH_URL',
  'WEBHOOKS_URL',
  'WEBHOOK_DELIVERY_URL',
  'UI_EXTENSIONS_URL',
  'CONSOLE_URL',
  'GATEWAY_URL',
  'HOSTS',
];
const settingsOf = (manifests: readonly Manifest[]): [string, string][] =>
  ofKind(manifests, 'ConfigMap')
    .filter(({ metadata }) => !metadata.labels?.['grafana_dashboard'])
    .flatMap(({ data = {} }) => Object.entries(data))
    .filter(([name]) => !sameEverywhere.includes(name));

type Secrets = {
  secretStoreRef: { name: string; kind: string };
  data: { secretKey: string; remoteRef: { key: string; property: string } }[];
};
type Policy = { egress?: { to?: { ipBlock?: { cidr: string; except?: string[] } }[] }[] };

type RuleSpec = { groups: { rules: { expr: string }[] }[] };

/** All values of an overlay through which it could reach another deployment. */
const ownOf = (manifests: readonly Manifest[]): Set<string> => {
  const hosts = ofKind<{ rules: { host: string }[] }>(manifests, 'Ingress').flatMap(({ spec }) =>
    spec.rules.map(({ host }) => host),
  );
  const secrets = ofKind<Secrets>(manifests, 'ExternalSecret').flatMap(({ spec }) => [
    spec.secretStoreRef.name,
    ...spec.data.map(({ remoteRef }) => remoteRef.key),
  ]);
  const peers = ofKind<Policy>(manifests, 'NetworkPolicy')
    .flatMap(({ spec }) => spec.egress ?? [])
    .flatMap(({ to = [] }) => to);
  const engines = peers.flatMap(({ ipBlock }) =>
    ipBlock && !ipBlock.except && ipBlock.cidr !== '2000::/3' ? [ipBlock.cidr] : [],
  );
  const namespaces = ofKind(manifests, 'Namespace').map(({ metadata }) => metadata.name);
  return new Set([...settingsOf(manifests).map(([, value]) => value), ...hosts, ...secrets, ...engines, ...namespaces]);
};

test('no address, store, queue or key is shared between two deployments', () => {
  const owners = new Map<string, string>();
  for (const [name, manifests] of overlays)
    for (const value of ownOf(manifests)) {
      expect([value, owners.get(value) ?? name]).toEqual([value, name]);
      owners.set(value, name);
    }
  expect(owners.size).toBeGreaterThan(11 * 10);
});

test('every store, queue and key comes from the secret store of the deployment', () => {
  for (const [name, manifests] of overlays) {
    const all = ofKind<Secrets>(manifests, 'ExternalSecret');
    expect(all).toHaveLength(7);
    for (const { spec } of all) {
      expect(spec.secretStoreRef).toEqual({ kind: 'SecretStore', name: `itsm-${name}` });
      for (const { secretKey, remoteRef } of spec.data) {
        expect(remoteRef.key.startsWith(`itsm-${name}/`)).toBe(true);
        expect(remoteRef.property).toBe(secretKey);
      }
    }
  }
});

test('no two services of a deployment share a store; a secret that two services share has one source', () => {
  for (const manifests of overlays.values()) {
    const entries = ofKind<Secrets>(manifests, 'ExternalSecret').flatMap(({ spec }) => spec.data);
    const sources = (name: string): string[] =>
      entries.filter(({ secretKey }) => secretKey === name).map(({ remoteRef }) => remoteRef.key);
    expect(new Set(sources('MONGODB_URL')).size).toBe(5);
    for (const name of ['INTROSPECTION_SECRET', 'CONSOLE_CLIENT_SECRET', 'DELIVERY_KEYS', 'REDIS_URL'])
      expect([sources(name).length, new Set(sources(name)).size]).toEqual([2, 1]);
  }
});

test('every series in an alert is restricted to the deployment', () => {
  const alerts = parse(readFileSync(join(k8s, 'components/monitoring/alerts.yaml'), 'utf8')) as RuleSpec;
  const rulesOf = ({ groups }: RuleSpec) => groups.flatMap(({ rules }) => rules);
  for (const [name, manifests] of overlays) {
    const rules = ofKind<RuleSpec>(manifests, 'PrometheusRule').flatMap(({ spec }) => rulesOf(spec));
    expect(rules).toHaveLength(rulesOf(alerts).length);
    for (const { expr } of rules) {
      // A series has an underscore or a colon in its name, and no parenthesis after it. `up` is the exception.
      const asked = [...expr.matchAll(/\b(up|[a-z]+[_:][a-z0-9_:]+)\b(?! ?\()(\{[^}]*\})?/g)];
      expect(asked.length).toBeGreaterThan(0);
      for (const [selector, , matchers = ''] of asked)
        expect([selector, matchers.match(/namespace=~?"[^"]*"/g)]).toEqual([selector, [`namespace="itsm-${name}"`]]);
    }
  }
});

test('each deployment has one public origin, which its ingress serves with TLS', () => {
  const origins = new Set<string>();
  for (const manifests of overlays.values()) {
    const urls = new Set(settingsOf(manifests).flatMap(([name, value]) => (name === 'BASE_URL' ? [value] : [])));
    const [origin = ''] = [...urls];
    expect(urls.size).toBe(1);
    origins.add(origin);
    const { host } = new URL(origin);
    const [ingress] = ofKind<{ rules: { host: string }[]; tls: { hosts: string[] }[] }>(manifests, 'Ingress');
    expect(ingress?.spec.rules.map((rule) => rule.host)).toEqual([host, `*.${host}`]);
    expect(ingress?.spec.tls[0]?.hosts).toEqual([host, `*.${host}`]);
  }
  expect(origins.size).toBe(11);
});

test("no deployment is at a subdomain of another one, where it could read the other one's cookies", () => {
  const hosts = [...overlays.values()].flatMap((manifests) =>
    ofKind<{ rules: { host: string }[] }>(manifests, 'Ingress').flatMap(({ spec }) =>
      spec.rules.slice(0, 1).map(({ host }) => host),
    ),
  );
  for (const host of hosts) expect(hosts.filter((other) => other.endsWith(`.${host}`))).toEqual([]);
});

test('apart from names and engines all deployments have the same network policies', () => {
  const neutral = ([name, manifests]: [string, Manifest[]]): string =>
    JSON.stringify(ofKind(manifests, 'NetworkPolicy').map(({ spec }) => spec))
      .replaceAll(`itsm-${name}`, 'NAME')
      .replace(/10\.\d+\.0\.0\/24/g, 'ENGINES');
  const texts = [...overlays].map(neutral);
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).toContain('ENGINES');
});
