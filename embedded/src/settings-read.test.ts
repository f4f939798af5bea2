import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { serviceSettings } from './service-settings';

const root = join(__dirname, '../..');
const folders: Readonly<Record<string, string>> = { gateway: 'gateway/src', console: 'console/src' };

const isRead = (path: string): boolean =>
  path.endsWith('.ts') && !path.endsWith('.test.ts') && !/(^|\/)(testing\/|config\.ts$)/.test(path);

/** Names in comments and texts read nothing; a `Pick<Config, 'name'>` is such a text. */
const withoutTexts = (code: string): string =>
  code
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')
    .replace(/'[^'\n]*'/g, '');

function namesIn(folder: string): Set<string> {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(isRead);
  const codes = paths.map((path) => withoutTexts(readFileSync(join(root, folder, path), 'utf8')));
  return new Set(codes.flatMap((code) => code.match(/\w+/g) ?? []));
}

/** What all services use to start and run. */
const ofAll = namesIn('shared/src/running');

const inCode = (name: string): string =>
  name.toLowerCase().replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());

test.each(Object.entries(serviceSettings).filter(([service]) => service !== 'gateway'))(
  'every setting of %s is read by its code',
  (service, settings) => {
    const own = namesIn(folders[service] ?? `services/${service}/src`);
    const names = Object.keys(settings).map(inCode);
    expect(names.filter((name) => !own.has(name) && !ofAll.has(name))).toEqual([]);
  },
);

test('every setting of gateway is read by its code, under the name that its config.ts gives it', () => {
  const code = readFileSync(join(root, 'gateway/src/config.ts'), 'utf8');
  const [, mapping = ''] = /const toConfig = [^]*?=> \({\n([^]*?)\n}\);/.exec(code) ?? [];
  expect(Object.keys(serviceSettings['gateway'] ?? {}).filter((name) => !mapping.includes(`given.${name}`))).toEqual(
    [],
  );
  const given = [...mapping.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name);
  const own = namesIn('gateway/src');
  expect(given.filter((name) => !own.has(name) && !ofAll.has(name))).toEqual([]);
});
