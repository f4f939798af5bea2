import type { Page } from 'playwright-core';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { isFirefox, withChromium } from '../oauth/testing/chromium';
import { comes, goes } from '../oauth/testing/waits';
import { requestsOf } from './testing/requests';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';

withChromium('the desk in the browser', () => {
  let scene: Scene;
  let requests: Awaited<ReturnType<typeof requestsOf>>;
  beforeAll(async () => {
    scene = await startScene();
    requests = await requestsOf(scene);
  });
  afterAll(() => scene.close());

  const ask = (subject: string): Promise<number> => requests.ask(subject, 'It happens after lunch.');
  const read = (number: number) => requests.read(number);
  const fieldOf = (page: Page, name: string) => page.locator(`#field-${name}`);
  /** Sends a note by its keys. While its editor is there, letters are text. */
  const write = async (page: Page, text: string): Promise<void> => {
    await page.keyboard.type(text);
    await page.keyboard.press('Control+Enter');
    await goes(page.getByRole('textbox', { name: /^(Reply|Internal note)$/ }));
  };
  const choose = async (page: Page, status: string): Promise<void> => {
    await page.keyboard.press('s');
    await page.getByRole('option', { name: status, exact: true }).click();
  };

  test('a specialist takes over a request, replies, notes and changes its status by keys; the end user sees the reply alone', async () => {
    const number = await ask('Wi-Fi drops in room B');
    const visit = await scene.enter('specialist', `/requests/${number}`);
    const { page } = visit;
    await comes(page.getByRole('button', { name: 'Take over' }));
    await page.keyboard.press('a');
    await comes(fieldOf(page, 'member').getByRole('link', { name: 'Howard Tanner' }));
    await goes(page.getByRole('button', { name: 'Take over' }));
    expect(await read(number)).toMatchObject({ status: 'accepted', member: { name: 'Howard Tanner' } });
    await comes(page.getByText('Howard Tanner took it over'));

    await page.keyboard.press('r');
    await comes(page.getByText('Public: Grace Lin will see it'));
    await write(page, 'Does it happen on all floors?');
    await comes(page.getByRole('listitem').getByText('Does it happen on all floors?'));
    await page.keyboard.press('i');
    await comes(page.getByText('Internal: only colleagues see it'));
    await write(page, 'Canary: old firmware.');
    await comes(page.getByRole('listitem').filter({ hasText: 'Internal: only colleagues see it' }));
    await choose(page, 'Waiting for requester');
    await comes(page.getByText('Status: Waiting for requester'));
    expect(await read(number)).toMatchObject({ status: 'waiting_for_customer' });
    expect(visit.complaints).toEqual([]);
    await visit.close();

    const theirs = await scene.enter('end_user');
    const answers: Promise<string>[] = [];
    theirs.page.on('response', (response) => answers.push(response.text().catch(() => '')));
    await theirs.page.goto(`${scene.platform.origin}/accounts/wdc/requests/${number}`);
    await comes(theirs.page.getByText('Does it happen on all floors?'));
    await comes(theirs.page.getByRole('button', { name: 'Reply', exact: true }));
    await theirs.page.waitForLoadState('networkidle');
    expect(await theirs.page.getByRole('button', { name: /Internal note|Take over|Change|More for/ }).count()).toBe(0);
    expect((await Promise.all(answers)).filter((text) => text.includes('Canary'))).toEqual([]);
    await theirs.page.keyboard.press('i');
    await theirs.page.keyboard.press('r');
    await write(theirs.page, 'Only on this one.');
    await comes(theirs.page.getByRole('listitem').getByText('Only on this one.'));
    await theirs.close();
  });

  test('notes and changes are one history, which goes on where its first page ends', async () => {
    const number = await ask('The projector flickers');
    const items = Array.from({ length: 60 }, (_, index) => ({ id: String(number), note: `Seen ${index + 1} times.` }));
    await scene.administrator.graphql(
      'mutation ($items: [RequestUpdateInput!]!) { requestBulkUpdate(input: { items: $items }) { errors { message } } }',
      { items },
    );
    await waitUntil('the last note', async () => {
      const notes: unknown = await scene.administrator.get(`/v1/requests/${number}/notes?sort=-id&per_page=1`);
      return JSON.stringify(notes).includes('Seen 60 times.');
    });
    const { page } = await scene.enter('specialist', `/requests/${number}`);
    await comes(page.getByText('Seen 60 times.'));
    expect(await page.getByText('Seen 1 times.').count()).toBe(0);
    // It was made before the oldest note that is shown.
    expect(await page.getByText('created it').count()).toBe(0);
    await page.getByRole('button', { name: 'Show older' }).click();
    await comes(page.getByText('Seen 1 times.'));
    await comes(page.getByText('created it'));
    await goes(page.getByRole('button', { name: 'Show older' }));
    await page.getByRole('tab', { name: 'Changes' }).click();
    await goes(page.getByText('Seen 60 times.'));
    await comes(page.getByText('created it'));
  });

  test('of two editors, the second is asked when it is the same field, and not when it is another', async () => {
    const number = await ask('The lift is slow');
    const { page } = await scene.enter('specialist', `/requests/${number}`);
    await comes(page.getByRole('button', { name: 'Take over' }));
    await scene.administrator.patch(`/v1/requests/${number}`, { priority: 'high' });
    await choose(page, 'In progress');
    await comes(page.getByText('Status: In progress'));
    await comes(fieldOf(page, 'priority').getByRole('button', { name: 'High Priority' }));
    expect(await read(number)).toMatchObject({ status: 'in_progress', priority: 'high' });

    await scene.administrator.patch(`/v1/requests/${number}`, { status: 'waiting_for' });
    await choose(page, 'Completed');
    await comes(fieldOf(page, 'status').getByRole('button', { name: /Completion reason$/ }));
    await page.keyboard.press('Enter');
    await comes(page.getByText(/^Not saved: somebody has changed Status to “Waiting for others” since you looked/));
    expect(await read(number)).toMatchObject({ status: 'waiting_for' });
    await page.getByRole('button', { name: 'Use mine' }).click();
    await comes(page.getByText('Status: Completed'));
    expect(await read(number)).toMatchObject({ status: 'completed' });

    // The undo is refused, too, when somebody has changed the field since.
    await scene.administrator.patch(`/v1/requests/${number}`, { status: 'declined' });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await comes(page.getByText('Not undone: somebody has changed Status since.'));
    expect(await read(number)).toMatchObject({ status: 'declined' });
  });

  test('a refusal is at its field, a draft outlives a reload, and a reply whose answer was lost is added once', async () => {
    const number = await ask('The door is stuck');
    const { page } = await scene.enter('specialist', `/requests/${number}`);
    await page.getByRole('button', { name: 'Change Subject' }).click();
    await page.getByRole('textbox', { name: 'Subject' }).fill('a'.repeat(256));
    await page.keyboard.press('Enter');
    await comes(fieldOf(page, 'subject').getByText('Not saved: Subject is too long (at most 255 characters)'));
    await page.getByRole('button', { name: 'Dismiss' }).click();
    expect(await read(number)).toMatchObject({ subject: 'The door is stuck' });

    await page.keyboard.press('r');
    await page.getByRole('textbox', { name: 'Reply' }).fill('Somebody comes at noon.');
    await page.reload();
    await comes(page.getByRole('textbox', { name: 'Reply' }));
    expect(await page.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe('Somebody comes at noon.');
    let lost = 0;
    await page.route('**/notes', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    const send = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Send to Grace Lin' }).click();
      await page.getByRole('button', { name: 'Send now' }).click();
    };
    await send();
    await comes(page.getByRole('alert').getByText(/The platform is unreachable. Your input is kept./));
    await send();
    await comes(page.getByRole('listitem').getByText('Somebody comes at noon.'));
    const notes = (await scene.administrator.get(`/v1/requests/${number}/notes`)) as unknown as readonly unknown[];
    expect([notes.length, lost]).toEqual([2, 1]);
  });

  test('a reply can be taken back, brings a status unless somebody else has changed it, and is sent when its page is left', async () => {
    const number = await ask('The lamp hums');
    const visit = await scene.enter('specialist', `/requests/${number}`);
    const { page } = visit;
    const texts = async (): Promise<readonly string[]> => {
      const notes = await scene.administrator.get(`/v1/requests/${number}/notes`);
      return (notes as unknown as readonly { readonly text: string }[]).map(({ text }) => text).sort();
    };
    // A reply waits for as long as the test wants it to.
    await page.clock.install();
    await page.reload();
    const text = page.getByRole('textbox', { name: 'Reply' });
    const write = async (reply: string): Promise<void> => {
      await page.keyboard.press('r');
      await comes(text);
      await text.fill(reply);
      await page.keyboard.press('Control+Enter');
      await comes(page.getByRole('status').getByText('Goes to Grace Lin in a few seconds'));
    };
    await comes(page.getByRole('button', { name: /^Reply to Grace Lin/ }));
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await write('Has it always hummed?');
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await text.inputValue()).toBe('Has it always hummed?');
    expect(await texts()).toEqual(['It happens after lunch.']);

    await page.getByRole('button', { name: /Then$/ }).click();
    await page.getByRole('option', { name: 'Waiting for requester' }).click();
    await scene.administrator.patch(`/v1/requests/${number}`, { status: 'declined' });
    await page.getByRole('button', { name: 'Send to Grace Lin' }).click();
    await page.getByRole('button', { name: 'Send now' }).click();
    await comes(page.getByRole('alert').getByText('Somebody else has changed the status since. Look again.'));
    expect(await text.inputValue()).toBe('Has it always hummed?');
    expect(await texts()).toEqual(['It happens after lunch.']);
    // The page shows the status that somebody else has given it; the other one is still chosen.
    await page.clock.runFor(1_000);
    await comes(page.getByText('Declined', { exact: true }).first());
    await page.getByRole('button', { name: 'Send to Grace Lin' }).click();
    await comes(page.getByRole('button', { name: 'Send now' }));
    await page.clock.runFor(5_999);
    expect(await texts()).toEqual(['It happens after lunch.']);
    await page.clock.runFor(1);
    await goes(page.getByRole('button', { name: 'Send now' }));
    expect(await read(number)).toMatchObject({ status: 'waiting_for_customer' });
    expect(await texts()).toEqual(['Has it always hummed?', 'It happens after lunch.']);

    // Its time never comes, so leaving it is what sends it.
    await write('One more thing.');
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Requests' }).click();
    await waitUntil('the reply of a page that is left', async () => (await texts()).includes('One more thing.'));
    await page.clock.resume();
    await page.goBack();
    await comes(page.getByRole('button', { name: /^Reply to Grace Lin/ }));
    await write('Somebody comes.');
    await page.goto('about:blank');
    await waitUntil('the reply of a tab that goes away', async () => (await texts()).includes('Somebody comes.'));
    // Firefox writes nothing of a refused call into its console.
    expect(visit.complaints).toEqual(isFirefox ? [] : [expect.stringContaining('412 (Precondition Failed)')]);
    await visit.close();
  });

  test('an end user sees where a request is, and opens it again on a phone when it is not solved', async () => {
    const number = await ask('No sound in room C');
    await scene.administrator.patch(`/v1/requests/${number}`, { status: 'accepted', member_id: 2 });
    const { page, complaints } = await scene.enter('end_user', `/requests/${number}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await comes(page.getByText('In work. Howard Tanner has it.'));
    await comes(page.getByRole('button', { name: 'Withdraw' }));
    for (const hidden of ['GraphQL ID', 'Category', 'History', 'Source'])
      expect([hidden, await page.getByText(hidden, { exact: true }).count()]).toEqual([hidden, 0]);

    await scene.administrator.patch(`/v1/requests/${number}`, { status: 'completed', completion_reason: 'workaround' });
    await page.reload();
    await comes(page.getByText(/^Done\. You can say/));
    await comes(page.getByText('Workaround'));
    await page.getByRole('button', { name: 'Dissatisfied' }).click();
    await page.getByRole('button', { name: 'Dissatisfied' }).click();
    await comes(page.getByText('Say why first.').first());
    await page.getByRole('textbox', { name: 'Why?' }).fill('Still no sound.');
    await page.getByRole('checkbox', { name: 'Open it again' }).check();
    await page.keyboard.press('Control+Enter');
    await comes(page.getByText('Thank you for saying so.'));
    await comes(page.getByText(/^Received\./));
    await comes(page.getByRole('listitem').getByText('Still no sound.'));
    expect(await read(number)).toMatchObject({ status: 'assigned', satisfaction: 'dissatisfied' });
    expect(complaints).toEqual([]);
  });

  test('a new request is refused at its field, and then placed by search', async () => {
    const { page } = await scene.enter('specialist');
    await comes(page.getByRole('link', { name: 'New request' }));
    await page.keyboard.press('n');
    await comes(page.getByRole('heading', { level: 1, name: 'New request' }));
    await page.getByRole('button', { name: 'Create request' }).click();
    await comes(page.getByRole('alert').getByRole('link', { name: 'Subject is required' }));
    await page.getByRole('textbox', { name: 'Subject' }).fill('The projector shows nothing');
    await page.getByRole('combobox', { name: /^Requested for/ }).fill('Grace');
    await page.getByRole('option', { name: /^Grace Lin/ }).click();
    await page.getByRole('combobox', { name: /^Team/ }).fill('Network');
    await page.getByRole('option', { name: /^Network Operations/ }).click();
    await page.getByRole('button', { name: 'Create request' }).click();
    await comes(page.getByRole('heading', { level: 1, name: 'The projector shows nothing' }));
    expect(await read(Number(page.url().split('/').at(-1)))).toMatchObject({
      requested_for: { name: 'Grace Lin' },
      team: { name: 'Network Operations' },
      status: 'assigned',
    });
  });

  test('an administrator moves a request to the trash, sees until when it is there, and undoes it', async () => {
    const number = await ask('By mistake');
    const { page } = await scene.enter('administrator', `/requests/${number}`);
    await page.getByRole('button', { name: 'More for this request' }).click();
    await page.getByRole('menuitem', { name: /^Move to trash/ }).click();
    await comes(page.getByText(/^In the trash: it will be deleted for good on \d/));
    await page.getByRole('button', { name: 'Undo' }).click();
    await comes(page.getByRole('button', { name: 'More for this request' }));
    await page.getByRole('button', { name: 'More for this request' }).click();
    await page.getByRole('menuitem', { name: /^Archive/ }).click();
    await comes(page.getByText('Archived: it is in no list, and cannot be changed'));
    expect(await page.getByRole('button', { name: /^Change|^Reply|^Take over/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Restore' }).click();
    await comes(page.getByRole('button', { name: /^Reply to Grace Lin/ }));
    expect(await read(number)).toMatchObject({ life_cycle_state: 'active' });
  });
});
