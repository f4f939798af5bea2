import { exercise } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import { createAttachmentRepository } from '../attachments/attachment.repository';
import { createUsageRepository } from '../attachments/usage.repository';
import { account, aFile, idOfFile, later, moment, sample } from './sample-documents';

/** Sample calls of what is stored about files. */
export function exercisesOfAttachments(connection: Connection): Exercise[] {
  return [
    exercise('createAttachmentRepository', createAttachmentRepository(connection), {
      begin: (all) => all.begin({ ...aFile(sample), id: idOfFile(1_000_000) }, later),
      measure: (all) => all.measure(aFile(sample)),
      complete: (all) => all.complete(aFile(sample), later),
      findFree: (all) => all.findFree(account, [idOfFile(5), idOfFile(7)]),
      findTaken: (all) => all.findTaken(account, [idOfFile(5), idOfFile(7)]),
      find: (all) => all.find(account, idOfFile(5)),
      async take(all) {
        await all.take(account, [idOfFile(5)], { recordType: 'request', recordId: 5 }, later);
        await all.take(account, [idOfFile(7), idOfFile(5)], { recordType: 'request', recordId: 5 }, later);
      },
      giveBack: (all) => all.giveBack(account, [idOfFile(9)]),
      release: (all) =>
        all.release(account, { id: idOfFile(9), takenBy: { recordType: 'request', recordId: 5 }, dueAt: later }),
      keep: (all) => all.keep(account, [idOfFile(9)], 1),
      keepInText: (all) => all.keepInText(account, [idOfFile(9)]),
      watch: (all) => all.watch(account, [idOfFile(5)], { recordType: 'request', recordId: 5 }, later),
      leaveText: (all) => all.leaveText(account, [idOfFile(5)], { recordType: 'request', recordId: 5 }, later),
      leaveRecords: (all) => all.leaveRecords(account, 'request', [5, 17]),
      leave: (all) => all.leave({ accountId: account, id: idOfFile(11), takenBy: undefined }),
      claimDue: (all) => all.claimDue(moment(200), later),
      forget: (all) => all.forget(account, idOfFile(13)),
    }),
    exercise('createUsageRepository', createUsageRepository(connection), {
      find: (all) => all.find(account),
      add: (all) => all.add(aFile(sample), 1_000_000),
      settle: (all) => all.settle(aFile(sample)),
      async subtract(all) {
        await all.subtract({ ...aFile(sample), isStored: false });
        await all.subtract(aFile(sample));
      },
    }),
  ];
}
