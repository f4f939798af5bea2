import type { Page } from 'playwright-core';
import type { Sight } from './sights';

const session = '**/console/session';
const ofGraphql = '**/console/graphql';

/** States that replace the whole frame, or cover it. */
export const frameSights: readonly Sight[] = [
  // Never answered; closing the page ends it.
  {
    name: 'frame-loading',
    path: () => '',
    prepare: (page) => page.route(session, () => undefined),
    shows: 'Loading …',
    isLoading: true,
  },
  {
    name: 'frame-failed',
    path: () => '',
    prepare: (page) =>
      page.route(session, (route) => route.fulfill({ status: 503, json: { message: 'Service Unavailable' } })),
    shows: 'This page could not be loaded',
  },
  {
    name: 'frame-not-reached',
    path: () => '',
    prepare: (page) => page.route(session, (route) => route.abort()),
    shows: 'The platform is unreachable.',
  },
  { name: 'frame-no-role', account: 'acme', path: () => '', shows: 'You have no role in acme' },
  {
    name: 'frame-signed-out',
    path: () => '/webhooks/new',
    prepare: signedOut,
    shows: 'Your input is kept.',
  },
  {
    name: 'frame-newer-build',
    path: () => '/signing',
    prepare: (page) =>
      page.route(ofGraphql, async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-console-build': 'newer' } });
      }),
    shows: 'A new version is available.',
  },
  {
    name: 'frame-sign-in-again',
    path: ({ policies }) => `/signing/${policies.spare}`,
    async prepare(page) {
      const load = await holdDialogs(page);
      await page.route(ofGraphql, async (route) => {
        if (!route.request().postData()?.includes('webhookPolicyRotate')) return route.fallback();
        await route.fulfill({ json: tooOld });
        load();
      });
    },
    async act(page) {
      await page.getByRole('button', { name: 'Rotate key' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
    },
    shows: 'needs a recent sign-in.',
  },
];

/** Ends the session and the sign-in from elsewhere. */
async function signedOut(page: Page): Promise<void> {
  const load = await holdDialogs(page);
  await page.route(ofGraphql, (route) => route.fulfill({ status: 401, json: { message: 'Unauthorized' } }));
  await page.route('**/console/sign-in?quiet=1*', async (route) => {
    await route.fulfill({ status: 401 });
    load();
  });
}

/** The dialogs of the frame load only after the returned function was called, as on a slow network. */
async function holdDialogs(page: Page): Promise<() => void> {
  let load = (): void => undefined;
  const mayLoad = new Promise<void>((resolve) => (load = resolve));
  await page.route('**/dialogs-*.js', async (route) => {
    await mayLoad;
    await route.continue();
  });
  return load;
}

/** The answer to a change that grants access when the sign-in is too old. */
const tooOld = {
  data: { webhookPolicyRotate: null },
  errors: [
    {
      message: 'A more recent sign-in is needed',
      path: ['webhookPolicyRotate'],
      extensions: { code: 'INSUFFICIENT_USER_AUTHENTICATION', max_age: 300 },
    },
  ],
};
