import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { callback } from './testing/operator';
import { codeVerifier } from './testing/pkce';
import { createHttpClient } from './testing/http-client';
import type { HttpClient } from './testing/http-client';
import { startPlatform } from './testing/platform';
import type { Platform } from './testing/platform';
import { signIn } from './testing/visitor';

const page = readFileSync(join(__dirname, '../../../docs/api/oauth.md'), 'utf8');

/** The shell lines under a heading of the page, with the local URL instead of the documented one. */
function linesUnder(heading: string): string {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/```sh\n([^]*?)```/g)].map(([, lines]) => lines).join('\n');
}

let platform: Platform;
let http: HttpClient;
beforeAll(async () => {
  platform = await startPlatform();
  http = createHttpClient(2);
});
afterAll(async () => {
  http.close();
  await platform.stop();
  await platform.remove();
});

/** The output of the lines, one answer of curl after the other; `variables` are those that the page uses. */
async function run(heading: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const script = linesUnder(heading).replaceAll('http://localhost:4000', platform.origin);
  expect(script).toContain('curl');
  const env = { ...process.env, AUTH: `${platform.origin}/oauth`, ...variables };
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env });
  return stdout;
}

test('the requests of the page work unchanged', async () => {
  const { application, administrator } = platform.demo.accounts.wdc;
  const ellen = await signIn(http, platform.origin, administrator);
  const client = {
    CLIENT: application.client_id,
    SECRET: application.client_secret,
    REDIRECT: callback,
    VERIFIER: codeVerifier,
  };
  const code = await ellen.authorize({ clientId: application.client_id } as Parameters<typeof ellen.authorize>[0]);

  const first = JSON.parse(await run('Access token request', { ...client, CODE: code })) as Record<string, string>;
  const documented = /^\{ "access_token": "itsm_at_.*\}$/m.exec(page)?.[0] ?? '';
  expect(Object.keys(first)).toEqual(Object.keys(JSON.parse(documented) as object));
  const refreshed = await run('Refresh token request', { ...client, REFRESH: first['refresh_token'] ?? '' });
  const { access_token: token = '' } = JSON.parse(refreshed) as Record<string, string>;
  expect(token).toMatch(/^itsm_at_/);

  const used = JSON.parse(await run('Using a token', { TOKEN: token })) as object;
  expect(used).toEqual({ data: { me: { name: administrator.name } } });

  const introspected = await run('Introspection', { ...client, TOKEN: token });
  expect(introspected.match(/"active":true/g)).toHaveLength(2);
  expect(await run('Discovery', {})).toMatch(/"issuer":.*"keys":/s);

  expect(await run('Ending it', { ...client, TOKEN: token })).toBe('{}');
  expect((await run('Introspection', { ...client, TOKEN: token })).match(/"active":false/g)?.length).toBeGreaterThan(0);
});

test('grants that the application does not permit are refused as documented', async () => {
  const { application } = platform.demo.accounts.wdc;
  const client = { CLIENT: application.client_id, SECRET: application.client_secret };
  const credentials = JSON.parse(await run('Client credentials', client)) as object;
  expect(credentials).toMatchObject({ error: 'unauthorized_client' });
  const exchange = await run('Token exchange request', { ...client, ID_TOKEN: 'a.b.c' });
  expect(JSON.parse(exchange)).toMatchObject({ error: 'invalid_request' });
});
