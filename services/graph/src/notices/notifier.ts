import type { Broker } from '@itsm/shared/messages/broker/broker';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import { seesAccount } from '@itsm/shared/api/identity/sees-account';
import type { DirectoryRepository } from '../directory/directory.repository';
import type { KnownPerson } from '../directory/directory';
import type { RecordType } from '../record-types/record-type';
import { concerned } from './concerned';
import type { NoticeKind } from './concerned';
import { happened } from './happening';
import type { Happening } from './happening';
import type { MailTurnRepository } from './mail-turn.repository';
import type { NoticeRepository } from './notice.repository';
import type { PreferenceRepository } from './preference.repository';
import { preferencesOf } from './preferences';
import type { WatchRepository } from './watch.repository';

interface Dependencies {
  readonly types: readonly RecordType[];
  readonly directory: Pick<DirectoryRepository, 'findPeople'>;
  readonly notices: NoticeRepository;
  readonly watches: WatchRepository;
  readonly preferences: PreferenceRepository;
  readonly turns: MailTurnRepository;
  /** Whether there is a mail server. */
  readonly areMailed: boolean;
  readonly sequence: Pick<Sequence, 'draw'>;
}

/** Tells people what happens to records that concern them. */
export interface Notifier {
  /** A broker for the relay that notifies of happenings in this service, and passes everything else on. */
  between(broker: Broker): Broker;
}

/** How long after what happened it is mailed, with what happens meanwhile. */
export const mailDelayMilliseconds = 60_000;

export function createNotifier(dependencies: Dependencies): Notifier {
  const { types, directory, notices, watches, preferences, turns, areMailed, sequence } = dependencies;

  const teamType = types.find(({ takesWork }) => takesWork);

  /** A notice in the ways that the person wants; also one that nobody is shown, so that its mail knows whether it was read. */
  async function give(person: KnownPerson, kind: NoticeKind, happening: Happening, id: string): Promise<void> {
    const { accountId, recordType, recordId, at, person: by } = happening;
    const reader = { accountId, personId: person.id };
    const ways = preferencesOf(await preferences.find(reader), worksIn(person, accountId))[kind];
    const isMailed = areMailed && ways.mail && person.verified === true;
    if (!ways.bell && !isMailed) return;
    const mailAt = isMailed ? new Date(at.getTime() + mailDelayMilliseconds) : undefined;
    const notice = { id: await sequence.draw('notice'), ...reader, recordType, recordId, kind, at, by };
    await notices.notify({ ...notice, isShown: ways.bell, mailAt }, id);
    if (mailAt) await turns.arm(reader, mailAt);
  }

  async function notify(happening: Happening, id: string): Promise<void> {
    const type = types.find(({ name }) => name === happening.recordType);
    if (!type) return;
    const { accountId, recordType, recordId, person: by, note, freeIn } = happening;
    const record = { accountId, recordType, recordId };
    const team = freeIn !== undefined && teamType && { accountId, recordType: teamType.name, recordId: freeIn };
    const [levels, ofTeam] = await Promise.all([watches.levelsOf(record), team ? watches.levelsOf(team) : undefined]);
    const notified = concerned(type, happening, levels, ofTeam);
    const author = note && by ? by.id : undefined;
    const ids = [...notified.keys(), ...(author === undefined ? [] : [author])];
    const people = ids.length > 0 ? await directory.findPeople(ids) : [];
    for (const person of people) {
      const kind = notified.get(person.id);
      const isNotified = kind !== undefined && mayBeNotified(person, happening);
      if (isNotified) await give(person, kind, happening, id);
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

/** Whether somebody works with the records of the account. */
export const worksIn = ({ roles }: KnownPerson, accountId: string): boolean =>
  seesAccount({ roles: roles[accountId] ?? [] });

/** Whether somebody can sign in to the account. */
export const mayEnter = ({ disabled, roles }: KnownPerson, accountId: string): boolean =>
  !disabled && (roles[accountId] ?? []).length > 0;

/** Not somebody who can no longer sign in there, nor an owner of what only those see who work with the records. */
function mayBeNotified(person: KnownPerson, { accountId, note, owners }: Happening): boolean {
  if (!mayEnter(person, accountId)) return false;
  if (worksIn(person, accountId)) return true;
  return owners.includes(person.id) && note?.internal !== true;
}
