import type { Furniture } from './furnished-scene';
import type { Who } from './scene';

/** A screen that fetches from the API before it can show anything. */
export interface FetchingScreen {
  readonly name: string;
  readonly who: Who;
  /** Relative to `/accounts/wdc`. */
  readonly path: (furniture: Furniture) => string;
  /** The heading before any data is loaded. */
  readonly heading: string | RegExp;
  /** A text of the loaded screen. */
  readonly shows: string | RegExp;
  /** After so many milliseconds it fetches again when one comes back to the tab. */
  readonly isFreshFor: number;
}

const ofData = 6_000;
/** What types have is asked for every ten minutes. */
const ofDescriptions = 601_000;

const of = (
  name: string,
  path: FetchingScreen['path'],
  heading: FetchingScreen['heading'],
  shows: FetchingScreen['shows'],
  who: Who = 'administrator',
  isFreshFor = ofData,
): FetchingScreen => ({ name, who, path, heading, shows, isFreshFor });

export const fetchingScreens: readonly FetchingScreen[] = [
  of('home', () => '', 'Hello, Ellen', 'Webhooks that need attention'),
  of('home-specialist', () => '', 'Hello, Howard', /^\d+ waiting for others$/, 'specialist'),
  of('home-end-user', () => '', 'Hello, Grace', 'The last 10 of', 'end_user'),
  of('webhooks', () => '/webhooks', 'Webhooks', 'The receiver answered 500'),
  of('webhook-new', () => '/webhooks/new', 'New webhook', 'What is sent'),
  of(
    'webhook-edit',
    ({ webhooks }) => `/webhooks/${webhooks.signed}/edit`,
    'Edit webhook',
    'What request.create sends',
  ),
  of('webhook', ({ webhooks }) => `/webhooks/${webhooks.failing}`, /^Webhook \d/, 'It has been failing since'),
  of('why', whyOf('disabled'), 'Why was it not delivered?', 'every attempt failed'),
  of(
    'why-everywhere',
    ({ request }) => `/webhooks/why?object=${request}`,
    'Why was it not delivered?',
    'It was delivered.',
  ),
  of('recover', ({ webhooks }) => `/webhooks/${webhooks.failing}/recover`, 'Recover', 'waiting after a failure'),
  of('deliveries', () => '/deliveries', 'Deliveries', /^\d+ deliveries$/),
  of('delivery', ({ deliveries }) => `/deliveries/${deliveries.waiting}`, 'Delivery', 'Only the status is kept.'),
  of('signing', () => '/signing', 'Signing', 'orders-es256'),
  of('policy', ({ policies }) => `/signing/${policies.used}`, /^Policy \d/, 'Sample receiver'),
  of('applications', () => '/applications', 'Applications', 'Demo application'),
  of('application', ({ applications }) => `/applications/${applications.ready}`, /^Application \d/, 'Scopes'),
  of(
    'application-edit',
    ({ applications }) => `/applications/${applications.ready}/edit`,
    'Edit application',
    'Require PKCE',
  ),
  of('requests', () => '/requests', 'Requests', /^\d+ requests$/, 'specialist'),
  of('people', () => '/people', 'People', /^\d+ people$/),
  of('request-new', () => '/requests/new', 'New request', 'Requested for', 'specialist', ofDescriptions),
  of('record', ({ request }) => `/requests/${request}`, /^Request \d/, 'Deliveries of this record'),
];

/** The page that explains why a webhook was not called for the request. */
export function whyOf(webhook: keyof Furniture['webhooks']): FetchingScreen['path'] {
  return ({ webhooks, request }) => `/webhooks/${webhooks[webhook]}/why?object=requests/${request}`;
}
