import { withChromium } from '../oauth/testing/chromium';
import { comes } from '../oauth/testing/waits';
import { requestsOf } from './testing/requests';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';

const looks = 15_000;

withChromium('who else looks at a record', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());

  test('two who work on a request see each other and who writes; its requester sees nobody, and is not seen', async () => {
    const number = await (await requestsOf(scene)).ask('The door squeaks');
    const open = async (who: 'administrator' | 'specialist' | 'end_user', ready: RegExp) => {
      const visit = await scene.enter(who, `/requests/${number}`);
      await visit.page.clock.install();
      await visit.page.reload();
      await comes(visit.page.getByRole('button', { name: ready }));
      return visit;
    };
    const theirs = await open('end_user', /^Reply/);
    const howard = await open('specialist', /^Reply to Grace Lin/);
    const ellen = await open('administrator', /^Reply to Grace Lin/);
    await comes(ellen.page.getByText('Howard Tanner is looking at this request'));
    await howard.page.keyboard.press('r');
    await howard.page.getByRole('textbox', { name: 'Reply' }).fill('Which door?');
    await howard.page.clock.fastForward(looks);
    await comes(howard.page.getByText('Ellen Brown is looking at this request'));
    await ellen.page.clock.fastForward(looks);
    await comes(ellen.page.getByText('Howard Tanner is writing a note'));
    await theirs.page.clock.fastForward(looks);
    expect(await theirs.page.getByText(/looking at|is writing/).count()).toBe(0);
    expect(await ellen.page.getByText(/Grace Lin.* (is|are) looking/).count()).toBe(0);
    for (const visit of [theirs, howard, ellen]) {
      expect(visit.complaints).toEqual([]);
      await visit.close();
    }
  });
});
