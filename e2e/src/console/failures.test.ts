import type { Page } from 'playwright-core';
import { withChromium } from '../oauth/testing/chromium';
import { comes, goes } from '../oauth/testing/waits';
import { controlCalls, refusalOfTooMany, waitOf } from './testing/calls';
import type { Answer } from './testing/calls';
import { forms } from './testing/forms';
import type { FormOfScreen } from './testing/forms';
import { startFurnishedScene } from './testing/furnished-scene';
import type { FurnishedScene } from './testing/furnished-scene';
import { fetchingScreens } from './testing/screens';
import { auditor, loading, says, tryAgain, watch } from './testing/watch';

withChromium('the console while its calls wait, fail or are refused', () => {
  let scene: FurnishedScene;
  let refusal: Answer;
  const { addressOf, look, signInAgain, signOut, visitOf } = watch(() => scene);
  beforeAll(async () => {
    scene = await startFurnishedScene();
    refusal = await refusalOfTooMany((await visitOf('administrator')).page);
  });
  afterAll(() => scene.close());

  test.each(fetchingScreens)(
    '$name says that it loads, that it failed, was not reached or has to wait; goes on by itself, and keeps what it had',
    async ({ name, who, path, heading, shows, isFreshFor }) => {
      const found = await look(who, async (page) => {
        const { problems, audit } = auditor(page, name);
        await page.clock.install();
        const calls = await controlCalls(page, 'held');
        await page.goto(addressOf(path(scene.furniture)));
        await comes(page.getByRole('heading', { level: 1, name: heading }).and(page.locator(':focus')));
        await comes(loading(page).first());
        await audit('loading');
        await calls.answer('failed');
        await says(page, 'Something went wrong. Request 7f1c2a52-');
        await audit('failed');
        await calls.answer('cut');
        await tryAgain(page);
        await says(page, 'The platform is unreachable.');
        await audit('not-reached');
        await calls.answer(refusal);
        await tryAgain(page);
        await says(page, `Retrying in ${waitOf(refusal)}.`);
        await audit('limited');
        await calls.answer('real');
        await page.clock.fastForward(3_000);
        await comes(page.getByText(shows).first());
        await goes(loading(page).first());
        await audit('shown');
        await calls.answer('failed');
        // As when one comes back to the tab.
        await page.clock.fastForward(isFreshFor);
        await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
        await says(page, 'This may be out of date');
        await comes(page.getByText(shows).first());
        await audit('old');
        return problems;
      });
      expect(found).toEqual([]);
    },
  );

  /** Opens a form again after a new sign-in or a reload. */
  async function openForm(page: Page, { open, field }: FormOfScreen): Promise<void> {
    await open?.(page);
    await comes(field(page));
  }

  test.each(forms)(
    'the form $name says why it was not sent, at the field where it can; nothing that was typed is lost, by a new sign-in neither',
    async (form) => {
      const { name, who, path, fill, field, button, atOnce, wrong } = form;
      const found = await look(who, async (page) => {
        const { problems, audit } = auditor(page, `form-${name}`);
        const alert = page.getByRole('alert');
        const send = async (): Promise<void> => {
          await page.getByRole('button', { name: button, exact: true }).last().click();
          if (atOnce !== undefined) await page.getByRole('button', { name: atOnce }).click();
        };
        await page.goto(addressOf(path(scene.furniture)));
        await openForm(page, form);
        await fill(page);
        const value = await field(page).inputValue();
        const calls = await controlCalls(page, 'held');
        await send();
        await comes(page.getByRole('button', { name: `${atOnce ?? button} (in progress)` }));
        await audit('sending');
        for (const [how, words] of [
          ['failed', 'Something went wrong. Request 7f1c2a52-'],
          ['busy', 'The platform is busy or starting.'],
          ['full', 'The disk of the platform is full: ask its operator to make room, then try again'],
          ['cut', 'The platform is unreachable.'],
          [refusal, `Too many requests. Try again in ${waitOf(refusal)}.`],
        ] as const) {
          await calls.answer(how);
          if (how !== 'failed') await send();
          await comes(alert.and(page.locator(':focus')).getByText(words));
          expect(await field(page).inputValue()).toBe(value);
        }
        await audit('failed');
        await field(page).press('End');
        await page.keyboard.type('ing');
        expect(await field(page).inputValue()).toBe(`${value}ing`);

        await calls.answer('real');
        if (wrong.under) await page.getByText(wrong.under).click();
        await wrong.field(page).fill(wrong.text);
        if (wrong.under) await page.getByText(wrong.under).click();
        await send();
        await comes(alert.and(page.locator(':focus')).getByText(wrong.message));
        await audit('refused');
        await alert.getByRole('link', { name: wrong.message }).click();
        await comes(wrong.field(page).and(page.locator(':focus')));
        expect(await wrong.field(page).getAttribute('aria-invalid')).toBe('true');
        await comes(page.locator('.field', { has: wrong.field(page) }).getByText(wrong.message));
        const kept = await field(page).inputValue();

        await signOut(who);
        await send();
        await comes(page.getByRole('dialog', { name: 'You are signed out' }));
        await audit('signed-out');
        await signInAgain(who, page);
        await openForm(page, form);
        expect(await field(page).inputValue()).toBe(kept);
        if (await wrong.field(page).isHidden()) await page.getByText(wrong.under ?? '').click();
        expect(await wrong.field(page).inputValue()).toBe(wrong.text);
        return problems;
      });
      expect(found).toEqual([]);
    },
  );

  test('the explorer can be used without the schema, and has it as soon as it comes', async () => {
    const found = await look('administrator', async (page) => {
      const { problems, audit } = auditor(page, 'explorer');
      const run = page.getByRole('button', { name: /^Run/ });
      await page.clock.install();
      const calls = await controlCalls(page, 'held');
      await page.goto(addressOf('/explorer'));
      await comes(run);
      await audit('loading');
      await calls.answer('failed');
      await says(page, 'The schema could not be loaded');
      await run.click();
      await says(page, 'Something went wrong.');
      await audit('failed');
      await calls.answer('cut');
      await run.click();
      await says(page, 'The platform is unreachable.');
      await audit('not-reached');
      await calls.answer(refusal);
      await run.click();
      await tryAgain(page);
      await says(page, 'The schema is not available yet');
      await audit('limited');
      await calls.answer('real');
      await page.clock.fastForward(3_000);
      await comes(page.getByText('A token needs'));
      expect(await page.getByText('The schema is not available yet').count()).toBe(0);
      return problems;
    });
    expect(found).toEqual([]);
  });

  test('what is typed in the settings of a policy outlives a reload, until it is cancelled', async () => {
    const found = await look('administrator', async (page) => {
      const name = page.getByLabel('Name', { exact: true });
      const edit = page.getByRole('button', { name: 'Edit', exact: true });
      await page.goto(addressOf(`/signing/${scene.furniture.policies.spare}`));
      await edit.click();
      await name.fill('Typed by hand');
      await page.reload();
      await edit.click();
      expect(await name.inputValue()).toBe('Typed by hand');
      await page.keyboard.press('Escape');
      await edit.click();
      expect(await name.inputValue()).toBe('Typed by hand');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await edit.click();
      expect(await name.inputValue()).toBe('spare');
      return [];
    });
    expect(found).toEqual([]);
  });

  test('a recovery keeps its span and choice over a new sign-in', async () => {
    const found = await look('administrator', async (page) => {
      const { problems, audit } = auditor(page, 'form-recover');
      const from = page.getByLabel('From');
      const waiting = page.getByRole('checkbox', { name: /waiting after a failure/ });
      await page.goto(addressOf(`/webhooks/${scene.furniture.webhooks.failing}/recover`));
      await from.fill(fieldOf(10));
      await waiting.uncheck();
      await signOut('administrator');
      await from.fill(fieldOf(11));
      await comes(page.getByRole('dialog', { name: 'You are signed out' }));
      await audit('signed-out');
      await signInAgain('administrator', page);
      await comes(waiting);
      expect(await from.inputValue()).toBe(fieldOf(11));
      expect(await waiting.isChecked()).toBe(false);
      await waiting.check();
      return problems;
    });
    expect(found).toEqual([]);
  });

  test('a recovery says why nothing was sent, and waits by itself when it has to', async () => {
    const found = await look('administrator', async (page) => {
      const { problems, audit } = auditor(page, 'form-recover');
      const from = page.getByLabel('From');
      const send = page.getByRole('button', { name: /^Send/ });
      await page.goto(addressOf(`/webhooks/${scene.furniture.webhooks.failing}/recover`));
      await from.fill(fieldOf(10));
      // Until what the new span holds is known.
      await send.click({ trial: true });
      const calls = await controlCalls(page, 'failed');
      await send.click();
      await comes(page.getByRole('alert').getByText('Nothing was sent.'));
      await says(page, 'Something went wrong. Request 7f1c2a52-');
      expect(await from.inputValue()).toBe(fieldOf(10));
      await audit('failed');
      await calls.answer(refusal);
      await send.click();
      await says(page, `Too many requests. Try again in ${waitOf(refusal)}. It continues automatically.`);
      await audit('limited');
      await calls.answer('real');
      await says(page, /^1 requested/);
      return problems;
    });
    expect(found).toEqual([]);
  });
});

/** A moment so many days ago as a field has it. */
const fieldOf = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 11) + '08:00';
