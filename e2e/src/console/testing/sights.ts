import type { Page } from 'playwright-core';
import type { Look } from '../../oauth/testing/page-audit';
import type { Furniture } from './furnished-scene';
import { whyOf } from './fetching-screens';
import type { Who } from './scene';

/** Something to be looked at that is there at once, or after a few steps. */
export interface Sight {
  readonly name: string;
  readonly who?: Who;
  readonly account?: string;
  /** After `/accounts/<account>`. */
  readonly path: (furniture: Furniture) => string;
  readonly act?: (page: Page) => Promise<void>;
  readonly shows: string | RegExp;
  readonly looks?: readonly Look[];
}

const forAdministrators: readonly (readonly [string, Sight['path']])[] = [
  ['webhooks', () => '/webhooks'],
  ['webhook-new', () => '/webhooks/new'],
  ['webhook-edit', ({ webhooks }) => `/webhooks/${webhooks.signed}/edit`],
  ['webhook', ({ webhooks }) => `/webhooks/${webhooks.signed}`],
  ['why', whyOf('signed')],
  ['why-everywhere', () => '/webhooks/why'],
  ['recover', ({ webhooks }) => `/webhooks/${webhooks.signed}/recover`],
  ['deliveries', () => '/deliveries'],
  ['delivery', ({ deliveries }) => `/deliveries/${deliveries.delivered}`],
  ['signing', () => '/signing'],
  ['signing-new', () => '/signing/new'],
  ['policy', ({ policies }) => `/signing/${policies.used}`],
  ['applications', () => '/applications'],
  ['application-new', () => '/applications/new'],
  ['application', ({ application }) => `/applications/${application}`],
  ['application-edit', ({ application }) => `/applications/${application}/edit`],
];

/** What people see whose roles do not allow it. */
const refused = forAdministrators.flatMap(([name, path]) =>
  (['specialist', 'end_user'] as const).map((who): Sight => ({
    name: `${name}-as-${who}`,
    who,
    path,
    shows: /may not see/,
  })),
);

/** `wdc-labs` belongs to the same people, and has neither webhooks nor policies. */
const empty: readonly Sight[] = [
  { name: 'home-empty', account: 'wdc-labs', path: () => '', shows: 'No delivery has failed.' },
  { name: 'webhooks-empty', account: 'wdc-labs', path: () => '/webhooks', shows: 'The same from a terminal' },
  { name: 'why-everywhere-empty', account: 'wdc-labs', path: () => '/webhooks/why', shows: 'There are no webhooks' },
  { name: 'deliveries-empty', account: 'wdc-labs', path: () => '/deliveries', shows: 'Nothing was delivered' },
  { name: 'signing-empty', account: 'wdc-labs', path: () => '/signing', shows: 'Nothing is signed yet.' },
];

const nothingMatches: readonly Sight[] = [
  ['webhooks', '/webhooks?q=zeppelin'],
  ['webhook', '/webhooks/1?state=stopped'],
  ['deliveries', '/deliveries?state=stopped'],
  ['applications', '/applications?q=zeppelin'],
].map(([name, path = '']) => ({ name: `${name}-no-match`, path: () => path, shows: 'Nothing matches.' }));

const missing: readonly Sight[] = [
  ['webhook', '/webhooks/4711'],
  ['webhook-edit', '/webhooks/4711/edit'],
  ['why', '/webhooks/4711/why'],
  ['recover', '/webhooks/4711/recover'],
  ['delivery', '/deliveries/3d9ab2a8-0000-8000-8000-000000000000'],
  ['policy', '/signing/4711'],
  ['application', '/applications/4711'],
  ['application-edit', '/applications/4711/edit'],
  ['record', '/requests/471100'],
].map(([name, path = '']) => ({
  name: `${name}-missing`,
  path: () => path,
  shows: /There is no such|There is no .* 4711/,
}));

export const sights: readonly Sight[] = [...refused, ...empty, ...nothingMatches, ...missing];
