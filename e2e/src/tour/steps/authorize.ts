import { createHash, randomBytes } from 'node:crypto';
import { createBrowser } from '../browser';
import type { Browser } from '../browser';
import { check, text } from '../expect';
import type { Tour } from '../tour';

/** Signs the administrator in on the page and ends on their profile. */
export async function signIn(tour: Tour): Promise<string> {
  const { email, password } = tour.demo.accounts.wdc.administrator;
  const browser = createBrowser(new URL(tour.demo.auth_url).origin);
  const page = await browser.visit(`${tour.demo.auth_url}/sign-in`);
  const form = page.forms[0];
  check(form !== undefined, `the sign-in page (${page.status}) has no form`);
  const after = await browser.submit(form, { email, password });
  check(after.status === 200 && !after.html.includes('type="password"'), `signing in answered ${after.status}`);
  tour.browser = browser;
  return email;
}

/** Goes to the authorization page, allows, and returns with the code. */
export async function authorize(tour: Tour): Promise<string> {
  await obtainCode(tour, tour.demo.accounts.wdc.application);
  return 'code received';
}

type DemoApplication = Tour['demo']['accounts']['wdc']['application'];

export async function obtainCode(tour: Tour, application: DemoApplication): Promise<void> {
  const { client_id: clientId, redirect_uris: uris } = application;
  const redirectUri = text(uris[0], 'the redirect URI of the demo application');
  tour.codeVerifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    state: 'tour',
    code_challenge: createHash('sha256').update(tour.codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const landed = await allow(tour.browser, `${tour.demo.auth_url}/authorize?${query.toString()}`);
  const target = new URL(landed);
  check(landed.startsWith(redirectUri), `the browser was sent to ${target.origin}${target.pathname}`);
  check(target.searchParams.get('state') === 'tour', 'the state did not come back');
  tour.code = text(target.searchParams.get('code'), 'code');
  tour.redirectUri = redirectUri;
}

async function allow(browser: Browser, url: string): Promise<string> {
  const page = await browser.visit(url);
  // An authorization of an earlier tour skips the page.
  if (page.leavesTo !== undefined) return page.leavesTo;
  const form = page.forms.find(({ buttons }) => buttons.some(({ value }) => value === 'allow'));
  const button = form?.buttons.find(({ value }) => value === 'allow');
  check(form !== undefined && button !== undefined, `the authorization page (${page.status}) has no Authorize button`);
  const after = await browser.submit(form, { [button.name]: button.value });
  return text(after.leavesTo, `the redirect after Authorize (${after.status})`);
}

/** Revokes the demo application in Access & Security; the next call must be refused. */
export async function revoke(tour: Tour): Promise<string> {
  await revokeOnProfile(tour);
  const { status } = await tour.call(tour.demo.graphql_url, { method: 'POST', json: { query: '{ me { id } }' } });
  check(status === 401, `the call after the revocation answered ${status} instead of 401`);
  return '401 for the very next call';
}

/** Revokes the latest authorization. */
export async function revokeOnProfile(tour: Tour): Promise<void> {
  const profile = await tour.browser.visit(`${tour.demo.auth_url}/profile`);
  check(profile.html.includes('Access &amp; Security'), 'the profile has no section Access & Security');
  const form = profile.forms.find(
    ({ action, text: words }) => /authorizations\/.*revoke/.test(action) || /Revoke/.test(words),
  );
  check(form !== undefined, 'the profile shows no authorization to revoke');
  const after = await tour.browser.submit(form, {});
  check(after.status === 200, `revoking answered ${after.status}`);
}
