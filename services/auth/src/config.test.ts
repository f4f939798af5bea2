import { loadConfig } from './config';

const key = Buffer.alloc(32).toString('base64');
const env = {
  MONGODB_URL: 'mongodb://localhost/auth',
  AMQP_URL: 'amqp://localhost',
  BASE_URL: 'https://api.example/',
  INTROSPECTION_SECRET: 'x'.repeat(32),
  SEALING_KEYS: `${key},${key}`,
};

test('the settings become a typed configuration', () => {
  expect(loadConfig(env)).toMatchObject({
    port: 4001,
    baseUrl: 'https://api.example',
    nodeIdDomain: 'service.example',
  });
  expect(loadConfig(env).sealingKeys).toHaveLength(2);
});

test.each([
  ['0', 0],
  ['60', 60],
  ['', 10],
  [undefined, 10],
])('a refresh grace of %j is %d seconds', (REFRESH_GRACE_SECONDS, seconds) => {
  expect(loadConfig({ ...env, REFRESH_GRACE_SECONDS }).refreshGraceSeconds).toBe(seconds);
});

test.each(['-1', '61', '1.5', 'ten'])('a refresh grace of %s is refused', (REFRESH_GRACE_SECONDS) => {
  expect(() => loadConfig({ ...env, REFRESH_GRACE_SECONDS })).toThrow(
    'REFRESH_GRACE_SECONDS: must be a whole number from 0 to 60',
  );
});

test.each([
  ['1', 1],
  ['3650', 3650],
  ['', 365],
  [undefined, 365],
])('a refresh family of %j lasts %d days', (REFRESH_FAMILY_DAYS, days) => {
  expect(loadConfig({ ...env, REFRESH_FAMILY_DAYS }).refreshFamilyDays).toBe(days);
});

test.each(['0', '3651', '1.5', 'ten'])('a refresh family of %s days is refused', (REFRESH_FAMILY_DAYS) => {
  expect(() => loadConfig({ ...env, REFRESH_FAMILY_DAYS })).toThrow(
    'REFRESH_FAMILY_DAYS: must be a whole number from 1 to 3650',
  );
});

test('one error names every bad or missing setting', () => {
  expect(() => loadConfig({ BASE_URL: 'ftp://x', SEALING_KEYS: 'short', PORT: 'x' })).toThrow(
    /PORT: .*\n.*MONGODB_URL: is missing\n.*BASE_URL: must be .*\n.*AMQP_URL: is missing\n.*INTROSPECTION_SECRET: is missing\n.*SEALING_KEYS/,
  );
});
