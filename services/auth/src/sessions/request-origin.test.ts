import { shortenUserAgent } from './request-origin';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox 144 on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
    'Edge 141 on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Safari 18 on iOS',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/141.0.0.0 Safari/537.36', 'Chrome 141 on Linux'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['Bearer-less <b>thing</b>', 'Bearer-less'],
  [`${'x'.repeat(5_000)}`, 'x'.repeat(60)],
  ['', ''],
  [undefined, ''],
])('%s is remembered as %s', (given, short) => {
  expect(shortenUserAgent(given)).toBe(short);
});
