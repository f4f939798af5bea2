import { withChromium } from '../oauth/testing/chromium';
import { comes } from '../oauth/testing/waits';
import { signIn, startScene } from './testing/scene';
import type { Scene } from './testing/scene';

withChromium('a change for which the sign-in is too old', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());

  /** Makes all sign-ins old, so that step-up is needed. */
  async function ageSessions(): Promise<void> {
    const store = await scene.platform.data.connect('auth');
    const authenticatedAt = new Date(Date.now() - 3_600_000);
    await store.collection('sessions').updateMany({}, { $set: { authenticatedAt } });
    await store.close();
  }

  test('goes through the sign-in page and back, and keeps the form', async () => {
    const visit = await scene.enter('administrator');
    const { page } = visit;
    const path = '/accounts/wdc/applications/new';
    const screen = `${scene.platform.origin}${path}`;
    const name = page.getByLabel('Name', { exact: true });
    const create = () => page.getByRole('button', { name: 'Create application' }).click();
    await ageSessions();
    // Renews the console's token.
    await page.goto(`${scene.platform.origin}/console/sign-in?next=${encodeURIComponent(path)}`);
    await page.waitForURL(screen);
    await name.fill('Made after signing in again');
    await page.getByLabel('Redirect URIs').fill('https://client.example/callback');
    await page.getByRole('button', { name: 'Read requests' }).click();
    await create();
    await page.getByRole('dialog', { name: 'Sign in again' }).getByRole('link', { name: 'Sign in again' }).click();
    await signIn(page, scene.platform.demo.accounts.wdc.administrator);
    await page.waitForURL(screen);
    expect(await name.inputValue()).toBe('Made after signing in again');
    await create();
    await comes(page.getByRole('heading', { level: 1, name: 'Made after signing in again' }));
    await comes(page.getByText('The client secret of'));
    await visit.close();
  });
});
