import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { configLoader } from '@itsm/shared/base/config/parse-config';
import { settings } from '@itsm/shared/base/config/settings';
import { generatedPart, markdownTable } from '@itsm/shared/testing/generated-part';
import { workedValue } from '@itsm/shared/testing/worked-changes';
import { loadConfig, loadPlace, localSettingsSchema } from './config';
import { decidedHere, ofTheProcess, passedOn, serviceSettings } from './service-settings';

const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');

const defaultOf = (setting: z.ZodType): string => {
  const absent = setting.safeParse(undefined);
  if (!absent.success) return 'required';
  if (absent.data === undefined || absent.data === '' || (Array.isArray(absent.data) && absent.data.length === 0))
    return 'none';
  return `\`${JSON.stringify(absent.data).replaceAll('"', '')}\``;
};

/** One row for each setting: its readers, its defaults (more than one if the readers differ), and its description. */
function rows(services: typeof serviceSettings): string[][] {
  const names = new Set(Object.values(services).flatMap((settings) => Object.keys(settings)));
  return [...names].sort().map((name) => {
    const readers = Object.entries(services).filter(([, settings]) => name in settings);
    const read = readers.flatMap(([, settings]) => settings[name] ?? []);
    const defaults = [...new Set(read.map(defaultOf))];
    const who = readers.length === Object.keys(services).length ? 'all' : readers.map(([reader]) => reader).join(', ');
    return [`\`${name}\``, who, defaults.join(', '), read[0]?.description ?? ''];
  });
}

test('the settings table of the README has every setting of the schemas (UPDATE_DOCS=1 writes it)', () => {
  const table = markdownTable([['Setting', 'Read by', 'Default', 'What it is'], ...rows(serviceSettings)]);
  expect(generatedPart('README.md', 'settings', table)).toBe(table);
});

test('the setting that CONTRIBUTING adds gets its row, and says what it takes', () => {
  const added = workedValue<z.ZodType>(/^ {2}IMPORT_MAX_ROWS: (settings\..*),$/m, { settings });
  const graph = { ...serviceSettings['graph'], IMPORT_MAX_ROWS: added };
  const row = ['`IMPORT_MAX_ROWS`', 'graph', '`1000000`', 'Most rows of an import'];
  expect(rows({ ...serviceSettings, graph })).toContainEqual(row);
  const load = configLoader(z.object({ IMPORT_MAX_ROWS: added }));
  expect(load({ IMPORT_MAX_ROWS: '5' })).toEqual({ importMaxRows: 5 });
  for (const bad of ['many', '1.5', '0'])
    expect(() => load({ IMPORT_MAX_ROWS: bad })).toThrow('IMPORT_MAX_ROWS: must be a number of rows');
});

test('every setting has a description', () => {
  for (const [service, settings] of Object.entries(serviceSettings)) {
    for (const [name, setting] of Object.entries(settings)) {
      expect([service, name, setting.description]).toEqual([service, name, expect.any(String)]);
    }
  }
});

test('the settings that npm start reads and those that it passes on are named in the README', () => {
  const [, text = ''] = /\n`npm start` itself reads ([^]*?)\n\n/.exec(readme) ?? [];
  const [own = '', passed = ''] = text.split('passes on');
  const namesIn = (part: string) => [...part.matchAll(/`([A-Z_]{4,})`/g)].map(([, name]) => name);
  expect(namesIn(own).sort()).toEqual(Object.keys(localSettingsSchema.shape).sort());
  expect(namesIn(passed)).toEqual(Object.keys(passedOn));
});

test('npm start passes on every setting of a service, from the environment or a file, or fixes it', () => {
  const names = new Set(Object.values(serviceSettings).flatMap((settings) => Object.keys(settings)));
  expect([...Object.keys(passedOn), ...Object.keys(decidedHere), ...ofTheProcess].sort()).toEqual([...names].sort());
  const environment = {
    ACCOUNT_HEADER_ALIASES: 'X-Brand-Account',
    SMTP_URL_FILE: __filename,
    PORT: '',
  };
  expect(() => loadConfig(environment, '/')).toThrow('SMTP_URL');
  const { settings: passed } = loadConfig({ ...environment, SMTP_URL_FILE: '' }, '/');
  expect(passed).toEqual({ ACCOUNT_HEADER_ALIASES: 'X-Brand-Account' });
});

test('settings that npm start fixes are refused with a reason, also in a file; an equal HOST is accepted', () => {
  const given = Object.fromEntries(Object.keys(decidedHere).map((name) => [name, '::']));
  for (const [name, reason] of Object.entries(decidedHere)) {
    const sentence = `${name}: cannot be set for npm start: ${reason}`;
    expect(() => loadConfig(given, '/')).toThrow(sentence);
    expect(() => loadConfig({ [name]: '0.0.0.0' }, '/')).toThrow(sentence);
  }
  expect(() => loadConfig({ REDIS_URL_FILE: __filename }, '/')).toThrow('REDIS_URL: cannot be set for npm start');
  // Some shells export the name of the machine as HOST; 127.0.0.1 is used anyway.
  for (const HOST of ['my-laptop', '127.0.0.1', '']) expect(loadConfig({ HOST }, '/').settings).toEqual({});
});

test('a command for a running platform reads where it and its data are, and no other settings', () => {
  const environment = { DATA_DIR: 'there', PORT: '4100', MONGODB_URL: 'mongodb://there/itsm', EXECUTOR: 'x' };
  const place = { port: 4100, dataDirectory: '/here/there', mongodbUrl: 'mongodb://there/itsm' };
  expect(loadPlace(environment, '/here')).toEqual(place);
});

test('the settings of monitoring are read', () => {
  const given = { OPS_PORT: '9100', OTLP_ENDPOINT: 'http://127.0.0.1:4318', TRACE_RATIO: '0.5' };
  expect(loadConfig(given, '/')).toMatchObject({
    opsPort: 9100,
    otlpEndpoint: 'http://127.0.0.1:4318',
    traceRatio: 0.5,
    settings: {},
  });
});

test('several processes of the gateway are refused', () => {
  expect(() => loadConfig({ GATEWAY_PROCESSES: '2' }, '/')).toThrow('GATEWAY_PROCESSES: must be 1 here');
  expect(loadConfig({ GATEWAY_PROCESSES: '1' }, '/').settings).toEqual({ GATEWAY_PROCESSES: '1' });
});

test('an invalid setting of a service is reported like one of npm start itself', () => {
  const bad = { PORT: 'x', ACCOUNT_URL: 'x', CORS_ORIGINS: 'x' };
  expect(() => loadConfig(bad, '/')).toThrow(/PORT: [^]*ACCOUNT_URL: [^]*CORS_ORIGINS: /);
});
