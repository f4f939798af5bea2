import { startScene } from './testing/identity-scene';
import type { Scene } from './testing/identity-scene';
import { withChromium } from './testing/chromium';
import { addressStates, administratorStates, ownStates } from './testing/own-security-states';
import { auditPage } from './testing/page-audit';
import { linesOf } from './testing/page-looks';
import { consentStates, signInStates } from './testing/sign-in-states';

const states = [...signInStates, ...consentStates, ...addressStates, ...ownStates, ...administratorStates];

withChromium('the pages of who a person is, and of their own security', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());
  afterEach(() => scene.closeVisits());

  test.each(states)('$name is accessible, narrow and wide, in light and dark', async (state) => {
    const page = await scene.open({ bypassCSP: true });
    await state.reach(page, scene);
    expect(await auditPage(page, state.heading, state.name)).toEqual([]);
  });

  test('on a phone a long address breaks after its @ and its dots', async () => {
    const page = await scene.open();
    const long = 'konstantina.papadopoulou@informationsystems.longdomain.example';
    await scene.signInAgain(page, await scene.makePerson(page, 'Konstantina Papadopoulou', long));
    await page.setViewportSize({ width: 320, height: 700 });
    const lines = await page.locator('main strong').evaluate(linesOf);
    expect(lines.join('')).toBe(`${long}.`);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/[@.]$/);
  });
});
