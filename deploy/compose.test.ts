import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeEnvironmentOf, composeFile, composeServiceOf, layOutCompose } from './compose-file';
import { deployables, portOf, problemsWith, reads, readersOf } from './deployables';
import type { Deployable } from './deployables';

const root = join(__dirname, '..');

let folder: string;
beforeAll(() => {
  folder = layOutCompose(mkdtempSync(join(tmpdir(), 'itsm-compose-')));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The environment of a service without settings of the operator. Common defaults that it does not read are ignored. */
const givenTo = (name: Deployable): Record<string, string> => {
  const fixed = composeServiceOf(name).environment ?? {};
  const all = Object.entries(composeEnvironmentOf(name, folder));
  return Object.fromEntries(all.filter(([setting]) => setting in fixed || reads(name, setting)));
};

test('the engines, the mail catcher and the seven deployables are there', () => {
  const engines = ['keys', 'mailpit', 'mongodb', 'rabbitmq', 'redis'];
  expect(Object.keys(composeFile.services).sort()).toEqual([...deployables, ...engines].sort());
});

test.each(deployables)('%s gets every setting that it needs and none that it does not read', (name) => {
  expect(problemsWith(name, givenTo(name))).toEqual([]);
});

test.each(readersOf('SMTP_URL'))('%s sends its mails to the mail catcher', (name) => {
  expect(givenTo(name)['SMTP_URL']).toBe('smtp://mailpit:1025');
});

test.each(deployables)('%s is built from its own folder and runs without privileges', (name) => {
  const service = composeServiceOf(name);
  expect(service.build).toEqual({
    context: '.',
    args: { SERVICE: ['gateway', 'console'].includes(name) ? name : `services/${name}` },
  });
  expect(service).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    tmpfs: ['/tmp'],
    // Longer than the 42 s after which a stopping process exits in any case.
    stop_grace_period: '45s',
  });
  const files = name === 'graph' ? ['attachments:/srv/attachments'] : [];
  expect(service.volumes).toEqual(['keys:/run/keys:ro', ...files]);
  expect(service.healthcheck?.test.join(' ')).toContain('http://127.0.0.1:9090/readyz');
  expect(service.environment?.['OPS_PORT']).toBe('9090');
});

test('notes take files, which are in a volume that belongs to the user of the images', () => {
  expect(givenTo('graph')['ATTACHMENTS']).toBe('file:///srv/attachments');
  const [, user] = /^USER (\d+):\1$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];
  const keys = composeServiceOf('keys');
  expect(keys.command).toEqual(['node', '/local-keys.mjs', '/run/keys', '/srv/attachments']);
  expect(keys.volumes).toContain('attachments:/srv/attachments');
  expect(readFileSync(join(root, 'deploy/local-keys.mjs'), 'utf8')).toContain(`const user = ${user};`);
});

test('services call one another at names and ports that exist', () => {
  const addresses = Object.values(composeFile.services).flatMap(({ environment = {} }) => Object.values(environment));
  const internal = addresses.filter((value) => URL.canParse(value)).map((value) => new URL(value));
  const named = internal.filter(({ hostname }) => hostname !== 'localhost');
  expect(named.length).toBeGreaterThan(20);
  for (const { hostname, port, protocol } of named) {
    composeServiceOf(hostname);
    const service = deployables.find((one) => one === hostname);
    if (service) expect([hostname, protocol, port]).toEqual([service, 'http:', String(portOf(service))]);
  }
});

test('no two services share a database', () => {
  const urls = deployables.map((name) => composeServiceOf(name).environment?.['MONGODB_URL']).filter(Boolean);
  expect(urls).toHaveLength(5);
  expect(new Set(urls).size).toBe(5);
});

test('every port is published once, on loopback only; every image has a version', () => {
  const ports = Object.values(composeFile.services).flatMap((service) => service.ports ?? []);
  expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  expect(new Set(ports.map((port) => port.split(':')[1])).size).toBe(ports.length);
  const foreign = Object.values(composeFile.services).filter(({ build }) => !build);
  for (const { image } of foreign) expect(image).toMatch(/:v?\d[\w.-]*$/);
});

test('a service waits for another one to be healthy if and only if that one has a health check', () => {
  for (const { depends_on: needs = {} } of Object.values(composeFile.services))
    for (const [name, { condition }] of Object.entries(needs))
      expect([name, condition === 'service_healthy']).toEqual([name, composeServiceOf(name).healthcheck !== undefined]);
});

test('volumes are declared, and mounted files exist', () => {
  const mounts = Object.values(composeFile.services).flatMap((service) => service.volumes ?? []);
  for (const mount of mounts) {
    const [source = ''] = mount.split(':');
    if (source.startsWith('./')) expect(statSync(join(root, source)).isFile()).toBe(true);
    else expect(Object.keys(composeFile.volumes)).toContain(source);
  }
});

test('the secrets are created once, and the services accept them', () => {
  const keys = mkdtempSync(join(tmpdir(), 'itsm-keys-'));
  try {
    const make = () => {
      execFileSync(process.execPath, [join(root, 'deploy/local-keys.mjs'), keys]);
      return Object.fromEntries(readdirSync(keys).map((name) => [name, readFileSync(join(keys, name), 'utf8')]));
    };
    const made = make();
    expect(make()).toEqual(made);
    expect(new Set(Object.values(made)).size).toBe(5);
    for (const name of deployables) {
      const filled = Object.entries(givenTo(name)).map(([setting, value]) => {
        if (!setting.endsWith('_FILE')) return [setting, value];
        const secret = setting.replace(/_FILE$/, '');
        expect(value).toBe(`/run/keys/${secret}`);
        return [secret, made[secret]];
      });
      expect(problemsWith(name, Object.fromEntries(filled) as Record<string, string>)).toEqual([]);
    }
  } finally {
    rmSync(keys, { recursive: true });
  }
});
