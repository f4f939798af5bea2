import type { Module, Platform } from '@itsm/shared/running/module';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { Directory } from '../directory/module';
import type { RecordType } from '../record-types/record-type';
import { createNoticeRepository } from './notice.repository';
import type { NoticeRepository } from './notice.repository';
import { createNotifier } from './notifier';
import type { Notifier } from './notifier';
import { createWatchRepository } from './watch.repository';
import type { WatchRepository } from './watch.repository';

export { happened } from './happening';

interface Needs {
  readonly types: readonly RecordType[];
  readonly directory: Directory;
  readonly sequence: Sequence;
}

export interface Notices extends Module {
  readonly notices: NoticeRepository;
  readonly watches: WatchRepository;
  readonly notifier: Notifier;
}

/** Notices: what concerns people of a record, and what they watch. */
export function createNotices({ connection }: Platform, { types, directory, sequence }: Needs): Notices {
  const notices = createNoticeRepository(connection);
  const watches = createWatchRepository(connection);
  const notifier = createNotifier({ types, directory: directory.store, notices, watches, sequence });
  return { notices, watches, notifier, stores: [notices, watches] };
}
