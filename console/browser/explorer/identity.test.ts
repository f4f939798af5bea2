/// <reference types="jest" />
import { directCall, readHeaders } from './identity';

const read = (headers: string, token = '') => readHeaders({ token, headers });

test('headers must be an object of strings', () => {
  expect(read(' ')).toEqual({});
  expect(read('{"X-Service-Language": "nl"}')).toEqual({ 'x-service-language': 'nl' });
  expect(read('{')).toMatch(/^The headers are not JSON/);
  expect(read('["a"]')).toMatch(/JSON object/);
  expect(read('{"Accept": 1}')).toMatch(/must be a string/);
  expect(read('{"X y": "z"}', 'token')).toMatch(/headers are not valid/);
});

test('headers that the session sets cannot be overridden', () => {
  expect(read('{"Authorization": "Bearer secret"}')).toMatch(/field below the headers/);
  expect(read('{"x-console": "other"}', 'token')).toMatch(/set by the console/);
  expect(read('{"X-Service-Account": "other"}')).toMatch(/needs a pasted token/);
  expect(read('{"X-Service-Account": "other"}', 'token')).toEqual({ 'x-service-account': 'other' });
});

test('a pasted token goes to the API without the cookie of the session', () => {
  expect(directCall(' secret\n', 'wdc', {})).toMatchObject({
    credentials: 'omit',
    headers: { authorization: 'Bearer secret', 'x-service-account': 'wdc' },
  });
  expect(directCall('secret', 'wdc', { 'x-service-account': 'wdc-labs' }).headers).toMatchObject({
    'x-service-account': 'wdc-labs',
  });
});
