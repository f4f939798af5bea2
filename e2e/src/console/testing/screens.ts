import type { Furniture } from './furnished-scene';
import type { Who } from './scene';

/** A screen in the journeys; `console/src/screens.test.ts` compares their addresses with the routes of the console. */
export interface ConsoleScreen {
  readonly name: string;
  readonly who: Who;
  /** Relative to `/accounts/wdc`. */
  readonly path: (furniture: Furniture) => string;
  /** The heading before any data is loaded. */
  readonly heading: string | RegExp;
  /** The heading of the loaded screen, where it is another one. */
  readonly loadedHeading?: string | RegExp;
  /** A text of the loaded screen; null of one that can be used before anything is fetched, and of one with journeys of its own. */
  readonly shows: string | RegExp | null;
  /** After so many milliseconds it fetches again when one comes back to the tab. */
  readonly isFreshFor?: number;
  /** Everybody else is refused. */
  readonly isForAdministrators?: true;
}

const administrator = { who: 'administrator' } as const;
const onlyAdministrators = { ...administrator, isForAdministrators: true } as const;
const specialist = { who: 'specialist' } as const;
const endUser = { who: 'end_user' } as const;

/** The page that explains why a webhook was not called for the request. */
export function whyOf(webhook: keyof Furniture['webhooks']): ConsoleScreen['path'] {
  return ({ webhooks, request }) => `/webhooks/${webhooks[webhook]}/why?object=requests/${request}`;
}

const general: readonly ConsoleScreen[] = [
  { ...administrator, name: 'home', path: () => '', heading: 'Hello, Ellen', shows: 'Webhooks that need attention' },
  {
    ...specialist,
    name: 'home-specialist',
    path: () => '',
    heading: 'Hello, Howard',
    shows: /^\d+ waiting for others$/,
  },
  { ...endUser, name: 'home-end-user', path: () => '', heading: 'Hello, Grace', shows: 'The last 10 of' },
  { ...specialist, name: 'notices', path: () => '/notices', heading: 'Notices', shows: null },
  {
    ...endUser,
    name: 'notice-preferences',
    path: () => '/notices/preferences',
    heading: 'Which notices you get',
    shows: null,
  },
  { ...administrator, name: 'explorer', path: () => '/explorer', heading: 'Explorer', shows: null },
];

const ofWebhooks: readonly ConsoleScreen[] = [
  { name: 'webhooks', path: () => '/webhooks', heading: 'Webhooks', shows: 'The receiver answered 500' },
  { name: 'webhook-new', path: () => '/webhooks/new', heading: 'New webhook', shows: 'What is sent' },
  {
    name: 'webhook-edit',
    path: ({ webhooks }: Furniture) => `/webhooks/${webhooks.signed}/edit`,
    heading: 'Edit webhook',
    loadedHeading: 'Edit Incident pager',
    shows: 'What request.create sends',
  },
  {
    name: 'webhook',
    path: ({ webhooks }: Furniture) => `/webhooks/${webhooks.failing}`,
    heading: /^Webhook \d/,
    loadedHeading: 'Data warehouse',
    shows: 'It has been failing since',
  },
  {
    name: 'why',
    path: whyOf('disabled'),
    heading: 'Why was it not delivered?',
    loadedHeading: 'Why was it not delivered to Archive?',
    shows: 'every attempt failed',
  },
  {
    name: 'why-everywhere',
    path: ({ request }: Furniture) => `/webhooks/why?object=${request}`,
    heading: 'Why was it not delivered?',
    shows: 'It was delivered.',
  },
  {
    name: 'recover',
    path: ({ webhooks }: Furniture) => `/webhooks/${webhooks.failing}/recover`,
    heading: 'Recover',
    loadedHeading: 'Recover Data warehouse',
    shows: 'waiting after a failure',
  },
  { name: 'deliveries', path: () => '/deliveries', heading: 'Deliveries', shows: /^\d+ deliveries$/ },
  {
    name: 'delivery',
    path: ({ deliveries }: Furniture) => `/deliveries/${deliveries.waiting}`,
    heading: 'Delivery',
    loadedHeading: 'request.create → Data warehouse',
    shows: 'Only the status is kept.',
  },
  { name: 'signing', path: () => '/signing', heading: 'Signing', shows: 'orders-es256' },
  { name: 'signing-new', path: () => '/signing/new', heading: 'New policy', shows: null },
  {
    name: 'policy',
    path: ({ policies }: Furniture) => `/signing/${policies.used}`,
    heading: /^Policy \d/,
    loadedHeading: 'orders-es256',
    shows: 'Sample receiver',
  },
].map((screen) => ({ ...onlyAdministrators, ...screen }));

const ofApplications: readonly ConsoleScreen[] = [
  { name: 'applications', path: () => '/applications', heading: 'Applications', shows: 'Demo application' },
  { name: 'application-new', path: () => '/applications/new', heading: 'New application', shows: null },
  {
    name: 'application',
    path: ({ applications }: Furniture) => `/applications/${applications.ready}`,
    heading: /^Application \d/,
    loadedHeading: 'Demo application',
    shows: 'Scopes',
  },
  {
    name: 'application-edit',
    path: ({ applications }: Furniture) => `/applications/${applications.ready}/edit`,
    heading: 'Edit application',
    loadedHeading: 'Edit Demo application',
    shows: 'Require PKCE',
  },
].map((screen) => ({ ...onlyAdministrators, ...screen }));

const ofRecords: readonly ConsoleScreen[] = [
  { ...specialist, name: 'requests', path: () => '/requests', heading: 'Requests', shows: /^\d+ requests$/ },
  { ...administrator, name: 'people', path: () => '/people', heading: 'People', shows: /^\d+ people$/ },
  {
    ...specialist,
    name: 'request-new',
    path: () => '/requests/new',
    heading: 'New request',
    shows: 'Requested for',
    // What types have is asked for every ten minutes.
    isFreshFor: 601_000,
  },
  {
    ...administrator,
    name: 'record',
    path: ({ request }: Furniture) => `/requests/${request}`,
    heading: /^Request \d/,
    loadedHeading: 'The coffee machine is broken',
    shows: 'Deliveries of this record',
  },
];

/** Each screen once: the journeys visit it, let its fetches wait and fail, and refuse it to others. */
export const consoleScreens: readonly ConsoleScreen[] = [...general, ...ofWebhooks, ...ofApplications, ...ofRecords];

/** A screen that fetches from the API before it can show anything. */
export const fetchingScreens = consoleScreens.flatMap(({ shows, isFreshFor = 6_000, ...screen }) =>
  shows === null ? [] : { ...screen, shows, isFreshFor },
);
