import { eventNamesOf } from '@itsm/shared/contracts/events';
import type { RecordEventName } from '@itsm/shared/contracts/events';
import { nounOf, recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordAction, RecordKindName, RecordKinds } from '@itsm/shared/contracts/record-kinds';
import type { Person } from '@itsm/shared/contracts/records';
import type { Account } from '../directory/directory.repository';
import type { Addresses } from '../webhooks/addresses';
import { deliveryBody } from './delivery.message';
import { sampleId, sampleOccurrence } from './occurrence';

/** The description of an event, for people who choose what to register for. */
export interface EventDescription {
  readonly name: RecordEventName;
  /** GraphQL type of the records. */
  readonly recordType: string;
  readonly description: string;
  /** Members of `payload` that not every event of the record type has. */
  readonly extraMembers: readonly string[];
  /** The body of a test delivery as JSON text, with 12345 as the id of the webhook too. */
  readonly sampleBody: string;
}

/** Describes the events to a caller of the account. */
export type EventDescriber = (accountId: string, person: Person | null) => Promise<readonly EventDescription[]>;

const sentences: Readonly<Record<RecordAction, (record: string) => string>> = {
  create: (record) => `${record} was created.`,
  update: (record) => `${record} was changed.`,
  'note-added': (record) => `A note was added to ${record.toLowerCase()}.`,
  'status-changed': (record) => `The status of ${record.toLowerCase()} changed; this causes .update as well.`,
  'team-changed': (record) => `The team of ${record.toLowerCase()} changed; this causes .update as well.`,
  'member-changed': (record) => `The member of ${record.toLowerCase()} changed; this causes .update as well.`,
  'manager-changed': (record) => `The manager of ${record.toLowerCase()} changed; this causes .update as well.`,
};

/** Every event that a webhook can be registered for, with a sample body as a webhook of `account` would receive it. */
export function describeEvents(
  account: Pick<Account, 'id' | 'name' | 'customUrl'>,
  person: Person | null,
  addresses: Addresses,
  kinds: RecordKinds = recordKinds,
): readonly EventDescription[] {
  const { id: accountId, name: accountName } = account;
  const shown = { id: accountId, name: accountName };
  const all = eventNamesOf(kinds).map((name) => {
    const [kindName, action] = name.split('.') as [RecordKindName, RecordAction];
    return { name, kindName, action, sample: sampleOccurrence(name, person, addresses, shown, kinds) };
  });
  return all.map(({ name, kindName, action, sample }) => {
    const { graphqlName: recordType } = kinds[kindName];
    const ofKind = all.filter((event) => event.kindName === kindName);
    const isCommon = (member: string) => ofKind.every((event) => member in event.sample.payload);
    const webhook = { id: sampleId, accountId, name };
    return {
      name,
      recordType,
      description: sentences[action](withArticle(recordType)),
      extraMembers: Object.keys(sample.payload).filter((member) => !isCommon(member)),
      sampleBody: deliveryBody(webhook, sample, account, addresses),
    };
  });
}

/** `ProjectTask` becomes "A project task". */
function withArticle(graphqlName: string): string {
  const words = nounOf(graphqlName).toLowerCase();
  return `${/^[aeiou]/.test(words) ? 'An' : 'A'} ${words}`;
}
