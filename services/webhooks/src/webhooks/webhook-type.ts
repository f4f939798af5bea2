import { eventNamesOf, recordEventNames } from '@itsm/shared/contracts/events';
import type { RecordKinds } from '@itsm/shared/contracts/record-kinds';
import { withFields } from '@itsm/shared/declared/language';
import type { Declaration } from '@itsm/shared/declared/language';
import { matching } from '@itsm/shared/declared/read-value';
import { isAddress } from '@itsm/shared/outbound/mail/address';
import { maskUri, problemOfUri } from './webhook-uri';

/** What administrators edit of a webhook: schema, inputs, REST and stored form follow from it. */
export const webhookType = {
  name: 'webhook',
  graphqlName: 'Webhook',
  plural: 'webhooks',
  label: 'Webhook',
  labelPlural: 'Webhooks',
  description: 'Calls an address whenever an event occurs in the account.',
  writes: {
    create: 'Registers a webhook; its address gets webhook.verify at once, unless the account has verified it already.',
    update: 'A new address needs verification again; updating an unverified webhook sends webhook.verify again.',
  },
  readers: ['account_administrator'],
  nullIs: 'absent',
  groups: { more: 'More: name, signing, mails' },
  fields: [
    {
      name: 'name',
      label: 'Name',
      kind: 'text',
      maxLength: 128,
      // It appears in mails and logs, where a line break could forge a line of ours.
      read: matching(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be a single line'),
      required: true,
      filterable: true,
      sortable: true,
      group: 'more',
      help: 'A single line. A new webhook without a name has that of its event.',
    },
    {
      name: 'event',
      label: 'Event',
      kind: 'choice',
      enumName: 'WebhookEvent',
      isScalar: true,
      choices: recordEventNames,
      otherwise: 'is not an event that webhooks can be registered for',
      required: true,
      mustBeGiven: true,
      filterable: true,
      sortable: true,
      help: 'Of which records and of which change it is called; docs/events.md lists them.',
    },
    {
      name: 'uri',
      label: 'Address',
      kind: 'text',
      maxLength: 2_048,
      mask: maskUri,
      required: true,
      mustBeGiven: true,
      // Sealed.
      isStoredApart: true,
      help: 'The address that is called: https without a fragment, on port 443, 80 or 8443, outside of private networks. A user name and password in it become a Basic header of the calls. They are shown as ***; the masked address sent back means no change.',
    },
    { name: 'description', label: 'Description', kind: 'text', maxLength: 16_384, lines: 'many', group: 'more' },
    {
      name: 'disabled',
      label: 'Disabled',
      kind: 'flag',
      default: false,
      filterable: true,
      help: 'Enabling resets the count of failures.',
    },
    {
      name: 'state',
      label: 'State',
      kind: 'derived',
      type: 'WebhookState!',
      written: 'never',
      filterable: true,
      filter: 'WebhookStateFilter',
      help: 'unverified, active or disabled.',
    },
    {
      name: 'disabledReason',
      label: 'Reason',
      kind: 'text',
      maxLength: 1_000,
      written: 'never',
      help: 'Why it is disabled.',
    },
    {
      name: 'lastError',
      label: 'Last error',
      kind: 'derived',
      type: 'String',
      written: 'never',
      help: 'Why the last call failed; a success clears it.',
    },
    {
      name: 'consecutiveFailures',
      label: 'Failures in a row',
      kind: 'derived',
      type: 'Int!',
      written: 'never',
      help: 'Failed attempts in a row; at 20 over more than a week the webhook is disabled.',
    },
    {
      name: 'failingSince',
      label: 'Failing since',
      kind: 'derived',
      type: 'ISO8601Timestamp',
      written: 'never',
      help: 'When the first of them was; null while nothing fails.',
    },
    {
      name: 'wouldBeDisabledAt',
      label: 'Would be disabled at',
      kind: 'derived',
      type: 'ISO8601Timestamp',
      written: 'never',
      help: 'The moment after which a failure disables the webhook, when there were 20 by then.',
    },
    {
      name: 'warningPercent',
      label: 'Warning',
      kind: 'derived',
      type: 'Int',
      written: 'never',
      help: '50 or 90: how much of the rule that disables is fulfilled, as administrators were warned.',
    },
    {
      name: 'mailExceptionsTo',
      label: 'Recipients of failure mails',
      kind: 'text',
      maxLength: 1_024,
      read: readRecipients,
      group: 'more',
      help: 'E-mail addresses that get a mail about failures, separated by commas, 10 at most. Without any, every administrator of the account gets it.',
    },
    {
      name: 'webhookPolicy',
      label: 'Signing policy',
      kind: 'reference',
      to: { name: 'webhook_policy', graphqlName: 'WebhookPolicy', plural: 'webhook_policies' },
      filterable: true,
      group: 'more',
      help: 'It signs the calls, which proves to receivers who sent them; without one they are not signed.',
    },
    {
      name: 'openidConnectDiscovery',
      label: 'OpenID Connect Discovery',
      kind: 'flag',
      default: false,
      older: false,
      filterable: true,
      group: 'more',
      help: 'Whether receivers find the key by OpenID Connect Discovery; needs a policy with a key pair.',
    },
    {
      name: 'source',
      label: 'Source',
      kind: 'text',
      maxLength: 128,
      filterable: true,
      audience: 'machine',
      group: 'more',
      help: 'The system that manages this webhook.',
    },
    {
      name: 'sourceID',
      label: 'Source ID',
      kind: 'text',
      maxLength: 128,
      filterable: true,
      audience: 'machine',
      group: 'more',
      help: 'Its ID in that system.',
    },
  ],
} as const satisfies Declaration;

interface Settings {
  /** Http and loopback addresses are accepted too. */
  readonly allowInsecureReceivers: boolean;
  readonly kinds: RecordKinds;
}

/** The declaration with the addresses and events that the settings allow. */
export const webhookTypeFor = ({ allowInsecureReceivers, kinds }: Settings): typeof webhookType =>
  withFields(webhookType, {
    uri: {
      read(text: string) {
        const problem = problemOfUri(text, allowInsecureReceivers);
        return problem === undefined ? { value: text } : { problem };
      },
    },
    event: { choices: eventNamesOf(kinds) },
  });

const mostRecipients = 10;

/** `a@x.example; b@x.example` becomes `a@x.example, b@x.example`. */
function readRecipients(text: string): { readonly value: string } | { readonly problem: string } {
  const addresses = text
    .split(/[,;]/)
    .map((address) => address.trim())
    .filter((address) => address !== '');
  if (!addresses.every(isAddress)) return { problem: 'must be e-mail addresses separated by commas' };
  if (addresses.length > mostRecipients) return { problem: `has more than ${mostRecipients} addresses` };
  return { value: addresses.join(', ') };
}
