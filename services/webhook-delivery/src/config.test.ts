import { loadConfig } from './config';

const key = Buffer.alloc(32, 1).toString('base64');
const env = {
  MONGODB_URL: 'mongodb://localhost/deliveries',
  AMQP_URL: 'amqp://localhost',
  AUTH_JWKS_URL: 'http://localhost:4001/oauth/jwks',
  BASE_URL: 'http://localhost:4000',
  DELIVERY_KEYS: `${key},${key}`,
};

test('the settings have defaults where none is a secret', () => {
  expect(loadConfig(env)).toMatchObject({ port: 4004, allowInsecureReceivers: false, nodeIdDomain: 'service.example' });
  expect(loadConfig(env).deliveryKeys).toHaveLength(2);
});

test.each([
  'X Brand',
  'X-Brand:',
  'X-Brand-',
  '-Brand',
  'X-Bränd',
  'X-Service',
  'x-service',
  'X-Brand,x-brand',
  `X-${'a'.repeat(63)}`,
])('headers that begin with %s are refused', (aliases) => {
  expect(() => loadConfig({ ...env, DELIVERY_HEADER_ALIASES: aliases })).toThrow(/DELIVERY_HEADER_ALIASES: must/);
});

test('several header prefixes are separated by commas', () => {
  const { deliveryHeaderAliases } = loadConfig({ ...env, DELIVERY_HEADER_ALIASES: 'X-Brand, Brand_2' });
  expect(deliveryHeaderAliases).toEqual(['X-Brand', 'Brand_2']);
  expect(loadConfig(env).deliveryHeaderAliases).toEqual([]);
});

test('one error names every bad or missing setting', () => {
  const load = () => loadConfig({ DELIVERY_KEYS: 'short', ALLOW_INSECURE_RECEIVERS: 'yes', BASE_URL: env.BASE_URL });
  expect(load).toThrow(
    /MONGODB_URL: is missing[\s\S]*AMQP_URL[\s\S]*AUTH_JWKS_URL[\s\S]*DELIVERY_KEYS[\s\S]*must be true/,
  );
});
