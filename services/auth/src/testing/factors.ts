import type { Response } from 'supertest';
import { codeOf, stepAt } from '../factors/totp';
import type { Authenticator } from './authenticator';
import { formTokenIn } from './browser';
import type { Browser } from './browser';
import type { Auth } from './start-auth';

export const factorsPage = '/oauth/profile/sign-in';

/** Posts a form of the page as the browser shows it. */
export async function postFrom(
  browser: Browser,
  page: string,
  address: string,
  fields: object = {},
): Promise<Response> {
  const form_token = formTokenIn(await browser.get(page));
  return browser
    .post(address)
    .type('form')
    .send({ form_token, ...fields });
}

const unescape = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** The options of the first passkey form on the page. */
export const passkeyOptionsIn = ({ text }: Response): string =>
  unescape(/data-options="([^"]*)"/.exec(text)?.[1] ?? '');

export const recoveryCodesIn = ({ text }: Response): string[] =>
  [...text.matchAll(/<code>([0-9a-z]{4}(?:-[0-9a-z]{4}){5})<\/code>/g)].map(([, code = '']) => code);

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The secret as an authenticator app reads it from the page. */
export function secretIn({ text }: Response): Buffer {
  const [, key = ''] = /<code class="token" tabindex="0">([A-Z2-7 ]+)<\/code>/.exec(text) ?? [];
  const bits = [...key.replaceAll(' ', '')].map((one) => alphabet.indexOf(one).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

export const codeNow = (auth: Auth, secret: Buffer, stepsOn = 0): string =>
  codeOf(secret, stepAt(auth.now()) + stepsOn);

/** Sets up an authenticator app. This uses up the present code. */
export async function addAuthenticatorApp(auth: Auth, browser: Browser) {
  const page = await postFrom(browser, factorsPage, `${factorsPage}/authenticator/new`);
  const secret = secretIn(page);
  const offer = unescape(/name="offer" value="([^"]+)"/.exec(page.text)?.[1] ?? '');
  const fields = { form_token: formTokenIn(page), offer, code: codeNow(auth, secret) };
  const added = await browser.post(`${factorsPage}/authenticator`).type('form').send(fields);
  return { secret, offer, added, recoveryCodes: recoveryCodesIn(added) };
}

export async function addPasskey(browser: Browser, authenticator: Authenticator, name = 'My key') {
  const page = await postFrom(browser, factorsPage, `${factorsPage}/passkeys/new`);
  const passkey = authenticator.create(passkeyOptionsIn(page));
  const fields = { form_token: formTokenIn(page), name, passkey };
  const added = await browser.post(`${factorsPage}/passkeys`).type('form').send(fields);
  return { added, passkey, recoveryCodes: recoveryCodesIn(added) };
}
