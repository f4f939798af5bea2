import type { Page } from 'playwright-core';
import { allLooks } from '../../oauth/testing/page-audit';
import type { Look } from '../../oauth/testing/page-audit';
import { emptyList } from './calls';
import type { Furniture } from './furnished-scene';
import type { Who } from './scene';
import { consoleScreens, whyOf } from './screens';

/** A state of a screen to be audited, after its steps. */
export interface Sight {
  readonly name: string;
  readonly who?: Who;
  readonly account?: string;
  /** Relative to `/accounts/<account>`. */
  readonly path: (furniture: Furniture) => string;
  /** Runs before the page is opened; the console is loaded for it. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  readonly act?: (page: Page) => Promise<unknown>;
  readonly shows: string | RegExp;
  /** The console is loaded for it: it looks like what is between two screens. */
  readonly isLoaded?: true;
  /** The state is a loading state, which does not change. */
  readonly isLoading?: true;
  readonly looks?: readonly Look[];
  /** Audit rules that do not apply to it. */
  readonly exceptions?: readonly string[];
}

/** What people without the required role see at each address: one sentence. */
const refused = consoleScreens
  .filter((screen) => screen.isForAdministrators)
  .flatMap(({ name, path }): Sight[] => [
    { name: `${name}-as-specialist`, who: 'specialist', path, shows: 'You do not have access.' },
    {
      name: `${name}-as-end-user`,
      who: 'end_user',
      path,
      shows: 'You do not have access.',
      looks: allLooks.slice(0, 1),
    },
  ]);

/** `wdc-labs` has the same people, but neither webhooks nor policies. */
const empty = (
  [
    ['home', '', 'No failed deliveries.'],
    ['webhooks', '/webhooks', /^The same from a terminal|The same from a terminal:$/],
    ['why-everywhere', '/webhooks/why', 'There are no webhooks in this account'],
    ['deliveries', '/deliveries', 'No deliveries in the last 24 hours.'],
    ['signing', '/signing', 'Nothing is signed yet.'],
  ] as const
).map(([name, path, shows]): Sight => ({ name: `${name}-empty`, account: 'wdc-labs', path: () => path, shows }));

/** No demo person has empty lists, so these answers are emptied. */
const emptied: readonly Sight[] = [
  {
    name: 'requests-empty',
    who: 'specialist',
    path: () => '/requests',
    prepare: (page) => emptyList(page, 'requestList'),
    shows: 'No requests in “Open”.',
  },
  {
    name: 'people-empty',
    path: () => '/people?view=disabled',
    prepare: (page) => emptyList(page, 'personList'),
    shows: 'No people in “Disabled”.',
  },
  {
    name: 'home-specialist-empty',
    who: 'specialist',
    path: () => '',
    prepare: (page) => emptyList(page, 'HomeDesk'),
    shows: 'Nothing is assigned to you.',
  },
  {
    name: 'home-end-user-empty',
    who: 'end_user',
    path: () => '',
    prepare: (page) => emptyList(page, 'HomeRequests'),
    shows: 'You have no open requests.',
  },
  {
    name: 'applications-empty',
    path: () => '/applications',
    prepare: (page) => emptyList(page, 'ApplicationList'),
    shows: 'No applications yet.',
  },
];

const nothingMatches = (
  [
    ['webhooks', '/webhooks?q=zeppelin'],
    ['webhook', '/webhooks/1?state=stopped'],
    ['deliveries', '/deliveries?state=stopped'],
    ['applications', '/applications?q=zeppelin'],
    ['requests', '/requests?q=zeppelin'],
    ['people', '/people?q=zeppelin'],
  ] as const
).map(([name, path]): Sight => ({ name: `${name}-no-match`, path: () => path, shows: 'Nothing matches.' }));

const missing = (
  [
    ['webhook', '/webhooks/4711'],
    ['webhook-edit', '/webhooks/4711/edit'],
    ['why', '/webhooks/4711/why'],
    ['recover', '/webhooks/4711/recover'],
    ['delivery', '/deliveries/3d9ab2a8-0000-8000-8000-000000000000'],
    ['policy', '/signing/4711'],
    ['application', '/applications/4711'],
    ['application-edit', '/applications/4711/edit'],
    ['record', '/requests/4711'],
    ['kind', '/zeppelins/4711'],
    ['list', '/zeppelins'],
    ['address', '/webhooks/4711/edit/more'],
  ] as const
).map(([name, path]): Sight => ({
  name: `${name}-missing`,
  path: () => path,
  shows: /^There is no|^Page not found/,
  ...(name === 'address' && { isLoaded: true }),
}));

/** The states of a detail screen, beside the normal one. */
const ofOneThing: readonly Sight[] = [
  { name: 'webhook-well', path: ({ webhooks }) => `/webhooks/${webhooks.signed}`, shows: 'orders-es256' },
  {
    name: 'webhook-unverified',
    path: ({ webhooks }) => `/webhooks/${webhooks.unverified}`,
    shows: 'Waiting for the receiver',
  },
  { name: 'webhook-disabled', path: ({ webhooks }) => `/webhooks/${webhooks.disabled}`, shows: 'Enable and review' },
  { name: 'webhook-skipped', path: ({ webhooks }) => `/webhooks/${webhooks.kept}`, shows: '1 event was skipped' },
  { name: 'delivery-delivered', path: ({ deliveries }) => `/deliveries/${deliveries.delivered}`, shows: 'Resend' },
  { name: 'delivery-failed', path: ({ deliveries }) => `/deliveries/${deliveries.failed}`, shows: 'How to fix:' },
  { name: 'delivery-test', path: ({ deliveries }) => `/deliveries/${deliveries.test}`, shows: 'Test' },
  { name: 'why-delivered', path: whyOf('signed'), shows: 'It was delivered.' },
  { name: 'why-waiting', path: whyOf('failing'), shows: 'Another attempt follows' },
  { name: 'why-skipped', path: whyOf('kept'), shows: 'it was held back' },
  { name: 'why-other-event', path: whyOf('unverified'), shows: /Add a webhook for it|another event/ },
  {
    name: 'why-nothing-happened',
    path: ({ webhooks }) => `/webhooks/${webhooks.signed}/why?object=4711`,
    shows: 'No events of',
  },
  {
    name: 'recover-nothing',
    path: ({ webhooks }) => `/webhooks/${webhooks.signed}/recover`,
    shows: 'Nothing to send in this period',
  },
  {
    name: 'recover-disabled',
    path: ({ webhooks }) => `/webhooks/${webhooks.disabled}/recover`,
    shows: 'The webhook is disabled',
  },
  {
    name: 'recover-skipped',
    path: ({ webhooks }) => `/webhooks/${webhooks.kept}/recover`,
    shows: 'held back, never sent',
  },
  {
    name: 'application-disabled',
    path: ({ applications }) => `/applications/${applications.disabled}`,
    shows: 'Disabled: it gets no tokens',
  },
  { name: 'policy-unused', path: ({ policies }) => `/signing/${policies.spare}`, shows: 'Webhooks signed by it: 0' },
];

/** A record that others change all the time, or whose status somebody has changed in the meantime. */
const changedElsewhere = (isOfStatus: boolean) => (page: Page) => {
  let isChanged = false;
  return page.route('**/console/v1/requests/1', async (route) => {
    if (route.request().method() === 'PATCH') {
      isChanged = true;
      await route.fulfill({ status: 412, json: { message: 'Precondition Failed' } });
    } else if (isChanged && isOfStatus) {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), status: 'declined' } });
    } else await route.continue();
  });
};

const chooseStatus = async (page: Page): Promise<void> => {
  await page.locator('#field-status').getByRole('button').click();
  await page.getByRole('option', { name: 'Waiting for others', exact: true }).click();
};

/** What one does with a record. */
const ofRecords: readonly Sight[] = [
  {
    name: 'record-reply',
    who: 'specialist',
    path: () => '/requests/1',
    act: (page) => page.getByRole('button', { name: /^Reply to/ }).click(),
    shows: /^Public: Grace Lin will see it/,
  },
  {
    name: 'record-internal-note',
    who: 'specialist',
    path: () => '/requests/1',
    act: (page) => page.getByRole('button', { name: 'Internal note' }).click(),
    shows: 'Internal: only colleagues see it',
  },
  {
    name: 'record-field-editor',
    who: 'specialist',
    path: () => '/requests/1',
    act: (page) => page.getByRole('button', { name: 'Change Desired completion' }).click(),
    shows: 'Save',
  },
  {
    name: 'record-refused',
    who: 'specialist',
    path: () => '/requests/1',
    prepare: changedElsewhere(false),
    act: chooseStatus,
    shows: /^Not saved: Somebody else has changed this since/,
  },
  {
    name: 'record-changed-elsewhere',
    who: 'specialist',
    path: () => '/requests/1',
    prepare: changedElsewhere(true),
    act: chooseStatus,
    shows: /^Not saved: somebody has changed Status to “Declined”/,
  },
  { name: 'record-as-end-user', who: 'end_user', path: () => '/requests/1', shows: /^Reply/ },
  {
    name: 'record-archived',
    path: ({ problems }) => `/problems/${problems.archived}`,
    shows: /^Archived: it is in no list/,
  },
  {
    name: 'record-in-trash',
    path: ({ problems }) => `/problems/${problems.trashed}`,
    shows: /^In the trash: it will be deleted/,
  },
  { name: 'problem-new-as-end-user', who: 'end_user', path: () => '/problems/new', shows: 'You do not have access.' },
];

/** Lists of records, beside the one of specialists that fetches slowly and fails in the failures. */
const ofLists: readonly Sight[] = [
  {
    name: 'requests-filtered',
    who: 'specialist',
    path: () => '/requests?view=unassigned&team=1&priority=none&zeppelin=1',
    shows: /^zeppelin=1 has no effect/,
  },
  { name: 'requests-as-end-user', who: 'end_user', path: () => '/requests', shows: 'My requests' },
  { name: 'problems-as-end-user', who: 'end_user', path: () => '/problems', shows: 'You do not have access.' },
  { name: 'problems-archived', path: () => '/problems?view=archive', shows: /^\d+ problems?$/ },
  { name: 'teams', path: () => '/teams', shows: 'Service Desk' },
];

export const sights: readonly Sight[] = [
  ...ofRecords,
  ...ofLists,
  ...refused,
  ...empty,
  ...emptied,
  ...nothingMatches,
  ...missing,
  ...ofOneThing,
];
