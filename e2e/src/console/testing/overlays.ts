import type { Locator, Page } from 'playwright-core';
import { comes } from '../../oauth/testing/waits';
import type { Sight } from './sights';

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
/** Waits until a live announcement is over; the rules would still check it after its button is gone. */
export const announced = 8_000;
/** Opens the button's menu, and chooses the item with this name. */
const choose = async (page: Page, menu: string, item: string): Promise<void> => {
  await button(page, menu).click();
  await page.getByRole('menuitem', { name: item }).click();
};

/** The menus and dialogs of the frame and of each screen. */
export const overlays: readonly Sight[] = [
  {
    name: 'menu-account',
    path: () => '',
    act: (page) => button(page, 'Account Widget Data Center').click(),
    shows: 'wdc · current',
  },
  {
    name: 'menu-person',
    path: () => '',
    act: (page) => page.getByRole('button', { name: /^Ellen Brown, / }).click(),
    shows: 'System theme',
  },
  {
    name: 'navigation',
    path: () => '/webhooks',
    async act(page) {
      await page.setViewportSize({ width: 320, height: 900 });
      await button(page, 'Open navigation').click();
    },
    shows: 'Profile and tokens',
    looks: [
      { colorScheme: 'dark', width: 320 },
      { colorScheme: 'light', width: 320 },
      { colorScheme: 'dark', width: 320, areForced: true },
    ],
  },
  {
    name: 'dialog-jump',
    path: () => '',
    async act(page) {
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByPlaceholder('Screen, record number').fill('coffee');
    },
    shows: /^request \d+/,
  },
  {
    name: 'dialog-keys',
    path: () => '',
    act: (page) => button(page, 'Shortcuts and help').click(),
    shows: 'Single-key shortcuts',
  },
  {
    name: 'list-columns',
    path: () => '/requests?cols=status,member',
    act: (page) => button(page, 'Columns').click(),
    shows: 'Requested for',
  },
  {
    name: 'record-menu',
    path: ({ request }) => `/requests/${request}`,
    act: (page) => button(page, 'More for this request').click(),
    shows: 'Move to trash',
  },
  {
    name: 'record-statuses',
    who: 'specialist',
    path: () => '/requests/1',
    act: (page) => page.locator('#field-status').getByRole('button').click(),
    shows: 'Waiting for requester',
  },
  {
    name: 'record-members',
    who: 'specialist',
    path: () => '/requests/1',
    act: (page) => button(page, 'Change Member').click(),
    shows: 'grace.lin@wdc.example',
    exceptions: ['aria-hidden-focus', 'page-has-heading-one', 'region'],
  },
  {
    name: 'record-mentions',
    who: 'specialist',
    path: () => '/requests/1',
    async act(page) {
      await comes(page.getByRole('button', { name: /^Reply/ }));
      await page.keyboard.press('i');
      await page.keyboard.type('@');
    },
    shows: 'ellen.brown@wdc.example',
  },
  {
    name: 'record-alike',
    who: 'specialist',
    path: () => '/requests/new',
    async act(page) {
      await page.getByRole('textbox', { name: 'Subject' }).fill('The coffee machine is broken');
    },
    shows: /Is it one of these/,
  },
  {
    name: 'webhooks-menu',
    path: () => '/webhooks',
    act: (page) => button(page, 'Actions for Archive').click(),
    shows: 'Why was an event not delivered?',
  },
  {
    name: 'webhooks-selected',
    path: () => '/webhooks',
    async act(page) {
      await page.getByRole('checkbox', { name: 'Select Chat room' }).check();
      await page.getByRole('checkbox', { name: 'Select Archive' }).check();
    },
    shows: '2 of 5 selected',
  },
  {
    name: 'webhooks-dialog-disable',
    path: () => '/webhooks',
    async act(page) {
      await page.getByRole('checkbox', { name: 'Select Chat room' }).check();
      await button(page, 'Disable 1').click();
    },
    shows: 'Disable Chat room?',
  },
  {
    name: 'webhooks-states',
    path: () => '/webhooks',
    act: (page) => button(page, 'All states State').click(),
    shows: 'Active, not failing',
  },
  {
    name: 'webhooks-events',
    path: () => '/webhooks',
    act: (page) => page.getByRole('combobox', { name: 'Event' }).fill('problem'),
    shows: 'problem.create',
    // While its list is open, everything but the field and the list is hidden from screen readers; the focus cannot
    // leave them.
    exceptions: ['aria-hidden-focus', 'page-has-heading-one', 'region'],
  },
  {
    name: 'webhook-menu',
    path: ({ webhooks }) => `/webhooks/${webhooks.failing}`,
    act: (page) => button(page, 'More actions').click(),
    shows: 'Recover missed events',
  },
  {
    name: 'webhook-dialog-delete',
    path: ({ webhooks }) => `/webhooks/${webhooks.failing}`,
    act: (page) => choose(page, 'More actions', 'Delete'),
    shows: 'Delete Data warehouse?',
  },
  {
    name: 'deliveries-selected',
    path: () => '/deliveries',
    act: (page) =>
      page
        .getByRole('checkbox', { name: /Select request.create/ })
        .first()
        .check(),
    shows: /1 .*selected/,
  },
  {
    name: 'deliveries-webhooks',
    path: () => '/deliveries',
    act: (page) => button(page, 'All webhooks Webhook').click(),
    shows: 'Change calendar',
  },
  {
    name: 'policy-menu',
    path: ({ policies }) => `/signing/${policies.used}`,
    act: (page) => button(page, 'Actions for orders-es256').click(),
    shows: 'Disable…',
  },
  {
    name: 'policy-dialog-edit',
    path: ({ policies }) => `/signing/${policies.used}`,
    act: (page) => button(page, 'Edit').click(),
    shows: 'Edit orders-es256',
  },
  {
    name: 'policy-dialog-rotate',
    path: ({ policies }) => `/signing/${policies.used}`,
    act: (page) => button(page, 'Rotate key').click(),
    shows: 'Rotate the key of orders-es256?',
  },
  {
    name: 'policy-dialog-disable',
    path: ({ policies }) => `/signing/${policies.used}`,
    act: (page) => choose(page, 'Actions for orders-es256', 'Disable…'),
    shows: 'Disable orders-es256?',
  },
  {
    name: 'policy-dialog-in-use',
    path: ({ policies }) => `/signing/${policies.used}`,
    act: (page) => choose(page, 'Actions for orders-es256', 'Delete…'),
    shows: 'cannot be deleted yet',
  },
  {
    name: 'policy-dialog-delete',
    path: ({ policies }) => `/signing/${policies.spare}`,
    act: (page) => choose(page, 'Actions for spare', 'Delete…'),
    shows: 'Delete spare?',
  },
  {
    name: 'application-menu',
    path: () => '/applications/1',
    act: (page) => button(page, 'Actions for Demo application').click(),
    shows: 'Disable…',
  },
  {
    name: 'application-dialog-disable',
    path: () => '/applications/1',
    act: (page) => choose(page, 'Actions for Demo application', 'Disable…'),
    shows: 'Disable Demo application?',
  },
  {
    name: 'application-dialog-delete',
    path: () => '/applications/1',
    act: (page) => choose(page, 'Actions for Demo application', 'Delete…'),
    shows: 'Delete Demo application?',
  },
  {
    name: 'application-dialog-token',
    path: () => '/applications/1',
    act: (page) => button(page, 'Add a client token').click(),
    shows: 'To rotate the secret without downtime',
  },
  {
    name: 'application-dialog-end-token',
    path: () => '/applications/1',
    async act(page) {
      await page
        .getByRole('table')
        .getByRole('button', { name: /^Actions for/ })
        .click();
      await page.getByRole('menuitem', { name: 'Disable…' }).click();
    },
    shows: 'Tokens issued with it stop working at once',
  },
  {
    name: 'explorer-menu',
    path: () => '/explorer',
    act: (page) => button(page, 'Copy as').click(),
    shows: 'opens this query here',
  },
  // These create data, so they come last.
  {
    name: 'policy-new-key',
    path: ({ policies }) => `/signing/${policies.spare}`,
    prepare: (page) => page.clock.install(),
    async act(page) {
      await button(page, 'Rotate key').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
      await comes(page.getByText('It is shown once'));
      await page.clock.fastForward(announced);
    },
    shows: 'It is shown once',
  },
  {
    name: 'application-new-token',
    path: ({ applications }) => `/applications/${applications.ready}`,
    prepare: (page) => page.clock.install(),
    async act(page) {
      await button(page, 'Add a client token').click();
      await page.getByLabel('Name').fill('The server in the cellar');
      await button(page, 'Add').click();
      await comes(page.getByText('It is shown once'));
      await page.clock.fastForward(announced);
    },
    shows: 'It is shown once',
  },
];
