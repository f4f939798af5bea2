import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cookieBounds, longestCookieHeader } from './cookies';

const root = join(__dirname, '../../../..');

test('all cookies of the origin together are shorter than 4 KB', () => {
  expect(Object.keys(cookieBounds).length).toBeGreaterThanOrEqual(7);
  expect(longestCookieHeader()).toBeLessThan(4_096);
});

test('no source sets a cookie except through the table of cookies', () => {
  const listed = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], { cwd: root, encoding: 'utf8' });
  const setsCookie = /['"`]set-cookie['"`]|\.cookie\(|\.clearCookie\(|document\.cookie|cookieStore|setCookie/i;
  const isSource = (file: string): boolean =>
    /^(shared|gateway|console|embedded|services\/[^/]+)\//.test(file) && !/\.test\.ts$|\/testing\//.test(file);
  const found = listed
    .split('\n')
    .filter(isSource)
    .filter((file) => setsCookie.test(readFileSync(join(root, file), 'utf8')));
  expect(found).toEqual(['shared/src/api/http/cookies.ts']);
});
