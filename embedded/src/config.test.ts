import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from './config';
import { placeOfData, prefixOf } from './data/store';

test('the data is in the embedded store, or on the MongoDB of MONGODB_URL or MONGODB_URL_FILE', () => {
  const address = 'mongodb://ada:p%40ss@a:1,b:2/itsm?replicaSet=rs0&authSource=admin';
  const folder = mkdtempSync(join(tmpdir(), 'itsm-config-'));
  const file = join(folder, 'address');
  writeFileSync(file, `${address}\n`);
  for (const settings of [{}, { MONGODB_URL: '' }]) expect(loadConfig(settings, '/').mongodbUrl).toBeUndefined();
  for (const settings of [{ MONGODB_URL: address }, { MONGODB_URL_FILE: file }]) {
    const config = loadConfig(settings, '/');
    expect([config.mongodbUrl, config.settings]).toEqual([address, {}]);
  }
  rmSync(folder, { recursive: true });
});

test.each([
  ['mongodb://a', 'itsm'],
  ['mongodb://a:1,b:2/?replicaSet=rs0', 'itsm'],
  ['mongodb://ada:p%40ss@a/Our_own-1?tls=true', 'Our_own-1'],
  ['mongodb+srv://ada:p%40ss@cluster.example/try', 'try'],
  ['mongodb://a/t%72y', 'try'],
  [`mongodb://a/${'x'.repeat(46)}`, 'x'.repeat(46)],
])('with the address %s the prefix of the databases is %s', (address, prefix) => {
  expect(prefixOf(loadConfig({ MONGODB_URL: address }, '/').mongodbUrl ?? '')).toBe(prefix);
});

test.each(['a.b', 'a%2Fb', 'a%zz', 'a b', 'a$b', 'x'.repeat(47)])('the database %s is refused as a prefix', (name) => {
  const load = () => loadConfig({ MONGODB_URL: `mongodb://a/${name}` }, '/');
  expect(load).toThrow('MONGODB_URL: must name a database of at most 46 letters');
});

test('an invalid address is refused with one message, as by every service', () => {
  const load = () => loadConfig({ MONGODB_URL: 'mongo://a/itsm' }, '/');
  expect(load).toThrow(/attention:\n {2}MONGODB_URL: must be a mongodb:\/\/ address$/);
});

test('the place of the data is shown without credentials', () => {
  const mongodbUrl = 'mongodb://ada:p%40ss@a:1,b:2/own?authSource=admin';
  expect(placeOfData({ directory: '.data/mongo', mongodbUrl: undefined })).toBe('.data/mongo');
  expect(placeOfData({ directory: '.data/mongo', mongodbUrl })).toBe('databases own-… of the MongoDB at a:1,b:2');
});
