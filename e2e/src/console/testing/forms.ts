import type { Locator, Page } from 'playwright-core';
import { comes } from '../../oauth/testing/waits';
import type { Furniture } from './furnished-scene';
import type { Who } from './scene';
import { optionOf } from './steps';

/** A form of a screen. */
export interface FormOfScreen {
  readonly name: string;
  readonly who: Who;
  readonly path: (furniture: Furniture) => string;
  /** Opens the form, unless it is on the page already. */
  readonly open?: (page: Page) => Promise<void>;
  readonly fill: (page: Page) => Promise<void>;
  /** A filled text field. */
  readonly field: (page: Page) => Locator;
  readonly button: string;
  /** The button that sends it at once, of a form that waits so that it can be taken back. */
  readonly atOnce?: string;
  readonly wrong: Wrong;
}

/** An error that only the platform can find. */
export interface Wrong {
  readonly field: (page: Page) => Locator;
  readonly text: string;
  readonly message: string;
  /** The label of the collapsed section that contains it. */
  readonly under?: RegExp;
}

/** The text field with this label; optional ones have a note in it. */
const line =
  (label: string) =>
  (page: Page): Locator =>
    page.getByRole('textbox', { name: new RegExp(`^${label.replace('?', '\\?')}( optional)?$`) });
const typed = 'Typed by hand';
const name = line('Name');
const nameIt = (page: Page): Promise<void> => name(page).fill(typed);
const press =
  (button: string) =>
  async (page: Page): Promise<void> => {
    const opener = page.getByRole('button', { name: button, exact: true });
    await comes(opener);
    await opener.click();
  };

const wrongMails = {
  field: line('Recipients of failure mails'),
  text: 'nobody',
  message: 'Recipients of failure mails must be e-mail addresses separated by commas',
};
const wrongAudience = {
  field: line('Audience'),
  text: 'a'.repeat(256),
  message: 'Audience is too long (at most 255 characters)',
};
const wrongHomepage = {
  field: line('Homepage'),
  text: 'nowhere',
  message: 'Homepage is not a valid https address',
  under: /^More: description/,
};

export const forms: readonly FormOfScreen[] = [
  {
    name: 'ask',
    who: 'end_user',
    path: () => '',
    async fill(page) {
      await line('Subject')(page).fill(typed);
      await line('Details')(page).fill(typed);
    },
    field: line('Details'),
    button: 'Send',
    wrong: {
      field: line('Subject'),
      text: 'a'.repeat(256),
      message: 'Subject is too long (at most 255 characters)',
    },
  },
  {
    name: 'request-new',
    who: 'specialist',
    path: () => '/requests/new',
    async fill(page) {
      await line('Subject')(page).fill(typed);
      await line('Note')(page).fill(typed);
    },
    field: line('Note'),
    button: 'Create request',
    wrong: {
      field: line('Subject'),
      text: 'a'.repeat(256),
      message: 'Subject is too long (at most 255 characters)',
    },
  },
  {
    name: 'reply',
    who: 'specialist',
    path: () => '/requests/1',
    async open(page) {
      const opener = page.getByRole('button', { name: /^Reply/ });
      // With a draft it is open already.
      await comes(opener.or(line('Reply')(page)));
      if (await opener.isVisible()) await opener.click();
    },
    fill: (page) => line('Reply')(page).fill(typed),
    field: line('Reply'),
    button: 'Send to Grace Lin',
    atOnce: 'Send now',
    wrong: {
      field: line('Reply'),
      text: 'a'.repeat(65_536),
      message: 'Text is too long (at most 65535 characters)',
    },
  },
  {
    name: 'webhook-new',
    who: 'administrator',
    path: () => '/webhooks/new',
    async fill(page) {
      await page.getByRole('combobox', { name: 'Event' }).fill('problem.create');
      await optionOf(page, 'problem.create').click();
      await line('Address')(page).fill('https://receiver.example/hook');
    },
    field: line('Address'),
    button: 'Register',
    wrong: { ...wrongMails, under: /^More: name/ },
  },
  {
    name: 'webhook-edit',
    who: 'administrator',
    path: ({ webhooks }) => `/webhooks/${webhooks.kept}/edit`,
    fill: nameIt,
    field: name,
    button: 'Save',
    wrong: wrongMails,
  },
  {
    name: 'signing-new',
    who: 'administrator',
    path: () => '/signing/new',
    fill: nameIt,
    field: name,
    button: 'Create policy',
    wrong: wrongAudience,
  },
  {
    name: 'policy-edit',
    who: 'administrator',
    path: ({ policies }) => `/signing/${policies.spare}`,
    open: press('Edit'),
    fill: nameIt,
    field: name,
    button: 'Save',
    wrong: wrongAudience,
  },
  {
    name: 'application-new',
    who: 'administrator',
    path: () => '/applications/new',
    async fill(page) {
      await nameIt(page);
      await line('Redirect URIs')(page).fill('https://app.example/callback');
      await page.getByRole('button', { name: 'Read requests' }).click();
    },
    field: name,
    button: 'Create application',
    wrong: wrongHomepage,
  },
  {
    name: 'application-edit',
    who: 'administrator',
    path: ({ applications }) => `/applications/${applications.ready}/edit`,
    fill: nameIt,
    field: name,
    button: 'Save',
    wrong: wrongHomepage,
  },
  {
    name: 'client-token',
    who: 'administrator',
    path: ({ applications }) => `/applications/${applications.ready}`,
    open: press('Add a client token'),
    fill: nameIt,
    field: name,
    button: 'Add',
    wrong: { field: name, text: 'a'.repeat(81), message: 'Name is too long (at most 80 characters)' },
  },
];
