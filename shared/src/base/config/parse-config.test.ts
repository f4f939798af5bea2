import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mongo } from 'mongoose';
import { z } from 'zod';
import { ConfigError, configLoader, parseConfig } from './parse-config';
import { settings } from './settings';

const schema = z.object({
  PORT: settings.port(4001),
  MONGODB_URL: settings.mongodbUrl,
  SECRET: settings.introspectionSecret,
  LOG_LEVEL: settings.logLevel,
});

test('all bad and missing settings are named together', () => {
  const read = () => parseConfig(schema, { PORT: '70000', MONGODB_URL: 'http://x', LOG_LEVEL: '' });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/PORT: .*\n.*MONGODB_URL: must be a mongodb:\/\/ address\n.*SECRET: is missing/);
});

test('the value of a bad setting is not shown', () => {
  const secret = 'short-secret';
  expect(() => parseConfig(schema, { MONGODB_URL: 'mongodb://x', SECRET: secret })).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining(secret) as string }) as Error,
  );
});

describe('the address of a database', () => {
  const read = (address: string) => parseConfig(schema, { MONGODB_URL: address, SECRET: 's'.repeat(32) }).MONGODB_URL;

  test.each([
    'mongodb://store/auth',
    'mongodb://%2Fhome%2Fme%2F.data%2Fmongo%2Fstore.sock/auth',
    'mongodb://127.0.0.1:27017/auth',
    'mongodb://[::1]:27017/auth',
    'mongodb://a:4210,b:4211,c:4212/auth?replicaSet=rs3',
    'mongodb://a,b,c/auth?replicaSet=rs3&retryWrites=true',
    'mongodb+srv://cluster.example/auth',
    'mongodb+srv://user:secret@cluster.example/auth?retryWrites=true&w=majority',
    'mongodb://user%40b.example:p%40ss%2Fword%3A%25@a:4210,b:4211/auth?replicaSet=rs3&authSource=admin',
    'mongodb://a:4210,b:4211/auth?replicaSet=rs3&tls=true&tlsCAFile=%2Frun%2Fsecrets%2Fca.pem',
    'mongodb://a?tls=true',
  ])('%s is accepted unchanged, by the driver as well', async (address) => {
    expect(read(address)).toBe(address);
    await expect(new mongo.MongoClient(address.replace(/&tlsCAFile=[^&]*/, '')).close()).resolves.toBeUndefined();
  });

  test.each([
    ['http://store/auth', /must be a mongodb:\/\/ address$/],
    ['mongodb://', /percent-encoded$/],
    ['mongodb:///auth', /percent-encoded$/],
    ['mongodb://a,,b/auth', /percent-encoded$/],
    ['mongodb://a:port/auth', /percent-encoded$/],
    ['mongodb://user:hid/den@a/auth', /percent-encoded$/],
    ['mongodb://user:hid@den/more@a/auth', /percent-encoded$/],
    ['mongodb://user:50%hidden@a/auth', /percent-encoded$/],
    ['mongodb+srv://a:27017/auth', /mongodb\+srv:\/\/… with one host and no port/],
    ['mongodb+srv://a,b/auth', /with one host and no port/],
  ])('%s is refused with a sentence that shows nothing of it', (address, sentence) => {
    expect(() => read(address)).toThrow(sentence);
    expect(() => read(address)).not.toThrow(/hid|den@/);
  });
});

test('settings are typed, an empty one takes its default', () => {
  const config = parseConfig(schema, { PORT: '', MONGODB_URL: 'mongodb://x/auth', SECRET: 's'.repeat(32) });
  expect(config).toEqual({ PORT: 4001, MONGODB_URL: 'mongodb://x/auth', SECRET: 's'.repeat(32), LOG_LEVEL: 'info' });
});

test('settings have camel-case names in code', () => {
  const config = configLoader(schema)({ MONGODB_URL: 'mongodb://x/auth', SECRET: 's'.repeat(32) });
  expect(config).toEqual({ port: 4001, mongodbUrl: 'mongodb://x/auth', secret: 's'.repeat(32), logLevel: 'info' });
});

test('a key ring has at least one key, each of 32 bytes', () => {
  const one = Buffer.alloc(32, 1).toString('base64');
  expect(settings.keyRing.parse(`${one},${one}`)).toHaveLength(2);
  expect(settings.keyRing.safeParse('').success).toBe(false);
  expect(settings.keyRing.safeParse(`${one},short`).success).toBe(false);
});

describe('settings in files', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'settings-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const fileWith = (text: string): string => {
    const path = join(folder, 'secret');
    writeFileSync(path, text);
    return path;
  };

  test('a setting may be read from a file, without its final line break', () => {
    const config = parseConfig(schema, { MONGODB_URL: 'mongodb://x', SECRET_FILE: fileWith(`${'s'.repeat(32)}\n`) });
    expect(config.SECRET).toBe('s'.repeat(32));
  });

  test.each([
    ['is missing', { SECRET_FILE: '/nowhere/secret' }, /SECRET_FILE: cannot be read$/],
    ['holds what is not allowed', { SECRET_FILE: 'short' }, /SECRET: must have at least 32 characters$/],
    [
      'stands beside the setting',
      { SECRET_FILE: 'short', SECRET: 's'.repeat(32) },
      /SECRET_FILE: stands beside SECRET/,
    ],
  ])('a file that %s is named, but its content is not shown', (_what, settings, message) => {
    const file = settings.SECRET_FILE === 'short' ? fileWith('short-secret') : settings.SECRET_FILE;
    const read = () => parseConfig(schema, { MONGODB_URL: 'mongodb://x', ...settings, SECRET_FILE: file });
    expect(read).toThrow(message);
    expect(read).not.toThrow(/short-secret/);
  });
});
