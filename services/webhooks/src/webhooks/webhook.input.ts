import { z } from 'zod';
import { isRecordEvent } from '@itsm/shared/contracts/events';
import { isAddress } from '@itsm/shared/outbound/mail/address';
import { isReceiverUri } from './webhook-uri';

const expected = (label: string) => ({
  error: ({ input }: { input?: unknown }) => `${label} ${input === undefined ? 'is required' : 'must be text'}`,
});

const text = (label: string, longest: number) =>
  z.string(expected(label)).max(longest, `${label} is too long (maximum is ${longest} characters)`);

const filledText = (label: string, longest: number) =>
  text(label, longest)
    .refine((value) => value.trim() !== '', `${label} can't be blank`)
    // It stands in mails and logs, where another line could pass for something that we say.
    .refine((value) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value), `${label} must be a single line`);

const eventName = z
  .string(expected('Event'))
  .refine(isRecordEvent, 'Event is not an event that webhooks can be registered for');

const mostRecipients = 10;

/** `a@x.example, b@x.example`; null and an empty text name no recipients. */
const recipients = text('Mail exceptions to', 1_024)
  .transform((list) => list.split(/[,;]/).map((address) => address.trim()))
  .transform((list) => list.filter((address) => address !== ''))
  .refine((list) => list.every(isAddress), 'Mail exceptions to must be e-mail addresses separated by commas')
  .refine((list) => list.length <= mostRecipients, `Mail exceptions to has more than ${mostRecipients} addresses`)
  .transform((list) => (list.length === 0 ? null : list.join(', ')));

/** What a caller may say about a webhook, new or changed; anything else is refused by name. */
export function webhookInputs(insecure: boolean) {
  const invalid = 'Uri is not a valid https address';
  const members = {
    event: eventName,
    uri: z.string(invalid).refine((uri) => isReceiverUri(uri, insecure), invalid),
    name: filledText('Name', 128).optional(),
    description: text('Description', 16_384).nullable().optional(),
    disabled: z.boolean('Disabled must be true or false').optional(),
    mail_exceptions_to: recipients.nullable().optional(),
    webhook_policy_id: z.int('Webhook policy must be its id').nullable().optional(),
    openid_connect_discovery: z.boolean('Openid connect discovery must be true or false').optional(),
    source: text('Source', 128).nullable().optional(),
    sourceID: text('Source ID', 128).nullable().optional(),
  };
  const newWebhook = z.strictObject(members);
  return { newWebhook, webhookChanges: newWebhook.partial() };
}

type Inputs = ReturnType<typeof webhookInputs>;
export type NewWebhook = z.output<Inputs['newWebhook']>;
export type WebhookChanges = z.output<Inputs['webhookChanges']>;
