import type { Broker } from '@itsm/shared/messages/broker/broker';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import { seesAccount } from '@itsm/shared/api/identity/sees-account';
import type { DirectoryRepository } from '../directory/directory.repository';
import type { KnownPerson } from '../directory/directory';
import type { RecordType } from '../record-types/record-type';
import { concerned } from './concerned';
import { happened } from './happening';
import type { Happening } from './happening';
import type { NoticeRepository } from './notice.repository';
import type { WatchRepository } from './watch.repository';

interface Dependencies {
  readonly types: readonly RecordType[];
  readonly directory: Pick<DirectoryRepository, 'findPeople'>;
  readonly notices: NoticeRepository;
  readonly watches: WatchRepository;
  readonly sequence: Pick<Sequence, 'draw'>;
}

/** Tells people what happens to records that concern them. */
export interface Notifier {
  /** A broker for the relay that notifies of happenings in this service, and passes everything else on. */
  between(broker: Broker): Broker;
}

export function createNotifier({ types, directory, notices, watches, sequence }: Dependencies): Notifier {
  async function notify(happening: Happening, id: string): Promise<void> {
    const type = types.find(({ name }) => name === happening.recordType);
    if (!type) return;
    const { accountId, recordType, recordId, at, person: by, note } = happening;
    const record = { accountId, recordType, recordId };
    const notified = concerned(type, happening, await watches.levelsOf(record));
    const author = note && by ? by.id : undefined;
    const ids = [...notified.keys(), ...(author === undefined ? [] : [author])];
    const people = ids.length > 0 ? await directory.findPeople(ids) : [];
    for (const person of people) {
      const kind = notified.get(person.id);
      const isNotified = kind !== undefined && mayBeNotified(person, happening);
      if (isNotified)
        await notices.notify({ id: await sequence.draw('notice'), ...record, personId: person.id, kind, at, by }, id);
      const takesPart = person.id === author || (isNotified && kind === 'mentioned');
      if (takesPart && worksIn(person, accountId)) await watches.begin(record, person.id);
    }
  }

  return {
    between: (broker) => ({
      ...broker,
      async publish(contract, message, id) {
        if (contract.name !== happened.name) return broker.publish(contract, message, id);
        await notify(happened.schema.parse(message), id);
      },
    }),
  };
}

const worksIn = ({ roles }: KnownPerson, accountId: string): boolean => seesAccount({ roles: roles[accountId] ?? [] });

/** Not somebody who can no longer sign in there, nor an owner of what only those see who work with the records. */
function mayBeNotified(person: KnownPerson, { accountId, note, owners }: Happening): boolean {
  if (person.disabled || (person.roles[accountId] ?? []).length === 0) return false;
  if (worksIn(person, accountId)) return true;
  return owners.includes(person.id) && note?.internal !== true;
}
