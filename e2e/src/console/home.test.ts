import type { Page } from 'playwright-core';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { withChromium } from '../oauth/testing/chromium';
import { comes, goes, isPut } from '../oauth/testing/waits';
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
    await line(page, 'Desk two').getByRole('link', { name: '3 open requests · 2 unassigned' }).click();
    await comes(page.getByRole('heading', { level: 2, name: '3 requests' }));
    await page.goBack();
    await line(page, 'Desk two').getByRole('link', { name: 'Desk two' }).click();
    await comes(page.getByRole('heading', { level: 1, name: /Desk two/ }));
    await visit.close();
  });

  test('of many teams the busiest are shown first, and all of them on request', async () => {
    const { people } = await scene.administrator.graphql<{
      readonly people: { readonly nodes: readonly { readonly id: string; readonly name: string }[] };
    }>('{ people(first: 50) { nodes { id name } } }', {});
    const member = people.nodes.find(({ name }) => name.startsWith('Howard'))?.id;
    const names = Array.from({ length: 120 }, (_, index) => `Team ${String(index + 1).padStart(3, '0')}`);
    let last = '';
    for (const name of names) {
      const { teamCreate } = await scene.administrator.graphql<{
        readonly teamCreate: { readonly team: { readonly id: string } };
      }>(teamOf, { name, member });
      last = teamCreate.team.id;
    }
    for (const subject of ['One', 'Two', 'Three', 'Four']) {
      await scene.administrator.graphql(requestOf, { subject, team: last, member: null });
    }
    const visit = await scene.enter('specialist');
    const { page } = visit;
    const teams = page.getByRole('region', { name: 'Your teams' });
    await teams.getByText(/^20 of 1\d\d teams$/).waitFor();
    // It is on the last page of the teams, but among those with the most open requests.
    await line(page, 'Team 120').getByText('4 open requests').waitFor();
    expect(await teams.getByRole('listitem').count()).toBe(20);
    await teams.getByRole('button', { name: 'Show all' }).click();
    await line(page, 'Team 001').waitFor();
    expect(
      await teams
        .getByRole('listitem')
        .filter({ hasText: /^Team \d{3}/ })
        .count(),
    ).toBe(120);
    await teams.getByRole('button', { name: 'Show fewer' }).click();
    expect(await teams.getByRole('listitem').count()).toBe(20);
    await visit.close();
  });

  test('of many requests ten are shown whose turn it is, what waits apart, and a link to all of them', async () => {
    const visit = await scene.enter('specialist');
    const { page } = visit;
    const requests = page.getByRole('region', { name: 'Assigned to you' });
    const all = requests.getByRole('link', { name: /^All \d+ requests assigned to you$/ });
    await comes(all);
    const rows = (name: string) => requests.getByRole('table', { name }).locator('tbody tr');
    expect(await rows('Assigned to you').count()).toBe(10);
    const total = Number(/\d+/.exec(await all.innerText())?.[0]);
    const summary = requests.getByText(/^\d+ waiting for others$/);
    const waiting = Number(/\d+/.exec(await summary.innerText())?.[0]);
    await comes(requests.getByText(`10 of ${total - waiting} that are your turn`, { exact: true }));
    await summary.click();
    expect(await rows('Waiting for others').count()).toBe(waiting);
    for (const row of await rows('Waiting for others').allInnerTexts()) expect(row).toContain('Waiting for');
    await all.press('Enter');
    await comes(page.getByRole('heading', { level: 2, name: `${total} requests` }));
    await comes(page.getByRole('link', { name: `Assigned to me ${total}` }).and(page.locator('[aria-current=page]')));
    expect(await page.locator('tbody tr').count()).toBe(total);
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  test('what is free is taken over at home, unless somebody was quicker; an answer makes it the turn again', async () => {
    const { teams } = await scene.administrator.graphql<{
      readonly teams: { readonly nodes: readonly { readonly id: string; readonly name: string }[] };
    }>('{ teams(first: 10) { nodes { id name } } }', {});
    const team = teams.nodes.find(({ name }) => name === 'Service Desk')?.id;
    for (const subject of ['A lamp flickers', 'A door squeaks'])
      await scene.administrator.graphql(requestOf, { subject, team, member: null });
    const visit = await scene.enter('specialist');
    const { page } = visit;
    const region = (name: string) => page.getByRole('region', { name });
    const row = (name: string, subject: string) => region(name).locator('tbody tr').filter({ hasText: subject });
    await row('Free in your teams', 'A door squeaks')
      .getByRole('button', { name: /^Take over/ })
      .click();
    await comes(page.getByText('A door squeaks is yours now.'));
    await goes(row('Free in your teams', 'A door squeaks'));

    const newest: unknown = await scene.administrator.get('/v1/requests?sort=-created_at&fields=id,status,member');
    const [door] = newest as readonly {
      readonly id: number;
      readonly status: string;
      readonly member: { readonly name: string };
    }[];
    expect([door?.status, door?.member.name]).toEqual(['accepted', 'Howard Tanner']);

    const lamp = row('Free in your teams', 'A lamp flickers');
    const id = Number(door?.id) - 1;
    await scene.administrator.patch(`/v1/requests/${id}`, { impact: 'high' });
    await lamp.getByRole('link').focus();
    await page.keyboard.press('a');
    await comes(page.getByText(/^Not taken over: /));
    await comes(lamp);

    await scene.administrator.patch(`/v1/requests/${door?.id}`, {
      status: 'waiting_for_customer',
      priority: 'top',
    });
    await scene.administrator.post(`/v1/requests/${door?.id}/notes`, { text: 'It squeaks at night alone.' });
    const told = region('New for you').getByRole('listitem').filter({ hasText: 'A door squeaks' });
    await waitUntil('the notice', async () => {
      await page.reload();
      await comes(row('Assigned to you', 'A door squeaks'));
      return (await told.count()) === 1;
    });
    await comes(row('Assigned to you', 'A door squeaks').getByText('New ·'));
    await told.getByRole('link').click();
    await comes(page.getByRole('heading', { level: 1, name: 'A door squeaks' }));
    expect(visit.complaints).toEqual([]);
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

  test('after the last request of a rate limit window, the next one waits for the next window', async () => {
    const visit = await scene.enter('administrator');
    const { page } = visit;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    // The browser's clock is the test's, so that no window ends by itself however slow the machine is.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => {
      const { dataset } = document.documentElement;
      const start = window.setTimeout;
      const record = (...[work, milliseconds]: Parameters<typeof start>) => {
        dataset['waits'] = `${dataset['waits'] ?? ''} ${milliseconds}`;
        return start(work, milliseconds);
      };
      window.setTimeout = record as typeof start;
    });
    const answeredAt = Date.parse('2026-03-18T19:04:06Z');
    await page.route('**/console/graphql', async (route) => {
      const response = await route.fetch();
      const headers = {
        date: new Date(answeredAt).toUTCString(),
        'x-ratelimit-limit': '20',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(answeredAt / 1_000 + 2),
      };
      await route.fulfill({ response, headers: Object.assign(response.headers(), headers) });
    });
    const screens = page.getByRole('navigation', { name: 'Console' });
    const first = page.waitForResponse('**/console/graphql');
    await screens.getByRole('link', { name: 'Webhooks' }).click();
    await first;
    await page.unroute('**/console/graphql');
    let sent = 0;
    page.on('request', (request) => void (sent += Number(request.url().endsWith('/console/graphql'))));
    await screens.getByRole('link', { name: 'Deliveries' }).click();
    await isPut(page.locator('html[data-waits~="2000"]'));
    await page.clock.runFor(1_999);
    expect(sent).toBe(0);
    const next = page.waitForRequest('**/console/graphql');
    await page.clock.runFor(1);
    await next;
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });
});
