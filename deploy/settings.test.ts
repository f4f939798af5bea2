import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeEnvironmentOf, composeServiceOf, layOutCompose } from './compose-file';
import { deployables, problemsWith, reads, settingsOf } from './deployables';
import type { Deployable } from './deployables';
import { k8s, ofKind, render } from './rendered';

const root = join(k8s, '..');
const plainName = (name: string): string => name.replace(/_FILE$/, '');

test('docker-compose.yml fixes only addresses of the parts and engines, keys and the ops port', () => {
  // Internal addresses of the parts, their engines and their keys.
  const fixed = [
    'AUTH_JWKS_URL',
    'AUTH_URL',
    'GRAPH_URL',
    'WEBHOOKS_URL',
    'WEBHOOK_DELIVERY_URL',
    'UI_EXTENSIONS_URL',
    'CONSOLE_URL',
    'GATEWAY_URL',
    'MONGODB_URL',
    'AMQP_URL',
    'REDIS_URL',
    'OPS_PORT',
    'INTROSPECTION_SECRET',
    'CONSOLE_CLIENT_SECRET',
    'COOKIE_KEYS',
    'SEALING_KEYS',
    'DELIVERY_KEYS',
  ];
  for (const name of deployables) {
    const given = Object.keys(composeServiceOf(name).environment ?? {}).map(plainName);
    expect([name, given.filter((setting) => !fixed.includes(setting))]).toEqual([name, []]);
  }
});

test('settings.env overrides the defaults of docker compose for every service that reads them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'itsm-compose-'));
  try {
    layOutCompose(folder);
    const usual = Object.fromEntries(deployables.map((name) => [name, composeEnvironmentOf(name, folder)]));
    expect(usual['gateway']).toMatchObject({ BASE_URL: 'http://localhost:4000', ALLOW_PLAIN_HTTP: 'true' });
    const own = {
      ...values,
      BASE_URL: 'https://desk.example',
      ACCOUNT_URL: 'https://{account}.desk.example',
      SMTP_URL: 'smtps://mail.example',
      ALLOW_INSECURE_RECEIVERS: 'false',
      ALLOW_PLAIN_HTTP: 'false',
    };
    const lines = Object.entries(own).map(([name, value]) => `${name}=${value}`);
    layOutCompose(folder, ['# Ours', ...lines]);
    for (const name of deployables) {
      const environment = composeEnvironmentOf(name, folder);
      expect([name, environment]).toEqual([name, { ...usual[name], ...own }]);
      const read = Object.entries(environment).filter(([setting]) => reads(name, plainName(setting)));
      expect([name, problemsWith(name, Object.fromEntries(read))]).toEqual([name, []]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** A valid value of each setting, other than its default. */
const values: Readonly<Record<string, string>> = {
  ACCOUNT_HEADER_ALIASES: 'X-Brand-Account',
  ALLOW_INSECURE_PROVIDERS: 'true',
  ALLOW_INSECURE_RECEIVERS: 'true',
  ALLOW_PLAIN_HTTP: 'true',
  ATTACHMENTS: 's3://bucket/prefix?region=eu-central-2',
  ATTACHMENT_EXTENSIONS: 'png,pdf',
  ATTACHMENT_MAX_BYTES: '5000',
  ATTACHMENT_QUOTA_BYTES: '50000',
  ATTACHMENT_SCAN: 'clamdscan --no-summary -',
  BREAKING_SCHEMA_CHANGES: 'accept',
  CORS_ORIGINS: 'https://app.example',
  DELIVERIES_PER_SECOND: '200',
  DELIVERY_HEADER_ALIASES: 'X-Brand',
  EXECUTOR: 'apollo',
  GATEWAY_PROCESSES: '2',
  HOST: '::',
  HOSTS: 'gateway,gateway.internal:4000',
  IMPORT_MAX_BYTES: '5000',
  LOG_LEVEL: 'warn',
  MAIL_FROM: 'brand@mail.example',
  NODE_ID_DOMAIN: 'brand.example',
  OTLP_ENDPOINT: 'http://traces.example:4318',
  REFRESH_FAMILY_DAYS: '30',
  REFRESH_GRACE_SECONDS: '20',
  SHADOW_RATIO: '0.1',
  SUPERGRAPH: 'type Query { a: Int }',
  TRACE_RATIO: '0.5',
  TRUSTED_PROXIES: '10.0.0.0/8',
};
/** Addresses and ports. They cannot be chosen freely, since the manifests and the table must agree on them. */
const ofTheCluster = [
  'ACCOUNT_URL',
  'BASE_URL',
  'AUTH_JWKS_URL',
  'AUTH_URL',
  'GRAPH_URL',
  'WEBHOOKS_URL',
  'WEBHOOK_DELIVERY_URL',
  'UI_EXTENSIONS_URL',
  'CONSOLE_URL',
  'GATEWAY_URL',
  'PORT',
  'OPS_PORT',
];

interface ContainerSpec {
  readonly template: { spec: { containers: { resources: { limits: { memory: string } } }[] } };
}

test('on Kubernetes every setting is a secret, an address of the parts, or can be set in the table', async () => {
  const checkout = mkdtempSync(join(tmpdir(), 'itsm-settings-'));
  try {
    for (const folder of ['deploy', 'k8s']) cpSync(join(root, folder), join(checkout, folder), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
    const path = join(checkout, 'k8s/environments.json');
    const table = JSON.parse(readFileSync(path, 'utf8')) as {
      environments: Record<string, { settings?: object }>;
      deployments: { environment: string; settings?: object }[];
    };
    const secrets = new Map<Deployable, string[]>();
    for (const { metadata, spec } of ofKind<{ data: { secretKey: string }[] }>(
      await render('overlays/demo-global'),
      'ExternalSecret',
    ))
      secrets.set(
        metadata.name.replace('-secrets', '') as Deployable,
        spec.data.map(({ secretKey }) => secretKey),
      );
    const expected = Object.fromEntries(
      deployables.map((service) => {
        const free = settingsOf(service).filter(
          (name) => !ofTheCluster.includes(name) && !secrets.get(service)?.includes(name),
        );
        return [service, Object.fromEntries(free.map((name) => [name, values[name] ?? `no value for ${name}`]))];
      }),
    ) as Record<Deployable, Record<string, string>>;
    table.environments['demo'] = {
      ...table.environments['demo'],
      settings: { ...expected, gateway: { ...expected.gateway, LOG_LEVEL: 'debug' } },
    };
    for (const deployment of table.deployments.filter(({ environment }) => environment === 'demo'))
      deployment.settings = { gateway: { LOG_LEVEL: 'warn' } };
    writeFileSync(path, JSON.stringify(table));
    execFileSync(process.execPath, [join(checkout, 'deploy/kubernetes.mjs')], { stdio: 'pipe' });
    const manifests = await render('overlays/demo-global', join(checkout, 'k8s'));
    const ofGateway = (all: typeof manifests) =>
      ofKind<ContainerSpec>(all, 'Deployment').find(({ metadata }) => metadata.name === 'gateway')?.spec.template.spec
        .containers[0]?.resources.limits.memory;
    expect(ofGateway(await render('overlays/demo-global'))).toBe('896Mi');
    // Two workers of 896 MiB, and 128 MiB for the primary.
    expect(ofGateway(manifests)).toBe('1920Mi');
    for (const service of deployables) {
      const { data = {} } =
        ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name.startsWith(`${service}-settings`)) ?? {};
      expect([service, data]).toMatchObject([service, expected[service]]);
      const secret = Object.fromEntries((secrets.get(service) ?? []).map((name) => [`${name}_FILE`, 'mounted']));
      expect([service, problemsWith(service, { ...data, ...secret })]).toEqual([service, []]);
    }
  } finally {
    rmSync(checkout, { recursive: true });
  }
});
