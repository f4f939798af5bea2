import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readersOf } from './deployables';
import { ofKind, renderOverlays } from './rendered';
import type { Manifest } from './rendered';

let overlays: Map<string, Manifest[]>;
beforeAll(async () => {
  overlays = await renderOverlays();
});

interface Backend {
  readonly service: { readonly name: string; readonly port: { readonly name: string } };
}
interface IngressSpec {
  readonly tls: readonly { readonly hosts: readonly string[]; readonly secretName: string }[];
  readonly rules: readonly {
    readonly host: string;
    readonly http: { readonly paths: readonly { path: string; pathType: string; backend: Backend }[] };
  }[];
}

/** Whether a rule of an ingress matches a host. As in Kubernetes, the wildcard `*` stands for exactly one label. */
const isRouted = (rule: string, host: string): boolean =>
  rule === host || (rule.startsWith('*.') && rule.slice(1) === host.replace(/^[^.]+/, ''));

const settingsOf = (manifests: readonly Manifest[], service: string) =>
  ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name.startsWith(`${service}-settings`))?.data ?? {};

test('every host of the gateway is routed to it, and is in the certificate', () => {
  const backend = { service: { name: 'gateway', port: { name: 'http' } } };
  expect(overlays.size).toBe(11);
  for (const manifests of overlays.values()) {
    const [ingress] = ofKind<IngressSpec>(manifests, 'Ingress');
    const { BASE_URL = '', ACCOUNT_URL = '' } = settingsOf(manifests, 'gateway');
    const accountHost = new URL(ACCOUNT_URL.replace('{account}', 'wdc')).host;
    const hosts = ['api', 'oauth', 'graphql'].map((label) => accountHost.replace('wdc', label));
    for (const host of [new URL(BASE_URL).host, accountHost, ...hosts]) {
      const rules = ingress?.spec.rules.filter((rule) => isRouted(rule.host, host)) ?? [];
      expect([host, rules.map(({ http }) => http.paths)]).toEqual([
        host,
        [[{ path: '/', pathType: 'Prefix', backend }]],
      ]);
      const certified = ingress?.spec.tls.filter((tls) => tls.hosts.some((one) => isRouted(one, host)));
      expect([host, certified?.map(({ secretName }) => secretName)]).toEqual([host, ['gateway-tls']]);
    }
  }
});

test('webhooks has the same addresses of accounts as the gateway, which answers there', () => {
  expect(readersOf('ACCOUNT_URL')).toEqual(['gateway', 'webhooks']);
  for (const manifests of overlays.values()) {
    const [gateway, webhooks] = readersOf('ACCOUNT_URL').map((service) => settingsOf(manifests, service));
    expect([webhooks?.['ACCOUNT_URL'], webhooks?.['BASE_URL']]).toEqual([
      gateway?.['ACCOUNT_URL'],
      gateway?.['BASE_URL'],
    ]);
    expect(gateway?.['ACCOUNT_URL']).toMatch(/^https:/);
  }
});

/** Whether the gateway takes calls to the name in `url` by its `HOSTS` alone. */
const isListed = (hosts: string, url: string): boolean => hosts.split(',').includes(new URL(url).hostname);

test('the gateway refuses unknown names, and takes the one by which the console calls it', () => {
  for (const manifests of overlays.values()) {
    const { HOSTS = '' } = settingsOf(manifests, 'gateway');
    expect(HOSTS).not.toContain('*');
    expect(isListed(HOSTS, settingsOf(manifests, 'console')['GATEWAY_URL'] ?? '')).toBe(true);
  }
  const root = join(__dirname, '..');
  const [, HOSTS = ''] = /^HOSTS=(.*)$/m.exec(readFileSync(join(root, 'deploy/compose.env'), 'utf8')) ?? [];
  expect(HOSTS).not.toContain('*');
  const compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: { console: { environment: { GATEWAY_URL: string } } };
  };
  expect(isListed(HOSTS, compose.services.console.environment.GATEWAY_URL)).toBe(true);
});
