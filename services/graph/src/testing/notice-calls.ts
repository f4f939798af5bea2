import { exercise } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import { createNoticeRepository } from '../notices/notice.repository';
import { createMailTurnRepository } from '../notices/mail-turn.repository';
import { createPreferenceRepository } from '../notices/preference.repository';
import { createVisitRepository } from '../notices/visit.repository';
import { createWatchRepository } from '../notices/watch.repository';
import { account, moment, sample } from './sample-documents';

const record = { accountId: account, recordType: 'request', recordId: sample };
const notified = {
  id: 1_000_000,
  ...record,
  personId: sample,
  kind: 'answered',
  at: moment(sample),
  by: null,
  isShown: true,
  mailAt: moment(sample),
} as const;
const reader = { accountId: account, personId: sample };
const lease = { owner: 'somebody', until: moment(sample) };
const turn = { ...reader, armed: 1, sent: [], isHeld: false, owner: 'somebody' };
const page = {
  order: [{ field: 'id', property: 'id', descending: true }],
  limit: 20,
  skip: 0,
  fields: ['*'],
} as const;
const onlyUnread = { property: 'unread', in: [true] } as const;

/** Sample calls of what is stored about notices. */
export function exercisesOfNotices(connection: Connection): Exercise[] {
  return [
    exercise('createNoticeRepository', createNoticeRepository(connection), {
      async notify(all) {
        for (const happening of ['new', 'new', `h${sample}`]) await all.notify(notified, happening);
        await all.notify({ ...notified, kind: 'ended' }, 'new');
      },
      async source(all) {
        for (const selected of [{}, { unread: true }]) {
          const source = all.source(reader, selected);
          for (const query of [page, { ...page, after: [400] }, { ...page, filter: [onlyUnread] }])
            await source.read(query);
          await source.count([onlyUnread]);
          await source.count();
        }
      },
      async read(all) {
        await all.read(reader, { recordType: 'request', recordId: sample });
        await all.read(reader, { ids: [sample, 5] });
        await all.read(reader, { until: sample });
      },
      dueMails: (all) => all.dueMails(reader, moment(sample)),
      nextMailAt: (all) => all.nextMailAt(reader),
      mailed: (all) => all.mailed([{ ...notified, count: 1, unread: true }], moment(sample)),
      removeOf: (all) => all.removeOf(account, 'request', [5, 17]),
    }),
    exercise('createWatchRepository', createWatchRepository(connection), {
      levelsOf: (all) => all.levelsOf(record),
      find: (all) => all.find({ ...reader, recordType: 'request' }, [sample, 5]),
      async choose(all) {
        await all.choose(record, sample, 'all');
        await all.choose({ ...record, recordId: 5 }, 5, 'own');
      },
      begin: (all) => all.begin(record, 1_000_000),
      removeOf: (all) => all.removeOf(account, 'request', [5, 17]),
    }),
    exercise('createVisitRepository', createVisitRepository(connection), {
      visit: (all) => all.visit(record, { personId: sample, writing: true }, moment(sample)),
      others: (all) => all.others(record, 5, moment(sample)),
    }),
    exercise('createPreferenceRepository', createPreferenceRepository(connection), {
      find: (all) => all.find(reader),
      choose: (all) => all.choose(reader, { answered: { bell: true, mail: false } }),
    }),
    exercise('createMailTurnRepository', createMailTurnRepository(connection), {
      isDue: (all) => all.isDue(moment(sample), ['gone']),
      claim: (all) => all.claim(moment(sample), ['gone'], lease),
      arm: (all) => all.arm(reader, moment(sample)),
      keep: (all) => all.keep(turn),
      find: (all) => all.find(turn),
      async release(all) {
        await all.release(turn, moment(sample));
        await all.release(turn, undefined);
      },
    }),
  ];
}
