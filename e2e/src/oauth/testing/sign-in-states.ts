import { alerts, press, provider, twin, wrongly } from './identity-scene';
import type { State } from './identity-scene';

export const signInStates: readonly State[] = [
  { name: 'sign-in', heading: 'Sign in', reach: (page, scene) => page.goto(scene.at('/oauth/sign-in')) },
  {
    name: 'sign-in-refused',
    heading: 'Sign in',
    reach: async (page, scene) => {
      await page.goto(scene.at('/oauth/sign-in'));
      await scene.enter(page, wrongly(scene.people().specialist));
      await alerts(page);
    },
  },
  {
    name: 'sign-in-throttled',
    heading: 'Sign in',
    reach: async (page, scene) => {
      await page.goto(scene.at('/oauth/sign-in'));
      const slowedDown = page.getByText('Too many attempts');
      while ((await slowedDown.count()) === 0) {
        await scene.enter(page, { email: 'nobody.at.all@e2e.example', password: 'a wrong password' });
        await alerts(page);
      }
    },
  },
  {
    name: 'sign-in-for-application',
    heading: 'Sign in',
    reach: (page, scene) => page.goto(scene.authorizePage({ login_hint: scene.people().end_user.email })),
  },
  {
    name: 'sign-in-provider',
    heading: 'Sign in',
    reach: async (page, scene) => {
      await page.goto(scene.at('/oauth/sign-in'));
      await page.getByText('Sign in with an identity provider (SSO)').click();
      await page.getByLabel('Account of your organization').fill('wdc');
      await press(page, 'Continue');
      await page.getByRole('link', { name: `Sign in with ${provider}` }).waitFor();
    },
  },
  {
    name: 'sign-in-provider-away',
    heading: 'This request cannot be completed',
    reach: async (page, scene) => {
      await page.goto(scene.at('/oauth/sign-in?account=wdc'));
      await page.getByRole('link', { name: `Sign in with ${provider}` }).click();
    },
  },
  {
    name: 'sign-in-provider-refused',
    heading: 'This request cannot be completed',
    reach: (page, scene) =>
      page.goto(scene.at('/oauth/sign-in/provider/callback?error=access_denied&state=of-another-browser')),
  },
  {
    name: 'choice',
    heading: 'Choose an account',
    reach: async (page, scene) => {
      await page.goto(scene.at('/oauth/sign-in'));
      await scene.enter(page, twin);
    },
  },
  {
    name: 'choice-too-late',
    heading: 'Sign in',
    reach: async (page, scene) => {
      await page.goto(scene.at('/oauth/sign-in'));
      await scene.enter(page, twin);
      await page.locator('input[name=choice]').evaluate((input) => input.setAttribute('value', 'of long ago'));
      await press(page, /Ada Twin/);
      await alerts(page);
    },
  },
  { name: 'not-found', heading: 'Not found', reach: (page, scene) => page.goto(scene.at('/oauth/nowhere')) },
];

export const consentStates: readonly State[] = [
  {
    name: 'consent-loopback',
    heading: /^Authorize .*\?$/,
    reach: async (page, scene) => {
      await page.goto(scene.authorizePage());
      await scene.enter(page, scene.people().end_user);
    },
  },
  {
    name: 'consent-web',
    heading: 'Authorize Roster of the night shift?',
    reach: async (page, scene) => {
      await page.goto(scene.webRequest());
      await scene.enter(page, scene.people().end_user);
    },
  },
  {
    name: 'consent-answered-before',
    heading: 'Not found',
    reach: async (page, scene) => {
      await page.goto(scene.authorizePage());
      await scene.enter(page, scene.people().end_user);
      await page.getByRole('heading', { name: /^Authorize/ }).waitFor();
      const question = page.url();
      await press(page, 'Deny');
      // The application does not run.
      await page.waitForURL(/^chrome-error:/, { waitUntil: 'commit' });
      await page.goto(question);
    },
  },
  {
    name: 'consent-unknown-client',
    heading: 'This request cannot be completed',
    reach: (page, scene) => page.goto(scene.authorizePage({ client_id: 'nobody' })),
  },
];
