import type { Page } from 'playwright-core';
import { withChromium } from '../oauth/testing/chromium';
import { comes } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';

const teamOf = `mutation ($name: String!, $member: ID!) {
  teamCreate(input: { name: $name, memberIds: [$member] }) { team { id } errors { message } } }`;
const requestOf = `mutation ($subject: String!, $team: ID!, $member: ID) {
  requestCreate(input: { subject: $subject, teamId: $team, memberId: $member }) { errors { message } } }`;

withChromium('the home of the desk, and the look of the console', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());

  const line = (page: Page, team: string) =>
    page.getByRole('region', { name: 'Your teams' }).getByRole('listitem').filter({ hasText: team });

  test('a specialist sees the open requests of each of their teams, and how many are unassigned', async () => {
    const visit = await scene.enter('specialist');
    const { page } = visit;
    const { people } = await scene.administrator.graphql<{
      readonly people: { readonly nodes: readonly { readonly id: string; readonly name: string }[] };
    }>('{ people(first: 50) { nodes { id name } } }', {});
    const member = people.nodes.find(({ name }) => name.startsWith('Howard'))?.id;
    const make = async (name: string): Promise<string> => {
      const { teamCreate } = await scene.administrator.graphql<{
        readonly teamCreate: { readonly team: { readonly id: string } };
      }>(teamOf, { name, member });
      return teamCreate.team.id;
    };
    const [desk, network] = [await make('Desk two'), await make('Network')];
    for (const owner of [null, null, member]) {
      await scene.administrator.graphql(requestOf, { subject: 'A request', team: desk, member: owner });
    }
    await page.reload();
    await comes(line(page, 'Desk two').getByText('3 open requests · 2 unassigned'));
    await comes(line(page, 'Network').getByText('no open requests'));
    expect(network).not.toBe(desk);
    await line(page, 'Desk two').getByRole('link').click();
    await comes(page.getByRole('heading', { level: 1, name: /Desk two/ }));
    await visit.close();
  });

  test('compact rows are remembered by the browser, and applied before the first paint', async () => {
    const visit = await scene.enter('specialist');
    const { page } = visit;
    const rowHeight = async () => (await line(page, '').first().boundingBox())?.height ?? 0;
    await comes(line(page, '').first());
    const before = await rowHeight();
    await page.getByRole('button', { name: /^Howard/ }).click();
    await page.getByRole('menuitem', { name: /Compact rows/ }).click();
    expect(await rowHeight()).toBeLessThan(before);
    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => {
        document.documentElement.dataset['seen'] = document.documentElement.dataset['density'] ?? 'none';
      });
    });
    await page.reload();
    await comes(line(page, '').first());
    expect(await page.evaluate(() => document.documentElement.dataset['seen'])).toBe('compact');
    expect(await rowHeight()).toBeLessThan(before);
    await page.getByRole('button', { name: /^Howard/ }).click();
    await page.getByRole('menuitem', { name: /Comfortable rows/ }).click();
    expect(await rowHeight()).toBe(before);
    await visit.close();
  });
});
