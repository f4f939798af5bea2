import { maskUri } from '@itsm/shared/outbound/calls/mask-uri';
import { mayResend } from './verification';
import { stateOf, wouldBeDisabledAt } from '../webhooks/webhook';
import type { Webhook } from '../webhooks/webhook';
import { linkToConsole, linkToWebhooks, render } from './page';
import type { Surroundings, Text } from './page';

const states = { unverified: 'Waiting for verification', active: 'Active', disabled: 'Disabled' } as const;

interface Look {
  readonly surroundings: Surroundings;
  readonly token: string;
  /** Path of the form. */
  readonly action: string;
  readonly justSent: boolean;
  readonly now: Date;
}

/** The page of a webhook for its administrators. Its only action is to send webhook.verify again. */
export function webhookPage(webhook: Webhook, { surroundings, token, action, justSent, now }: Look): string {
  const { name, event, uri, lastError, streak } = webhook;
  const state = stateOf(webhook);
  const isFailing = state === 'active' && streak.count > 0;
  const offersResend = mayResend(webhook, now);
  const page = {
    tone: isFailing ? 'bad' : state === 'active' || justSent ? 'good' : 'plain',
    title: name,
    facts: [
      ['State', isFailing ? `Failing, ${streak.count} in a row` : states[state]],
      ['Event', event],
      ['Address', maskUri(uri)],
      ...(lastError === null ? [] : [['Last error', lastError] as const]),
      ...(isFailing && streak.startedAt ? [['Failing since', streak.startedAt] as const] : []),
    ],
    ...(offersResend && {
      form: { action, fields: [['token', token] as const], button: 'Send the verification again' },
    }),
    texts: [
      ...(justSent ? ['A new verification message is on its way. Older links no longer work.'] : []),
      isFailing ? adviceForFailing(webhook) : adviceFor(state, offersResend),
    ],
    link: linkToConsole(surroundings, webhook.id),
  } as const;
  return render(page, surroundings);
}

function adviceForFailing(webhook: Webhook): Text {
  const deadline = wouldBeDisabledAt(webhook);
  const advice =
    'The address is verified, but its calls fail. They are repeated by themselves; one that succeeds ends the count.';
  if (deadline === null) return advice;
  return [`${advice} With 20 failures or more in a row it is disabled by a failure after `, deadline, '.'];
}

function adviceFor(state: keyof typeof states, offersResend: boolean): string {
  if (state === 'active') return 'The address is verified.';
  if (state === 'disabled') return 'A disabled webhook is called for no event.';
  return offersResend
    ? 'The receiver gets a message with a link that is valid for 24 hours; opening it verifies the address.'
    : 'The address was given more than 24 hours ago. Set the address of the webhook again to have a new verification message sent.';
}

export const closedPage = (surroundings: Surroundings): string =>
  render(
    {
      tone: 'bad',
      title: 'This link does not work',
      texts: [
        'It is older than one hour, or is not whole: links work for one hour, for administrators of the account.',
        'The console shows the webhook too. POST /v1/webhooks/<id>/page, or the mutation webhookPage, makes a new link.',
      ],
      link: linkToWebhooks(surroundings),
    },
    surroundings,
  );

export const refusedPage = (reason: string, surroundings: Surroundings): string =>
  render({ tone: 'bad', title: 'Not sent', texts: [reason, 'Go back and reload the page.'] }, surroundings);
