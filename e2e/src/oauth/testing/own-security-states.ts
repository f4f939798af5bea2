import { audience } from '../../operations/identity-provider';
import { alerts, press, provider, says, twin } from './identity-scene';
import type { State } from './identity-scene';

export const addressStates: readonly State[] = [
  {
    name: 'link-unknown',
    heading: 'This link cannot be used',
    reach: (page, scene) => page.goto(scene.at('/oauth/verify-address?token=none')),
  },
  {
    name: 'address-verify',
    heading: 'Verify your e-mail address',
    reach: async (page, scene) => page.goto(await scene.newAddress(page, 'verify@e2e.example')),
  },
  {
    name: 'address-verified',
    heading: 'Your address is verified',
    reach: async (page, scene) => {
      await page.goto(await scene.newAddress(page, 'verified@e2e.example'));
      await press(page, 'Yes, this is my address');
    },
  },
];

export const ownStates: readonly State[] = [
  {
    name: 'offers',
    heading: 'Howard Tanner',
    reach: async (page, scene) => {
      await scene.offerRoles(scene.people().specialist, ['specialist', 'auditor']);
      await scene.signIn(page, scene.people().specialist);
    },
  },
  {
    name: 'offers-declined',
    heading: 'Howard Tanner',
    reach: async (page, scene) => {
      await scene.signIn(page, scene.people().specialist);
      await press(page, /^Decline/);
      await says(page);
    },
  },
  {
    name: 'offers-accepted',
    heading: 'Howard Tanner',
    reach: async (page, scene) => {
      await scene.offerRoles(scene.people().specialist, ['specialist']);
      await scene.signIn(page, scene.people().specialist);
      await press(page, /^Accept/);
      await says(page);
    },
  },
  {
    name: 'profile-token-made',
    heading: 'Howard Tanner',
    reach: async (page, scene) => {
      await scene.signIn(page, scene.people().specialist);
      await scene.createToken(page, 'Monthly numbers');
      await page.locator('.token').waitFor();
    },
  },
  {
    name: 'profile-token-refused',
    heading: 'Howard Tanner',
    reach: async (page, scene) => {
      await scene.signIn(page, scene.people().specialist);
      await scene.createToken(page, 'Monthly numbers');
      await alerts(page);
    },
  },
  {
    name: 'profile-session-ended',
    heading: 'Howard Tanner',
    reach: async (page, scene) => {
      await scene.signIn(page, scene.people().specialist);
      await press(page, /^End the session/);
      await says(page);
    },
  },
  {
    name: 'again',
    heading: 'Sign in again',
    reach: (page, scene) => scene.signInAgain(page, scene.people().specialist),
  },
  {
    name: 'again-refused',
    heading: 'Sign in again',
    reach: async (page, scene) => {
      await scene.signInAgain(page, scene.people().specialist);
      await page.getByLabel('Password').fill('a wrong password');
      await page.keyboard.press('Enter');
      await alerts(page);
    },
  },
  {
    name: 'password-differ',
    heading: 'Change your password',
    reach: async (page, scene) => {
      await scene.signIn(page, scene.people().specialist);
      await page.goto(scene.at('/oauth/profile/password'));
      await page.getByLabel('Current password').fill(scene.people().specialist.password);
      await page.getByLabel('New password', { exact: true }).fill('three green tall trees');
      await page.getByLabel('Repeat the new password').fill('three green small trees');
      await page.keyboard.press('Enter');
      await alerts(page);
    },
  },
];

export const administratorStates: readonly State[] = [
  {
    name: 'sso-test',
    heading: `Test ${provider}`,
    reach: (page, scene) => scene.testProvider(page, ''),
  },
  {
    name: 'sso-test-good',
    heading: `Test ${provider}`,
    reach: async (page, scene) => {
      const claims = { aud: audience, sub: 'ellen', jti: 'once' };
      await scene.testProvider(page, await scene.identity.tokenFor(scene.people().end_user.email, claims));
      await press(page, 'Test');
      await says(page);
    },
  },
  {
    name: 'sso-test-bad',
    heading: `Test ${provider}`,
    reach: async (page, scene) => {
      await scene.testProvider(
        page,
        await scene.identity.tokenFor('nobody@e2e.example', { sub: 'nobody', jti: 'other' }),
      );
      await press(page, 'Test');
      await says(page);
    },
  },
  {
    name: 'people-offers',
    heading: 'People',
    reach: async (page, scene) => {
      const { administrator } = scene.platform.demo.accounts.acme;
      await scene.offerRoles(scene.people().end_user, ['key_contact']);
      await scene.offerRoles({ ...twin, email: 'somebody.with.a.long.name@of-a-long-domain.example' }, [
        'auditor',
        'specialist',
      ]);
      await scene.signIn(page, administrator);
      await page.goto(scene.at('/oauth/administration/people'));
      await page.getByRole('heading', { name: 'Roles offered to people of partners' }).waitFor();
    },
  },
  {
    name: 'again-provider',
    heading: 'Sign in again',
    reach: async (page, scene) => {
      await scene.signIn(page, scene.people().end_user);
      await scene.forgetPassword(scene.people().end_user);
      await page.goto(scene.profilePage());
      await scene.age(scene.people().end_user);
      await scene.createToken(page, 'Nightly report');
      await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
      await press(page, 'Continue');
      await alerts(page);
    },
  },
  {
    name: 'people',
    heading: 'People',
    reach: async (page, scene) => {
      await scene.signIn(page, scene.people().administrator);
      await page.goto(scene.at('/oauth/administration/people'));
    },
  },
];
