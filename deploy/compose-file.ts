import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The members of a service of docker-compose.yml that are looked at. */
export interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly args: { readonly SERVICE: string } };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: readonly { readonly path: string; readonly required: boolean }[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly [option: string]: unknown;
}

const root = join(__dirname, '..');

export const composeFile = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, null>>;
};

export function composeServiceOf(name: string): ComposeService {
  const found = composeFile.services[name];
  if (!found) throw new Error(`docker-compose.yml has no ${name}`);
  return found;
}

/** Makes `folder` one like that of docker-compose.yml, with these lines as its settings.env; without lines there is none. */
export function layOutCompose(folder: string, settings: readonly string[] = []): string {
  cpSync(join(root, 'deploy/compose.env'), join(folder, 'deploy/compose.env'));
  if (settings.length > 0) writeFileSync(join(folder, 'settings.env'), `${settings.join('\n')}\n`);
  return folder;
}

/**
 * What docker compose gives a process of the service, with the file in `folder`: the settings of the files that it names, a later
 * one over an earlier one, and over them what it fixes.
 */
export function composeEnvironmentOf(name: string, folder: string): Record<string, string> {
  const { env_file: files = [], environment } = composeServiceOf(name);
  const paths = files.map(({ path, required }) => ({ path: join(folder, path), required }));
  const texts = paths
    .filter(({ path, required }) => required || existsSync(path))
    .map(({ path }) => readFileSync(path, 'utf8'));
  const settings = [...texts.join('\n').matchAll(/^(\w+)=(.*)$/gm)];
  return { ...Object.fromEntries(settings.map(([, setting = '', value = '']) => [setting, value])), ...environment };
}
