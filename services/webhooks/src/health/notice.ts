import type { Mail } from '@itsm/shared/outbound/mail/mail';
import { wouldBeDisabledAt } from '../webhooks/disable-rule';
import type { Addresses } from '../webhooks/addresses';
import type { Notice } from '../webhooks/webhook-notice.repository';

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

const show = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The text of a mail to those responsible for the webhook; of its address it names only the host. */
export function toMail(notice: Notice, to: readonly string[], addresses: Addresses): Mail {
  const { webhook, number } = notice;
  const { id, accountId, name, event } = webhook;
  const about = [
    `Webhook:  ${name} (${id})`,
    `Account:  ${accountId}`,
    `Event:    ${event}`,
    // The rest of the address may be a secret, and mails are read by many.
    `Receiver: ${new URL(webhook.uri).host}`,
    `Record:   ${addresses.accountUrl(accountId)}/webhooks/${id}`,
  ];
  const paragraphs = [...storyOf(notice), about.join('\n'), adviceFor(notice)];
  return { id: `webhook-${id}-${number}`, to, subject: subjectOf(notice), text: `${paragraphs.join('\n\n')}\n` };
}

function subjectOf({ webhook: { name }, failures, warning, disabled }: Notice): string {
  if (disabled !== null) return `Webhook “${name}” was disabled`;
  if (failures === 0) return `Webhook “${name}” is ${warning ?? 0} % of the way to being disabled`;
  const failed = `Webhook “${name}” failed ${times(failures)}`;
  return warning === null ? failed : `${failed}: ${warning} % of the way to being disabled`;
}

function storyOf({ webhook, failures, failingSince, warning, disabled }: Notice): string[] {
  const { lastError, streak } = webhook;
  const error = lastError === null ? [] : [`The last error was: ${lastError}`];
  const since = failingSince === null ? '' : ` since ${show(failingSince)}`;
  if (disabled !== null) return [`The webhook was disabled: ${disabled}.`, ...error];
  const failed = failures > 0 ? [`Calls of the webhook failed ${times(failures)}${since}.`] : [];
  if (streak.count === 0) return [...failed, 'It has worked again since.'];
  const deadline = wouldBeDisabledAt(webhook);
  const rule =
    `${streak.count} calls in a row have failed. A webhook is disabled at 20 consecutive failures over more than a week` +
    (deadline === null ? '.' : `: the failure that counts would come after ${show(deadline)}.`);
  const warned = warning === null ? [] : [`WARNING: the webhook is ${warning} % of the way to being disabled.`];
  return [...failed, ...error, ...warned, rule];
}

const adviceFor = ({ disabled }: Notice): string =>
  disabled === null
    ? 'Failed calls are made again by themselves. One successful call ends the count.'
    : 'Events that happen while it is disabled are kept for 30 days. Once the receiver works, enable the webhook; what was skipped can then be delivered.';
