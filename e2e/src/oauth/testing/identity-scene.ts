import type { DemoPerson } from '@itsm/embedded/demo/demo-file';
import { startSmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import type { Page } from 'playwright-core';
import { audience, startIdentityProvider } from '../../operations/identity-provider';
import { administratorOf } from '../../webhooks/testing/administrator';
import { startChromium } from './chromium';
import type { Chromium, Visit } from './chromium';
import { challenge } from './pkce';
import { startPlatform } from './platform';

export type Person = Pick<DemoPerson, 'email' | 'password'>;

export type Scene = Awaited<ReturnType<typeof startScene>>;

/** A state of a page: how to get there in a browser without a sign-in, and its heading. */
export interface State {
  readonly name: string;
  readonly heading: string | RegExp;
  readonly reach: (page: Page, scene: Scene) => Promise<unknown>;
}

export const provider = 'Northwind staff';
const webCallback = 'https://roster.example/callback';
export const twin = { email: 'ada.twin@e2e.example', password: 'three green tall trees' };

export const wrongly = (person: Person): Person => ({ ...person, password: 'a wrong password' });
export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
export const alerts = (page: Page) => page.getByRole('alert').first().waitFor();
export const says = (page: Page) => page.getByRole('status').first().waitFor();

/** The platform with mails, an identity provider, two people with one address, and accounts that trust each other. */
export async function startScene() {
  const smtp = await startSmtpReceiver();
  const [platform, chromium, identity] = await Promise.all([
    startPlatform({ SMTP_URL: smtp.url }),
    startChromium(),
    startIdentityProvider(),
  ]);
  const store = await platform.data.connect('auth');
  const visits: Visit[] = [];

  const at = (path: string) => `${platform.origin}${path}`;
  const people = () => platform.demo.accounts.wdc;

  async function open(options?: Parameters<Chromium['open']>[0]): Promise<Page> {
    const visit = await chromium.open(options);
    visits.push(visit);
    return visit.page;
  }

  async function linkTo(address: string, subject: RegExp, which = 0): Promise<string> {
    const mails = () => smtp.mails.filter(({ to, email }) => to.includes(address) && subject.test(email.subject ?? ''));
    const mail = await waitUntil(`mail ${which} to ${address}`, () => mails()[which]);
    return /https?:\/\/\S+/.exec(mail.email.text ?? '')?.[0] ?? '';
  }

  const invite = (account: 'wdc' | 'acme', name: string, primaryEmail: string) =>
    administratorOf(platform, account).graphql(
      `mutation ($name: String!, $primaryEmail: String!) {
        personCreate(input: { name: $name, primaryEmail: $primaryEmail }) { errors { message } } }`,
      { name, primaryEmail },
    );

  async function choosePassword(page: Page, text: string): Promise<void> {
    await page.getByLabel('New password', { exact: true }).fill(text);
    await page.getByLabel('Repeat the new password').fill(text);
    await page.keyboard.press('Enter');
  }

  /** Creates two people with the same address and password. */
  async function makeTwins(): Promise<void> {
    const page = await open({ javaScriptEnabled: false });
    for (const [which, account] of (['wdc', 'acme'] as const).entries()) {
      await invite(
        account,
        account === 'wdc' ? 'Ada Twin' : 'Ada Lovelace-Twin of the branch in Amsterdam',
        twin.email,
      );
      await page.goto(await linkTo(twin.email, /^Your access to/, which));
      await choosePassword(page, twin.password);
      await page.getByRole('heading', { name: 'Your password is set' }).waitFor();
    }
  }

  async function makePartners(): Promise<void> {
    for (const [account, other, as] of [
      ['wdc', 'acme', 'provider'],
      ['acme', 'wdc', 'customer'],
    ] as const) {
      await administratorOf(platform, account).graphql(
        `mutation ($other: String!, $as: AccountTrustRole!) {
          accountUpdate(input: { trusts: [{ accountID: $other, as: $as }] }) { errors { message } } }`,
        { other, as },
      );
    }
  }

  const offerRoles = (to: Person, roles: readonly string[]) =>
    administratorOf(platform, 'acme').graphql(
      `mutation ($primaryEmail: String!, $roles: [PersonRole!]!) {
        roleOfferCreate(input: { accountID: "wdc", primaryEmail: $primaryEmail, roles: $roles }) { errors { message } } }`,
      { primaryEmail: to.email, roles },
    );

  const makeProvider = () =>
    administratorOf(platform).graphql(
      `mutation ($name: String!, $issuer: String!, $clientId: String!) { ssoConfigurationCreate(input: {
          name: $name, issuer: $issuer, identifier: primary_email, clientId: $clientId, clientSecret: "a secret of ours"
        }) { errors { message } } }`,
      { name: provider, issuer: identity.issuer, clientId: audience },
    );

  /** Creates an application with its own redirect address, for which consent is remembered; returns its client ID. */
  async function makeWebApplication(): Promise<string> {
    const administrator = administratorOf(platform);
    const { oauthApplicationCreate: made } = await administrator.graphql<{
      oauthApplicationCreate: { oauthApplication: { id: string } };
    }>(
      `
        mutation ($redirectUris: [String!]!, $scopes: [OAuthScopeInput!]!) {
          oauthApplicationCreate(
            input: {
              name: "Roster of the night shift"
              description: "Plans who is at the desk, and asks who can come."
              redirectUris: $redirectUris
              scopes: $scopes
              grantTypes: ["authorization_code"]
            }
          ) {
            oauthApplication {
              id
            }
            errors {
              message
            }
          }
        }
      `,
      {
        redirectUris: [webCallback],
        scopes: [
          { effect: 'allow', actions: ['me:Name', 'person:Read', 'request:*'] },
          { effect: 'deny', actions: ['request:Delete'] },
        ],
      },
    );
    const { oauthApplicationTokenCreate: token } = await administrator.graphql<{
      oauthApplicationTokenCreate: { oauthApplicationToken: { clientId: string } };
    }>(
      `
        mutation ($applicationId: ID!) {
          oauthApplicationTokenCreate(input: { applicationId: $applicationId, name: "Production" }) {
            oauthApplicationToken {
              clientId
            }
            errors {
              message
            }
          }
        }
      `,
      { applicationId: made.oauthApplication.id },
    );
    return token.oauthApplicationToken.clientId;
  }

  async function signIn(page: Page, { email, password }: Person): Promise<void> {
    await page.goto(at('/oauth/sign-in'));
    await enter(page, { email, password });
    await page.getByRole('heading', { name: 'Access & Security' }).waitFor();
  }
  async function enter(page: Page, { email, password }: Person): Promise<void> {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  const profilePage = () => at('/oauth/profile');
  const authorizePage = (more: Record<string, string> = {}): string => {
    const query = new URLSearchParams({
      client_id: people().application.client_id,
      response_type: 'code',
      redirect_uri: people().application.redirect_uris[0] ?? '',
      ...challenge,
      ...more,
    });
    return at(`/oauth/authorize?${query.toString()}`);
  };
  const webRequest = () => authorizePage({ client_id: webApplication, redirect_uri: webCallback });

  /** Makes all sign-ins of this person old. */
  async function age({ email }: Person): Promise<void> {
    const person = await store.collection('people').findOne({ primaryEmail: email });
    const authenticatedAt = new Date(Date.now() - 3_600_000);
    await store.collection('sessions').updateMany({ personId: person?._id }, { $set: { authenticatedAt } });
  }

  /** Removes the password, as if they had always signed in at their identity provider. */
  async function forgetPassword({ email }: Person): Promise<void> {
    const found = await store
      .collection('people')
      .findOneAndUpdate({ primaryEmail: email }, { $set: { password: null } });
    await store.collection('sessions').updateMany({ personId: found?._id }, { $set: { passwordSalt: null } });
  }

  async function createToken(page: Page, name: string): Promise<void> {
    await page.goto(profilePage());
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('See your own name').check();
    await press(page, 'Create token');
  }

  async function signInAgain(page: Page, person: Person): Promise<void> {
    await signIn(page, person);
    await page.goto(profilePage());
    await age(person);
    await createToken(page, 'Nightly report');
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
  }

  async function testProvider(page: Page, token: string): Promise<void> {
    await signIn(page, people().administrator);
    await page.goto(at('/oauth/administration/sso-configurations'));
    await page.getByRole('link', { name: provider }).click();
    await page.getByRole('link', { name: /Test/ }).click();
    await page.getByLabel('Identity token').fill(token);
  }

  async function makePerson(page: Page, name: string, email: string): Promise<Person> {
    const person = { email, password: 'three green tall trees' };
    await invite('wdc', name, email);
    await page.goto(await linkTo(email, /^Your access to/));
    await choosePassword(page, person.password);
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor();
    return person;
  }

  let made = 0;
  /** Creates a person who asks for another address; returns the mailed link. */
  async function newAddress(page: Page, address: string): Promise<string> {
    const person = await makePerson(page, 'Vera Address', `before.${(made += 1)}@e2e.example`);
    await signIn(page, person);
    await page.goto(at('/oauth/profile/address'));
    await page.getByLabel('New e-mail address').fill(address);
    await page.getByLabel('Current password').fill(person.password);
    await page.keyboard.press('Enter');
    await says(page);
    return linkTo(address, /^Please verify/);
  }

  await makeTwins();
  await makePartners();
  await makeProvider();
  const webApplication = await makeWebApplication();

  return {
    identity,
    at,
    people,
    platform,
    open,
    enter,
    signIn,
    authorizePage,
    webRequest,
    profilePage,
    makePerson,
    newAddress,
    offerRoles,
    createToken,
    signInAgain,
    testProvider,
    forgetPassword,
    age,
    async closeVisits() {
      for (const visit of visits.splice(0)) await visit.close();
    },
    async close() {
      await store.close();
      await chromium.close();
      await platform.stop();
      await platform.remove();
      await identity.close();
      await smtp.close();
    },
  };
}
