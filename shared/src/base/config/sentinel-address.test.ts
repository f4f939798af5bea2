import { settings } from './settings';
import { parseSentinelAddress } from './sentinel-address';

test('the sentinels, the name of the master and both logins are read', () => {
  const text =
    'rediss-sentinel://itsm:p%40ss@a.example,b.example:26380,[2001:db8::1]:26381/main?sentinel_password=s%2Bt';
  expect(parseSentinelAddress(text)).toEqual({
    name: 'main',
    sentinels: [
      { host: 'a.example', port: 26_379 },
      { host: 'b.example', port: 26_380 },
      { host: '2001:db8::1', port: 26_381 },
    ],
    tls: true,
    username: 'itsm',
    password: 'p@ss',
    sentinelUsername: undefined,
    sentinelPassword: 's+t',
  });
  expect(parseSentinelAddress('redis-sentinel://:only@a/main')).toMatchObject({
    tls: false,
    username: undefined,
    password: 'only',
  });
});

test.each([
  ['no name of the master', 'redis-sentinel://a:26379,b:26379'],
  ['an empty name', 'redis-sentinel://a:26379/'],
  ['no host', 'redis-sentinel:///main'],
  ['an empty host', 'redis-sentinel://a,,b/main'],
  ['a port that is none', 'redis-sentinel://a:port/main'],
  ['a port that is too high', 'redis-sentinel://a:65536/main'],
  ['an unknown parameter', 'redis-sentinel://a/main?sentinel_passwort=x'],
  ['a percent sign that begins no code', 'redis-sentinel://a/%'],
  ['another protocol', 'redis+sentinel://a/main'],
])('an address with %s is refused at the start', (_what, text) => {
  expect(parseSentinelAddress(text)).toBeUndefined();
  expect(settings.redisUrl.safeParse(text).success).toBe(false);
});

test.each(['redis://a', 'rediss://user:secret@a:6380/0', 'redis-cluster://a:7000', 'redis-sentinel://a,b:26380/main'])(
  'the address %s is one of Redis',
  (text) => {
    expect(settings.redisUrl.safeParse(text).success).toBe(true);
  },
);
