import { setTimeout as pause } from 'node:timers/promises';
import type { DemoAccount, DemoBranch, DemoFile, DemoPerson } from '@itsm/embedded/demo/demo-file';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { call, query } from '../tour/api';
import { createBrowser } from '../tour/browser';
import { check, members, text } from '../tour/expect';
import type { Ended } from './container';

/** A deployment from its users' view. */
export interface Site {
  readonly baseUrl: string;
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly graphqlUrl: string;
  /** An operator command in auth's container, with `input` on standard input. */
  operate(command: readonly string[], input: string): Promise<Ended>;
}

export interface Credentials {
  readonly token: string;
  readonly account: string;
}

type Members = Record<string, unknown>;

/** Signs in on the page and creates a personal access token with all scopes. */
export async function makeToken({ authUrl }: Site, email: string, password: string): Promise<string> {
  const browser = createBrowser(new URL(authUrl).origin);
  const [signIn] = (await browser.visit(`${authUrl}/sign-in`)).forms;
  check(signIn !== undefined, 'there is no form to sign in');
  const signedIn = await browser.submit(signIn, { email, password });
  check(
    signedIn.status === 200 && !signedIn.html.includes('type="password"'),
    `signing in answered ${signedIn.status}`,
  );
  const profile = await browser.visit(`${authUrl}/profile`);
  const form = profile.forms.find(({ action }) => action.endsWith('/personal-access-tokens'));
  check(form !== undefined, `the profile (${profile.status}) has no form for a personal access token`);
  const action = ['me:Name', '*:Read', '*:Create', '*:Update', '*:Delete'];
  const made = await browser.submit(form, { name: 'first', days: '30', action });
  return text(/itsm_pat_\w+/.exec(made.html)?.[0], 'the token on the page');
}

/** Creates the data that the tour needs, as the administrator of a new account. */
export async function furnish(
  site: Site,
  administrator: { readonly email: string; readonly password: string; readonly token: string },
): Promise<DemoFile> {
  const { email, token } = administrator;
  const credentials = { token, account: 'wdc' };
  const specialist = await addSpecialist(site, credentials);
  await importRequests(site, credentials, 50);
  await makeVersions(site, credentials);
  const application = await makeApplication(site, credentials);
  const person = { name: 'Howard Tanner', ...administrator, personal_access_token: token };
  const wdc: DemoAccount = { administrator: person, specialist, end_user: specialist, application };
  const labs = await openSecondAccount(site, { token, account: 'wdc-labs' }, email);
  return {
    base_url: site.apiUrl,
    auth_url: site.authUrl,
    graphql_url: site.graphqlUrl,
    accounts: { wdc, acme: wdc, 'wdc-labs': labs },
  };
}

/** Creates a second account for the same people, by the operator's command. */
async function openSecondAccount(site: Site, credentials: Credentials, administrator: string): Promise<DemoBranch> {
  const options = ['--account', credentials.account, '--directory', 'wdc', '--administrator', administrator];
  const made = await site.operate(['/nodejs/bin/node', 'dist/operate.js', 'create-account', ...options], '');
  check(made.code === 0, made.output);
  await importRequests(site, credentials, 10);
  return { directory_account: 'wdc', application: await makeApplication(site, credentials) };
}

/** A mutation that must succeed. */
async function change(site: Site, credentials: Credentials, mutation: string, input: Members): Promise<Members> {
  const type = mutation.replace(/^./, (first) => first.toUpperCase()).replace('Oauth', 'OAuth');
  const source = `mutation ($input: ${type}Input!) { ${mutation}(input: $input) { ${answers[mutation]} errors { path message } } }`;
  const { data } = await query(site.graphqlUrl, credentials, source, { input });
  const payload = members(data[mutation], mutation);
  check(JSON.stringify(payload['errors']) === '[]', `${mutation}: ${JSON.stringify(payload['errors'])}`);
  return payload;
}

const answers: Readonly<Record<string, string>> = {
  personCreate: 'person { id }',
  oauthApplicationCreate: 'oauthApplication { id }',
  oauthApplicationTokenCreate: 'clientSecret oauthApplicationToken { clientId }',
};

async function addSpecialist(site: Site, credentials: Credentials): Promise<DemoPerson> {
  const [name, email, password] = ['Ellen Brown', 'ellen.brown@widget.example', 'another long password'];
  await change(site, credentials, 'personCreate', { name, primaryEmail: email, roles: ['specialist'] });
  const script =
    "process.env.PERSON_PASSWORD = require('fs').readFileSync(0, 'utf8').trim(); require('./dist/operate.js')";
  const command = ['/nodejs/bin/node', '-e', script, '--', 'set-password', '--account', 'wdc', '--email', email];
  const set = await site.operate(command, password);
  check(set.code === 0, set.output);
  return { name, email, password, personal_access_token: await makeToken(site, email, password) };
}

async function importRequests({ apiUrl, graphqlUrl }: Site, credentials: Credentials, count: number): Promise<void> {
  const { data } = await query(graphqlUrl, credentials, '{ me { id } }');
  const { id } = members(data['me'], 'me');
  const rows = Array.from({ length: count }, (_, index) => `Printer ${index} is on fire,${String(id)},test,${index}`);
  const form = new FormData();
  form.set('type', 'request');
  form.set('file', new Blob([['subject,requested_by_id,source,sourceID', ...rows].join('\n')]), 'requests.csv');
  const headers = { Authorization: `Bearer ${credentials.token}`, 'X-Service-Account': credentials.account };
  const answer = await fetch(`${apiUrl}/v1/import`, { method: 'POST', headers, body: form });
  const sent = await answer.text();
  check(answer.status === 202, `the import answered ${answer.status}: ${sent}`);
  const location = new URL(answer.headers.get('location') ?? '', apiUrl).href;
  const finished = await waitUntil('the import', async () => {
    // Faster polls would use up the request window, and the calls after them would be refused.
    await pause(500);
    const { body } = await call(location, credentials);
    return ['done', 'failed'].includes(String(members(body, 'the import')['state'])) && body;
  });
  const { results } = members(finished, 'the import');
  check(members(results, 'results')['created'] === count, `the import ended with ${JSON.stringify(finished)}`);
}

/** Three versions, of which the second is active. */
async function makeVersions({ apiUrl }: Site, credentials: Credentials): Promise<void> {
  const send = async (path: string, method: string, status: number, json: Members): Promise<Members> => {
    const answer = await call(`${apiUrl}${path}`, credentials, { method, json });
    check(answer.status === status, `${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return members(answer.body, path);
  };
  const texts = { html: '<h1 class="title">Laptop</h1>', css: '.title { color: navy; }' };
  const made = await send('/v1/ui_extensions', 'POST', 201, { name: 'Laptop order', title: 'Laptops', ...texts });
  const path = `/v1/ui_extensions/${String(made['id'])}`;
  await send(path, 'PATCH', 200, { activate: true });
  await send(path, 'PATCH', 200, { css: '.title { color: teal; }', activate: true });
}

async function makeApplication(site: Site, credentials: Credentials): Promise<DemoAccount['application']> {
  const redirectUris = ['https://app.customer.example/callback'];
  // A token cannot get more scopes than the calling token has.
  const actions = ['me:Name', '*:Read', 'request:Create', 'request:Update', 'webhook:Create', 'webhook:Delete'];
  const { oauthApplication } = await change(site, credentials, 'oauthApplicationCreate', {
    name: 'Portal',
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris,
    scopes: [{ effect: 'allow', actions }],
  });
  const { id } = members(oauthApplication, 'oauthApplication');
  const input = { applicationId: id };
  const made = await change(site, credentials, 'oauthApplicationTokenCreate', input);
  return {
    client_id: text(members(made['oauthApplicationToken'], 'oauthApplicationToken')['clientId'], 'clientId'),
    client_secret: text(made['clientSecret'], 'clientSecret'),
    redirect_uris: redirectUris,
  };
}
