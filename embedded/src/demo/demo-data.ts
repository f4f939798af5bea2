import type { Role } from '@itsm/shared/contracts/directory';
import type { Scope } from '@itsm/shared/contracts/scopes';

export const source = 'demo';

export type Position = 'administrator' | 'specialist' | 'end_user';

export const rolesOf: Record<Position, Role[]> = {
  administrator: ['account_administrator', 'specialist'],
  specialist: ['specialist'],
  end_user: ['end_user'],
};

export const demoAccounts = {
  wdc: {
    name: 'Widget Data Center',
    people: { administrator: 'Ellen Brown', specialist: 'Howard Tanner', end_user: 'Grace Lin' },
    teams: ['Service Desk', 'Network Operations'],
  },
  acme: {
    name: 'Acme',
    people: { administrator: 'Wile Carter', specialist: 'Bea Pepper', end_user: 'Ruben Roadman' },
    teams: ['Workplace Support', 'Field Service'],
  },
} as const;

export type DemoAccountId = keyof typeof demoAccounts;

/** A second account for the people of its directory account. */
export const branch = {
  id: 'wdc-labs',
  name: 'Widget Data Center Labs',
  directory: 'wdc',
  teams: ['Lab Support'],
  requestCount: 10,
} as const;

export const everything: Scope[] = [{ effect: 'allow', actions: ['*:*'] }];

export const application = {
  name: 'Demo application',
  description: 'Shows how an application acts for a person. Works without PKCE, which others should use.',
  redirectUris: ['http://127.0.0.1:8765/callback'],
  grantTypes: ['authorization_code', 'refresh_token'],
  scopes: [
    {
      effect: 'allow' as const,
      actions: [
        'me:All',
        'person:Read',
        'request:*',
        'team:Read',
        'webhook:*',
        'webhook-delivery:Read',
        'ui-extension:Read',
      ],
    },
  ],
} as const;

const subjects = [
  'Cannot connect to the printer on floor 3',
  'Laptop does not start after the update',
  'Please give me access to the finance share',
  'Wi-Fi drops every ten minutes in meeting room B',
  'New starter on Monday needs a desk and a phone',
  'The invoice export stops at 80 percent',
  'Password for the time sheet tool has expired',
  'Second screen stays dark',
  'How do I share a calendar with another team?',
  'Disk of the build server is almost full',
] as const;
const categories = [
  'incident',
  'incident',
  'rfc',
  'incident',
  'rfc',
  'incident',
  'rfi',
  'incident',
  'rfi',
  'incident',
] as const;
const statuses = ['assigned', 'accepted', 'in_progress', 'waiting_for', 'completed'] as const;
const impacts = ['low', 'medium', 'high'] as const;

export const requestCount = 50;

/** Demo request `index` (0 to 49). They were created five hours apart, the last one five hours before `now`. */
export function demoRequest(index: number, now: Date) {
  const kind = index % subjects.length;
  const round = Math.floor(index / subjects.length);
  return {
    source,
    sourceID: `request-${index + 1}`,
    subject: round === 0 ? (subjects[kind] as string) : `${subjects[kind] as string} (${round + 1})`,
    category: categories[kind] as string,
    impact: impacts[index % impacts.length] as string,
    status: statuses[index % statuses.length] as string,
    createdAt: new Date(now.getTime() - (requestCount - index) * 5 * 3_600_000),
  };
}

/** Version 1 is archived, version 2 is active, version 3 is being prepared. */
export const uiExtension = {
  source,
  sourceID: 'ui-extension-1',
  name: 'Laptop order',
  title: 'Laptop order',
  category: 'request_template',
  html: '<form><h1>Order a laptop</h1><label>Model <input name="model" placeholder="For example 14 inch"></label></form>',
  css: '.title { color: #1f4f99; }',
  javascript: '',
  activations: [
    {},
    {
      html: '<form><h1>Order a laptop</h1><label>Model <input name="model" placeholder="For example 14 inch"></label><p>Delivery takes a week.</p></form>',
    },
  ],
} as const;
