import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The members of a service in docker-compose.yml that the tests check. */
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

/** Lays out `folder` like that of docker-compose.yml. Without `settings` (its lines) there is no settings.env. */
export function layOutCompose(folder: string, settings: readonly string[] = []): string {
  cpSync(join(root, 'deploy/compose.env'), join(folder, 'deploy/compose.env'));
  if (settings.length > 0) writeFileSync(join(folder, 'settings.env'), `${settings.join('\n')}\n`);
  return folder;
}

/**
 * The environment that docker compose gives a service, with the env files in `folder`. Later env files override earlier
 * ones; `environment` overrides both.
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
