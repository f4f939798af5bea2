import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { deployables, portOf, problemsWith, readersOf } from './deployables';

const root = join(__dirname, '..');

interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly args: { readonly SERVICE: string } };
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly [option: string]: unknown;
}
const compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, null>>;
};
const serviceOf = (name: string): ComposeService => {
  const found = compose.services[name];
  if (!found) throw new Error(`docker-compose.yml has no ${name}`);
  return found;
};

test('the engines, the mail catcher and the seven deployables are there', () => {
  const engines = ['keys', 'mailpit', 'mongodb', 'rabbitmq', 'redis'];
  expect(Object.keys(compose.services).sort()).toEqual([...deployables, ...engines].sort());
});

test.each(deployables)('%s gets every setting that it needs and none that it does not read', (name) => {
  expect(problemsWith(name, serviceOf(name).environment ?? {})).toEqual([]);
});

test.each(readersOf('SMTP_URL'))('the mails of %s are caught', (name) => {
  expect(serviceOf(name).environment?.['SMTP_URL']).toBe('smtp://mailpit:1025');
});

test.each(deployables)('%s is built from its own folder and runs without privileges', (name) => {
  const service = serviceOf(name);
  expect(service.build).toEqual({
    context: '.',
    args: { SERVICE: ['gateway', 'console'].includes(name) ? name : `services/${name}` },
  });
  expect(service).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    tmpfs: ['/tmp'],
    // More than the 38 s after which a process gives up stopping in order.
    stop_grace_period: '45s',
  });
  expect(service.volumes).toEqual(['keys:/run/keys:ro']);
  expect(service.healthcheck?.test.join(' ')).toContain('http://127.0.0.1:9090/readyz');
  expect(service.environment?.['OPS_PORT']).toBe('9090');
});

test('services call one another by the names and ports that there are', () => {
  const addresses = Object.values(compose.services).flatMap(({ environment = {} }) => Object.values(environment));
  const internal = addresses.filter((value) => URL.canParse(value)).map((value) => new URL(value));
  const named = internal.filter(({ hostname }) => hostname !== 'localhost');
  expect(named.length).toBeGreaterThan(20);
  for (const { hostname, port, protocol } of named) {
    serviceOf(hostname);
    const service = deployables.find((one) => one === hostname);
    if (service) expect([hostname, protocol, port]).toEqual([service, 'http:', String(portOf(service))]);
  }
});

test('no two services share a database', () => {
  const urls = deployables.map((name) => serviceOf(name).environment?.['MONGODB_URL']).filter(Boolean);
  expect(urls).toHaveLength(5);
  expect(new Set(urls).size).toBe(5);
});

test('every published port is on loopback alone and taken once; every image has a version', () => {
  const ports = Object.values(compose.services).flatMap((service) => service.ports ?? []);
  expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  expect(new Set(ports.map((port) => port.split(':')[1])).size).toBe(ports.length);
  const foreign = Object.values(compose.services).filter(({ build }) => !build);
  for (const { image } of foreign) expect(image).toMatch(/:v?\d[\w.-]*$/);
});

test('whatever a service waits for can be seen to be there', () => {
  for (const { depends_on: needs = {} } of Object.values(compose.services))
    for (const [name, { condition }] of Object.entries(needs))
      expect([name, condition === 'service_healthy']).toEqual([name, serviceOf(name).healthcheck !== undefined]);
});

test('volumes are declared, and mounted files exist', () => {
  const mounts = Object.values(compose.services).flatMap((service) => service.volumes ?? []);
  for (const mount of mounts) {
    const [source = ''] = mount.split(':');
    if (source.startsWith('./')) expect(statSync(join(root, source)).isFile()).toBe(true);
    else expect(Object.keys(compose.volumes)).toContain(source);
  }
});

test('the secrets are made once, and are what the services accept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'itsm-keys-'));
  try {
    const make = () => {
      execFileSync(process.execPath, [join(root, 'deploy/local-keys.mjs'), folder]);
      return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
    };
    const made = make();
    expect(make()).toEqual(made);
    expect(new Set(Object.values(made)).size).toBe(5);
    for (const name of deployables) {
      const { environment = {} } = serviceOf(name);
      const filled = Object.entries(environment).map(([setting, value]) => {
        if (!setting.endsWith('_FILE')) return [setting, value];
        const secret = setting.replace(/_FILE$/, '');
        expect(value).toBe(`/run/keys/${secret}`);
        return [secret, made[secret]];
      });
      expect(problemsWith(name, Object.fromEntries(filled) as Record<string, string>)).toEqual([]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
