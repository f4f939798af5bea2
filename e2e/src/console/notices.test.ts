import { waitUntil } from '@itsm/shared/testing/wait-until';
import { withChromium } from '../oauth/testing/chromium';
import { auditPage } from '../oauth/testing/page-audit';
import { comes, goes } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene, Who } from './testing/scene';

interface Created {
  readonly requestCreate: { readonly request: { readonly id: string; readonly number: number } };
}
interface People {
  readonly people: { readonly nodes: readonly { readonly id: string; readonly name: string }[] };
}

withChromium('notices in the browser', () => {
  let scene: Scene;
  let people: readonly { readonly id: string; readonly name: string }[];
  beforeAll(async () => {
    scene = await startScene();
    const answer = await scene.administrator.graphql<People>('{ people(first: 50) { nodes { id name } } }', {});
    people = answer.people.nodes;
  });
  afterAll(() => scene.close());

  const idOf = (wanted: string): string => people.find(({ name }) => name === wanted)?.id ?? '';
  const ask = async (subject: string) => {
    const { requestCreate } = await scene.administrator.graphql<Created>(
      `mutation ($input: RequestCreateInput!) { requestCreate(input: $input) { request { id number } } }`,
      { input: { subject, teamId: '1', requestedById: idOf('Grace Lin'), requestedForId: idOf('Grace Lin') } },
    );
    return requestCreate.request;
  };
  const change = (input: object) =>
    scene.administrator.graphql(
      'mutation ($input: RequestUpdateInput!) { requestUpdate(input: $input) { errors { message } } }',
      { input },
    );

  interface Notified {
    readonly id: string;
    readonly kind: string;
    readonly count: number;
    readonly record: { readonly number: number };
  }
  /** A call of the API by a person. */
  async function call<T>(who: Who, query: string): Promise<T> {
    const { graphql_url, accounts } = scene.platform.demo;
    const answer = await fetch(graphql_url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${accounts.wdc[who].personal_access_token}`,
        'x-service-account': 'wdc',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query }),
    });
    return ((await answer.json()) as { readonly data: T }).data;
  }
  const noticesOf = async (who: Who, last: number): Promise<readonly Notified[]> =>
    (
      await call<{ readonly notices: { readonly nodes: readonly Notified[] } }>(
        who,
        `{ notices(last: ${last}) { nodes { id kind count record { number } } } }`,
      )
    ).notices.nodes;
  const notifiedOf = async (who: Who, number: number): Promise<readonly string[]> =>
    (await noticesOf(who, 50)).flatMap(({ kind, count, record }) =>
      record.number === number ? [`${kind} ${count}`] : [],
    );
  const isNotified = (who: Who, number: number, what: string) =>
    waitUntil(`${who} to be notified`, async () => (await notifiedOf(who, number)).includes(what));

  test('who gets a request sees it at the bell, opens it, and has read it; its requester is notified of the answer', async () => {
    const { id, number } = await ask('Wi-Fi drops in room B');
    const visit = await scene.enter('specialist', '');
    const { page } = visit;
    await comes(page.getByRole('banner').getByRole('link', { name: 'Notices', exact: true }));
    await change({ id, memberId: idOf('Howard Tanner'), status: 'assigned' });
    await isNotified('specialist', number, 'assigned 1');
    await page.reload();
    const bell = page.getByRole('banner').getByRole('link', { name: 'Notices, 1 unread' });
    await comes(bell);
    await bell.press('Enter');
    await comes(page.getByText(`Ellen Brown assigned it to you · Request ${number}`));
    await comes(page.getByText('(unread)'));
    await page.getByRole('link', { name: 'Wi-Fi drops in room B' }).press('Enter');
    await comes(page.getByRole('heading', { name: 'Wi-Fi drops in room B' }));
    await comes(page.getByRole('banner').getByRole('link', { name: 'Notices', exact: true }));

    await page.keyboard.press('r');
    await page.keyboard.type('Since when?');
    await page.keyboard.press('Control+Enter');
    await comes(page.getByRole('listitem').getByText('Since when?'));
    await visit.close();

    await isNotified('end_user', number, 'answered 1');
    const phone = await scene.enter('end_user', '/notices');
    await comes(phone.page.getByText(`Howard Tanner wrote a note · Request ${number}`));
    expect(await auditPage(phone.page, 'Notices', 'console-notices')).toEqual([]);
    await phone.page.setViewportSize({ width: 390, height: 800 });
    await phone.page.getByRole('button', { name: 'Mark all as read' }).click();
    await goes(phone.page.getByText('(unread)'));
    await goes(phone.page.getByRole('button', { name: 'Mark all as read' }));
    await phone.close();
  });

  test('more than a page of notices goes on behind Older, and what is unread there is read with the others', async () => {
    const asked = [];
    for (let count = 1; count <= 31; count += 1) asked.push(await ask(`Chair ${count}`));
    await isNotified('end_user', asked[30]?.number ?? 0, 'created 1');
    // Only the oldest is left unread.
    const newest = (await noticesOf('end_user', 30)).map(({ id }) => id);
    await call('end_user', `mutation { noticesRead(input: { ids: ${JSON.stringify(newest)} }) { unread } }`);
    const visit = await scene.enter('end_user', '/notices');
    const { page } = visit;
    await comes(page.getByRole('link', { name: 'Chair 31' }));
    await goes(page.getByText('(unread)'));
    await goes(page.getByRole('link', { name: 'Chair 1', exact: true }));
    await page.getByRole('button', { name: 'Older' }).click();
    await comes(page.getByRole('link', { name: 'Chair 1', exact: true }));
    await comes(page.getByText('(unread)'));
    await goes(page.getByRole('button', { name: 'Mark all as read' }));
    await page.getByRole('button', { name: 'Newest' }).click();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await comes(page.getByRole('banner').getByRole('link', { name: 'Notices', exact: true }));
    await page.getByRole('button', { name: 'Older' }).click();
    await comes(page.getByRole('link', { name: 'Chair 1', exact: true }));
    await goes(page.getByText('(unread)'));
    await visit.close();
  });

  test('who watches a request is notified of its changes, and who mutes it is not', async () => {
    const { id, number } = await ask('The beamer hums');
    const visit = await scene.enter('specialist', `/requests/${number}`);
    const { page } = visit;
    const menu = page.getByRole('button', { name: /notices of this request/ });
    await menu.click();
    await page.getByRole('menuitem', { name: /^Watch/ }).click();
    await comes(page.getByRole('button', { name: 'Watching, notices of this request: Watch' }));
    await change({ id, status: 'in_progress' });
    await isNotified('specialist', number, 'changed 1');
    await page.goto(new URL(`/accounts/wdc/notices`, page.url()).href);
    await comes(page.getByText(`Ellen Brown changed it · Request ${number}`));
    await page.getByRole('link', { name: 'The beamer hums' }).click();
    await menu.click();
    await page.getByRole('menuitem', { name: /^Mute/ }).click();
    await comes(page.getByText('Muted'));
    await change({ id, status: 'assigned', note: 'It hums again.' });
    const later = await ask('Another one');
    await change({ id: later.id, memberId: idOf('Howard Tanner') });
    await isNotified('specialist', later.number, 'assigned 1');
    expect(await notifiedOf('specialist', number)).toEqual(['changed 1']);
    await visit.close();
  });

  test('who watches a team is notified of what it gets and nobody has taken over', async () => {
    const visit = await scene.enter('specialist', '/teams/1');
    const { page } = visit;
    const menu = page.getByRole('button', { name: /notices of this team/ });
    await comes(menu);
    // It changes the size of the window, which closes menus.
    expect(await auditPage(page, 'Service Desk', 'console-team-watch')).toEqual([]);
    await menu.press('Enter');
    await comes(page.getByRole('menuitem', { name: /^Do not watch/ }));
    expect(await page.getByRole('menuitem').count()).toBe(2);
    await page.getByRole('menuitem', { name: /^Watch/ }).press('Enter');
    await comes(page.getByRole('button', { name: 'Watching, notices of this team: Watch' }));
    const { id, number } = await ask('The door is stuck');
    await isNotified('specialist', number, 'free 1');
    await page.goto(new URL(`/accounts/wdc/notices`, page.url()).href);
    await comes(page.getByText(`Ellen Brown gave it to a team that you watch · Request ${number}`));
    await page.goto(new URL(`/accounts/wdc/teams/1`, page.url()).href);
    await menu.press('Enter');
    await page.getByRole('menuitem', { name: /^Do not watch/ }).press('Enter');
    await comes(page.getByRole('button', { name: 'Watch, notices of this team: Do not watch' }));
    const later = await ask('The window is stuck');
    await change({ id: later.id, memberId: idOf('Howard Tanner') });
    await change({ id, status: 'completed', completionReason: 'solved' });
    await isNotified('specialist', later.number, 'assigned 1');
    expect(await notifiedOf('specialist', later.number)).toEqual(['assigned 1']);
    await visit.close();
    const requester = await scene.enter('end_user', '/teams/1');
    await comes(requester.page.getByRole('heading', { level: 1 }));
    await goes(requester.page.getByRole('button', { name: /notices of this team/ }));
    await requester.close();
  });

  test('people choose by keys which notices they get, and the choice stays', async () => {
    const visit = await scene.enter('specialist', '/notices');
    const { page } = visit;
    await page.getByRole('link', { name: 'Which notices you get' }).press('Enter');
    const answered = page.getByRole('checkbox', { name: 'At the bell: Somebody writes a note' });
    await comes(answered.and(page.locator(':checked')));
    await comes(page.getByText('This platform sends no mails'));
    await answered.press('Space');
    await comes(answered.and(page.locator(':enabled:not(:checked)')));
    await page.reload();
    await comes(answered.and(page.locator(':not(:checked)')));
    const { id, number } = await ask('The lamp flickers');
    await change({ id, memberId: idOf('Howard Tanner') });
    await change({ id, note: 'Since today.' });
    await change({ id, teamId: null, memberId: null });
    await change({ id, teamId: '1', memberId: idOf('Howard Tanner') });
    await isNotified('specialist', number, 'assigned 2');
    expect(await notifiedOf('specialist', number)).toEqual(['assigned 2']);
    await visit.close();
  });
});
