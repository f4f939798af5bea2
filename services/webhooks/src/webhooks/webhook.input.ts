import { z } from 'zod';
import { eventNamesOf } from '@itsm/shared/contracts/events';
import type { RecordEventName } from '@itsm/shared/contracts/events';
import type { RecordKinds } from '@itsm/shared/contracts/record-kinds';
import { isAddress } from '@itsm/shared/outbound/mail/address';

const expected = (label: string) => ({
  error: ({ input }: { input?: unknown }) => `${label} ${input === undefined ? 'is required' : 'must be text'}`,
});

export const text = (label: string, longest: number) =>
  z.string(expected(label)).max(longest, `${label} is too long (maximum is ${longest} characters)`);

export const filledText = (label: string, longest: number) =>
  text(label, longest)
    .refine((value) => value.trim() !== '', `${label} can't be blank`)
    // The text appears in mails and logs, where a line break could forge a line of ours.
    .refine((value) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value), `${label} must be a single line`);

export function eventNameOf(kinds: RecordKinds) {
  const names = new Set<string>(eventNamesOf(kinds));
  const isEvent = (name: string): name is RecordEventName => names.has(name);
  return z.string(expected('Event')).refine(isEvent, 'Event is not an event that webhooks can be registered for');
}

const mostRecipients = 10;

/** `a@x.example, b@x.example`; null and an empty text name no recipients. */
export const recipients = text('Mail exceptions to', 1_024)
  .transform((list) => list.split(/[,;]/).map((address) => address.trim()))
  .transform((list) => list.filter((address) => address !== ''))
  .refine((list) => list.every(isAddress), 'Mail exceptions to must be e-mail addresses separated by commas')
  .refine((list) => list.length <= mostRecipients, `Mail exceptions to has more than ${mostRecipients} addresses`)
  .transform((list) => (list.length === 0 ? null : list.join(', ')));
