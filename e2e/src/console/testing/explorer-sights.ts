import type { Page } from 'playwright-core';
import { comes } from '../../oauth/testing/waits';
import type { Sight } from './sights';

const asking = (query: string) => (): string => `/explorer#query=${encodeURIComponent(query)}`;
const run = async (page: Page): Promise<void> => {
  await comes(page.getByRole('region', { name: 'Price' }).getByText('nodes'));
  await page.getByRole('button', { name: /^Run/ }).click();
};
const tab =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole('tab', { name }).click();

export const explorerSights: readonly Sight[] = [
  {
    name: 'explorer-answer',
    path: asking('{ requests(first: 20) { totalCount nodes { id subject status } } }'),
    act: run,
    shows: ', as estimated',
  },
  {
    name: 'explorer-not-allowed',
    who: 'end_user',
    path: asking('{ webhooks(first: 5) { nodes { name } } }'),
    act: run,
    shows: '1 error',
  },
  {
    name: 'explorer-dear',
    path: asking(
      '{ workflows(first: 100) { nodes { requests(first: 100) { nodes { notes(first: 100) { totalCount } } } } } }',
    ),
    shows: 'A call may ask for at most 500,000 nodes',
  },
  {
    name: 'explorer-no-page-size',
    path: asking('{ requests { totalCount } }'),
    shows: 'Every connection needs a page size',
  },
  {
    name: 'explorer-unknown-field',
    path: asking('{ requests(first: 5) { nodes { title } } }'),
    shows: 'This is not in the schema',
  },
  {
    name: 'explorer-empty',
    path: asking(' '),
    async act(page) {
      await page.getByRole('textbox', { name: 'Query' }).fill('');
    },
    shows: 'Nothing to run yet.',
  },
  {
    name: 'explorer-mutation',
    path: asking('mutation { requestCreate(input: { subject: "Tea" }) { errors { message } } }'),
    act: run,
    shows: 'Run a mutation in wdc?',
  },
  { name: 'explorer-docs', path: () => '/explorer', act: tab('Docs'), shows: /Query/ },
  { name: 'explorer-examples', path: () => '/explorer', act: tab('Examples'), shows: /./ },
  { name: 'explorer-history', path: () => '/explorer', act: tab('History'), shows: /./ },
  {
    name: 'explorer-headers',
    path: () => '/explorer',
    act: (page) => page.getByText('Headers and token').click(),
    shows: 'Token instead of your session',
  },
];
