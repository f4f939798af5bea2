import { loadConfig } from './config';

const environment = {
  MONGODB_URL: 'mongodb://localhost/graph',
  AMQP_URL: 'amqp://localhost',
  BASE_URL: 'http://localhost:4000',
  AUTH_JWKS_URL: 'http://localhost:4001/oauth/jwks',
};

test('settings with a default are optional', () => {
  expect(loadConfig(environment)).toMatchObject({ port: 4002, host: '0.0.0.0', nodeIdDomain: 'service.example' });
});

test('all bad or missing settings are named together', () => {
  expect(() => loadConfig({ PORT: 'x', MONGODB_URL: 'http://localhost', AMQP_URL: '' })).toThrow(
    /PORT: must be a port number\n {2}MONGODB_URL: must be a mongodb:\/\/ address\n {2}BASE_URL: is missing\n {2}AMQP_URL: is missing\n {2}AUTH_JWKS_URL: is missing/,
  );
});
