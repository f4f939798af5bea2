import { siteOf, isRedirectUri, isRegistered, withParameters } from './redirect-uri';

test.each([
  ['http://127.0.0.1:8765/cb', 'http://127.0.0.1/cb', true],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:1/cb', true],
  ['http://[::1]:8765/cb', 'http://[::1]:99/cb', true],
  ['http://127.0.0.1:8765/cb', 'http://[::1]:8765/cb', false],
  ['http://127.0.0.1:8765/cb', 'https://127.0.0.1:8765/cb', false],
  ['http://127.0.0.1:8765/cb', 'http://a@127.0.0.1:8765/cb', false],
  ['http://127.0.0.1:8765/cb', 'http://127.0.0.1:80@evil.test/cb', false],
  ['http://127.0.0.1:8765/cb', 'http://127.0.0.1:8765/cb?x=1', false],
  ['http://localhost:8765/cb', 'http://localhost:1/cb', false],
  ['https://127.0.0.1:8765/cb', 'https://127.0.0.1:1/cb', false],
  ['http://127.0.0.1:8765/cb', 'http://127.0.0.1:99999/cb', false],
  ['http://[::1]:8765/cb', 'http://[::1]:65536/cb', false],
  ['http://127.0.0.1:8765/cb', 'http://127.0.0.1:65535/cb', true],
  ['app.example:/cb', 'app.example:/cb', true],
])('with %s registered, %s is accepted: %s', (registered, asked, accepted) => {
  expect(isRegistered([registered], asked)).toBe(accepted);
});

test.each([
  '/cb',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://a.example/#x',
  'https://u:p@a.example/',
  'https://a b/',
])('%s cannot be registered', (uri) => {
  expect(isRedirectUri(uri)).toBe(false);
});

test('parameters are added to the query that is there, percent-encoded', () => {
  expect(withParameters('https://a.example/cb', { a: 'x y&z', b: undefined })).toBe('https://a.example/cb?a=x%20y%26z');
  expect(withParameters('https://a.example/cb?q=1', { a: '' })).toBe('https://a.example/cb?q=1&a=');
});

test('people see the origin, or the scheme of an app', () => {
  expect(siteOf('https://a.example:8443/cb')).toBe('https://a.example:8443');
  expect(siteOf('app.example:/cb')).toBe('app.example:');
});
