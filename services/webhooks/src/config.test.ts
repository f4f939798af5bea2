import { loadConfig } from './config';

const complete = {
  MONGODB_URL: 'mongodb://localhost/webhooks',
  AMQP_URL: 'amqp://localhost',
  AUTH_JWKS_URL: 'http://localhost:4001/oauth/jwks',
  BASE_URL: 'http://localhost:4000',
  ACCOUNT_URL: 'http://localhost:4000/accounts/{account}',
  DELIVERY_KEYS: Buffer.alloc(32).toString('base64'),
};

test('the settings that must be given are enough', () => {
  expect(loadConfig(complete)).toMatchObject({
    port: 4003,
    nodeIdDomain: 'service.example',
    allowInsecureReceivers: false,
  });
});

test('one error names every bad and missing setting', () => {
  const broken = {
    ...complete,
    ACCOUNT_URL: 'http://x',
    DELIVERY_KEYS: 'short',
    ALLOW_INSECURE_RECEIVERS: 'yes',
    AMQP_URL: '',
  };
  expect(() => loadConfig(broken)).toThrow(
    /AMQP_URL: is missing[^]*ACCOUNT_URL[^]*DELIVERY_KEYS[^]*ALLOW_INSECURE_RECEIVERS/,
  );
});
