import type { Module, Platform } from '@itsm/shared/running/module';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { Directory } from '../directory/module';
import type { RecordType } from '../record-types/record-type';
import { createNoticeRepository } from './notice.repository';
import type { NoticeRepository } from './notice.repository';
import { createMailTurnRepository } from './mail-turn.repository';
import type { MailTurnRepository } from './mail-turn.repository';
import { createPreferenceRepository } from './preference.repository';
import type { PreferenceRepository } from './preference.repository';
import { createNotifier } from './notifier';
import type { Notifier } from './notifier';
import { createVisitRepository } from './visit.repository';
import type { VisitRepository } from './visit.repository';
import { createWatchRepository } from './watch.repository';
import type { WatchRepository } from './watch.repository';

export { happened } from './happening';

interface Needs {
  readonly types: readonly RecordType[];
  readonly directory: Directory;
  readonly sequence: Sequence;
  /** Whether there is a mail server. */
  readonly areMailed: boolean;
}

export interface Notices extends Module {
  readonly notices: NoticeRepository;
  readonly watches: WatchRepository;
  readonly visits: VisitRepository;
  readonly preferences: PreferenceRepository;
  readonly turns: MailTurnRepository;
  /** Whether there is a mail server. */
  readonly areMailed: boolean;
  readonly notifier: Notifier;
}

/** Notices: what concerns people of a record, what they watch, and who looks at it now. */
export function createNotices({ connection }: Platform, { types, directory, sequence, areMailed }: Needs): Notices {
  const notices = createNoticeRepository(connection);
  const watches = createWatchRepository(connection);
  const visits = createVisitRepository(connection);
  const preferences = createPreferenceRepository(connection);
  const turns = createMailTurnRepository(connection);
  const notifier = createNotifier({
    types,
    directory: directory.store,
    notices,
    watches,
    preferences,
    turns,
    areMailed,
    sequence,
  });
  return {
    notices,
    watches,
    visits,
    preferences,
    turns,
    areMailed,
    notifier,
    stores: [notices, watches, visits, turns],
  };
}
