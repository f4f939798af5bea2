import { waitUntil } from '@itsm/shared/testing/wait-until';
import { withChromium } from '../oauth/testing/chromium';
import { comes, goes } from '../oauth/testing/waits';
import { requestsOf } from './testing/requests';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';
import { stepsByMouse } from './testing/steps';

const looks = 15_000;

withChromium('the days of those who work with records, in few steps', () => {
  let scene: Scene;
  let requests: Awaited<ReturnType<typeof requestsOf>>;
  beforeAll(async () => {
    scene = await startScene();
    requests = await requestsOf(scene);
  });
  afterAll(() => scene.close());

  test('a specialist takes over, asks, hears the answer without a reload, attaches and solves; the requester rates: 16 steps', async () => {
    const number = await requests.ask('The badge reader is dead');
    const visit = await scene.enter('specialist');
    const { page } = visit;
    await page.clock.install();
    await page.reload();
    const steps = stepsByMouse(page);
    await steps.click(page.getByRole('link', { name: '1 unassigned', exact: false }).first());
    await steps.click(page.getByRole('main').getByRole('link', { name: 'The badge reader is dead' }));
    await comes(page.getByRole('button', { name: 'Take over' }));
    await steps.press('a');
    await goes(page.getByRole('button', { name: 'Take over' }));
    await steps.press('r');
    await steps.fill(page.getByRole('textbox', { name: 'Reply' }), 'Does its light blink?');
    await steps.press('Control+Enter');
    await comes(page.getByRole('listitem').getByText('Does its light blink?'));

    // On a phone.
    const theirs = await scene.enter('end_user', `/requests/${number}`);
    await theirs.page.setViewportSize({ width: 390, height: 844 });
    const answer = stepsByMouse(theirs.page);
    await comes(theirs.page.getByText('Does its light blink?'));
    await answer.click(theirs.page.getByRole('button', { name: 'Reply', exact: true }));
    await answer.fill(theirs.page.getByRole('textbox', { name: 'Reply' }), 'It is dark.');
    await answer.click(theirs.page.getByRole('button', { name: 'Send reply' }));
    await comes(theirs.page.getByRole('listitem').getByText('It is dark.'));

    await page.clock.fastForward(looks);
    await comes(page.getByRole('listitem').getByText('It is dark.'));
    await steps.press('r');
    await steps.fill(page.getByRole('textbox', { name: 'Reply' }), 'The fuse was blown, see the picture.');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'fuse.txt', mimeType: 'text/plain', buffer: Buffer.from('blown') });
    await comes(page.getByText('1 file is attached.'));
    await steps.click(page.getByRole('button', { name: /Then$/ }));
    await steps.click(page.getByRole('option', { name: 'Completed', exact: true }));
    await steps.click(page.getByRole('button', { name: 'Send to Grace Lin' }));
    await comes(page.getByRole('listitem').getByText('The fuse was blown, see the picture.'));
    await comes(page.getByRole('heading', { level: 1 }).locator('..').getByText('Completed'));

    await theirs.page.reload();
    await answer.click(theirs.page.getByRole('button', { name: 'Satisfied', exact: true }));
    await answer.click(theirs.page.getByRole('button', { name: 'Satisfied', exact: true }));
    await comes(theirs.page.getByText('Thank you for saying so.'));
    expect(await requests.read(number)).toMatchObject({ status: 'completed', satisfaction: 'satisfied' });
    expect([steps.count, answer.count]).toEqual([11, 5]);
    expect(visit.complaints).toEqual([]);
    await theirs.close();
    await visit.close();
  });

  test('an end user asks in two steps on a phone, sees who has it, sends a picture, and finds before asking again what is open', async () => {
    const visit = await scene.enter('end_user');
    const { page } = visit;
    await page.setViewportSize({ width: 390, height: 844 });
    const steps = stepsByMouse(page);
    const main = page.getByRole('main');
    await steps.fill(page.getByRole('textbox', { name: 'Subject' }), 'The telephone crackles');
    await steps.click(page.getByRole('button', { name: 'Send', exact: true }));
    await comes(page.getByRole('heading', { level: 1, name: 'The telephone crackles' }));
    expect(steps.count).toBe(2);
    const number = Number(new URL(page.url()).pathname.split('/').pop());
    await comes(main.getByText(/^Received\./));

    await scene.administrator.patch(`/v1/requests/${number}`, { team_id: 1, member_id: 2, status: 'in_progress' });
    await page.reload();
    await comes(main.getByText(/^In work\. Howard Tanner has it\./));
    await steps.click(page.getByRole('button', { name: 'Reply', exact: true }));
    await steps.fill(page.getByRole('textbox', { name: 'Reply' }), 'It is the grey one.');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'grey.txt', mimeType: 'text/plain', buffer: Buffer.from('grey') });
    await comes(page.getByText('1 file is attached.'));
    await steps.click(page.getByRole('button', { name: 'Send reply' }));
    await comes(main.getByRole('link', { name: /^grey\.txt/ }));

    await page.goto(new URL('.', page.url()).href.replace(/requests\/$/, ''));
    await steps.fill(page.getByRole('textbox', { name: 'Subject' }), 'My telephone still crackles');
    const alike = main.getByRole('status').filter({ hasText: 'Is it one of these?' });
    await comes(alike.getByRole('link', { name: 'The telephone crackles' }));
    await steps.click(alike.getByRole('link', { name: 'The telephone crackles' }));
    await steps.click(page.getByRole('button', { name: 'Withdraw', exact: true }));
    await steps.click(page.getByRole('button', { name: 'Withdraw', exact: true }));
    await comes(page.getByText('It is withdrawn.'));
    expect(await requests.read(number)).toMatchObject({ completion_reason: 'withdrawn' });
    expect(steps.count).toBe(9);
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  test('a team lead gives thirty free requests to somebody, writes a note on them, opens one again, and shares a list: 29 steps', async () => {
    const numbers: number[] = [];
    for (let count = 1; count <= 30; count += 1) numbers.push(await requests.ask(`Move desk ${count}`));
    const [first = 0] = numbers;
    await scene.administrator.patch(`/v1/requests/${first}`, { status: 'completed', completion_reason: 'solved' });
    await scene.administrator.patch('/v1/teams/1', { member_ids: [1, 2] });
    const visit = await scene.enter('specialist');
    const { page } = visit;
    const steps = stepsByMouse(page);
    const view = (name: RegExp) =>
      page.getByRole('navigation', { name: 'Views of requests' }).getByRole('link', { name });
    const words = page.getByRole('searchbox', { name: 'Words in the subject' });
    /** Opens a view, which begins without words, and looks for some. */
    const look = async (name: RegExp, text: string): Promise<void> => {
      await steps.click(view(name));
      await comes(view(name).and(page.locator('[aria-current=page]')));
      await waitUntil('the words of the view before to be gone', async () => (await words.inputValue()) === '');
      await steps.fill(words, text);
    };
    await steps.click(page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Requests' }));
    await look(/^Unassigned/, 'Move desk');
    await comes(page.getByRole('heading', { name: '29 requests' }));
    await steps.click(page.getByRole('checkbox').first());
    await steps.click(page.getByRole('button', { name: 'Select all' }));
    await steps.press('m');
    await steps.fill(page.getByRole('combobox', { name: 'Member' }), 'Howard');
    await steps.click(page.getByRole('option', { name: /^Howard Tanner/ }));
    await steps.click(page.getByRole('button', { name: 'Change 29' }));
    await comes(page.getByText('Member of 29 requests changed.'));

    const bar = page.getByRole('group', { name: 'Selected requests' });
    await look(/^Assigned to my team/, 'Move');
    await comes(page.getByRole('heading', { name: '29 requests' }));
    await steps.click(page.getByRole('checkbox').first());
    await steps.click(bar.getByRole('button', { name: 'Select all' }));
    await steps.click(bar.getByRole('button', { name: 'Note' }));
    await steps.fill(page.getByRole('textbox', { name: 'Note' }), 'They move on Monday.');
    await page.keyboard.press('Control+Enter');
    await comes(page.getByText('Choose by a button who will read it.'));
    await steps.click(page.getByRole('button', { name: 'Add for colleagues only' }));
    await comes(page.getByText('The internal note is added to 29 requests.'));
    expect(await scene.administrator.get(`/v1/requests/${numbers[1]}/notes`)).toMatchObject([
      { text: 'They move on Monday.', internal: true },
    ]);

    await look(/^Completed/, 'Move desk');
    await comes(page.getByRole('heading', { name: '1 request', exact: true }));
    await steps.click(page.getByRole('link', { name: 'Move desk 1', exact: true }));
    await comes(page.getByRole('heading', { level: 1, name: 'Move desk 1' }));
    await steps.press('s');
    await steps.click(page.getByRole('option', { name: 'In progress', exact: true }));
    await comes(page.getByText('Status: In progress'));

    await steps.press('u');
    await look(/^Assigned to my team/, 'Move desk');
    await comes(page.getByRole('heading', { name: '30 requests' }));
    await steps.click(page.getByRole('button', { name: 'Saved lists' }));
    await steps.click(page.getByRole('menuitem', { name: /^Save this list/ }));
    await steps.fill(page.getByRole('textbox', { name: 'Name' }), 'Moves');
    await steps.choose(page.getByRole('button', { name: /Who sees it$/ }), 'Service Desk');
    await steps.click(page.getByRole('button', { name: 'Save', exact: true }));
    await comes(page.getByRole('button', { name: 'Moves, saved list' }));
    expect(steps.count).toBe(29);

    const colleague = await scene.enter('administrator', '/requests');
    await colleague.page.getByRole('button', { name: 'Saved lists' }).click();
    await colleague.page.getByRole('menuitem', { name: /^Moves/ }).click();
    await comes(colleague.page.getByRole('heading', { name: '30 requests' }));
    await comes(colleague.page.getByRole('button', { name: 'Moves, saved list' }));
    expect([...visit.complaints, ...colleague.complaints]).toEqual([]);
  });
});
