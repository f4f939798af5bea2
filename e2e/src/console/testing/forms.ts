import type { Locator, Page } from 'playwright-core';
import type { Furniture } from './furnished-scene';
import type { Who } from './scene';
import { optionOf } from './steps';

/** Something to be filled in and sent. */
export interface FormOfScreen {
  readonly name: string;
  readonly who: Who;
  readonly path: (furniture: Furniture) => string;
  /** Opens it, where it does not stand there. */
  readonly open?: (page: Page) => Promise<void>;
  readonly fill: (page: Page) => Promise<void>;
  /** A field that was filled. */
  readonly field: (page: Page) => Locator;
  readonly button: string;
}

const labelled =
  (label: string) =>
  (page: Page): Locator =>
    page.getByLabel(label, { exact: true });
const typed = 'Typed by hand';
const name = (page: Page): Locator => page.getByLabel(/^Name( optional)?$/);
const nameIt = (page: Page): Promise<void> => name(page).fill(typed);
const press =
  (button: string) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name: button, exact: true }).click();

export const forms: readonly FormOfScreen[] = [
  {
    name: 'ask',
    who: 'end_user',
    path: () => '',
    fill: (page) => labelled('Subject')(page).fill(typed),
    field: labelled('Subject'),
    button: 'Ask',
  },
  {
    name: 'webhook-new',
    who: 'administrator',
    path: () => '/webhooks/new',
    async fill(page) {
      await page.getByRole('combobox', { name: 'Event' }).fill('problem.create');
      await optionOf(page, 'problem.create').click();
      await labelled('Address')(page).fill('https://receiver.example/hook');
    },
    field: labelled('Address'),
    button: 'Register',
  },
  {
    name: 'webhook-edit',
    who: 'administrator',
    path: ({ webhooks }) => `/webhooks/${webhooks.kept}/edit`,
    fill: nameIt,
    field: name,
    button: 'Save',
  },
  {
    name: 'signing-new',
    who: 'administrator',
    path: () => '/signing/new',
    fill: nameIt,
    field: name,
    button: 'Create policy',
  },
  {
    name: 'policy-edit',
    who: 'administrator',
    path: ({ policies }) => `/signing/${policies.spare}`,
    open: press('Edit'),
    fill: nameIt,
    field: name,
    button: 'Save',
  },
  {
    name: 'application-new',
    who: 'administrator',
    path: () => '/applications/new',
    async fill(page) {
      await nameIt(page);
      await labelled('Redirect addresses')(page).fill('https://app.example/callback');
      await page.getByRole('button', { name: 'Reads requests' }).click();
    },
    field: name,
    button: 'Create application',
  },
  {
    name: 'application-edit',
    who: 'administrator',
    path: ({ applications }) => `/applications/${applications.ready}/edit`,
    fill: nameIt,
    field: name,
    button: 'Save',
  },
  {
    name: 'client-token',
    who: 'administrator',
    path: ({ applications }) => `/applications/${applications.ready}`,
    open: press('Add a client token'),
    fill: nameIt,
    field: name,
    button: 'Add',
  },
];
