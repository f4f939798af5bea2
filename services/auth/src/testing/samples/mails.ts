import { exercise } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import type { MailOrder } from '../../mails/mail-order';
import { createMailOrderRepository } from '../../mails/mail-order.repository';
import { account, gone, later, lease, moment, now, plain, sample } from './sample';

/** A sample of each collection of `mails/`, as it is stored: the `n`-th. */
export const documents = {
  mail_orders: (n: number) => ({
    _id: `order ${n}`,
    kind: 'address',
    accountId: account,
    personId: n,
    version: 1,
    address: `p${n}@wdc.example`,
    createdAt: moment(n),
    dueAt: moment(n),
  }),
};

/** One sample call for each method of each repository of `mails/`. */
export const exercises = (connection: Connection): Exercise[] => [
  exercise('createMailOrderRepository', createMailOrderRepository(connection), {
    insert: (orders) => orders.insert({ ...(plain(documents.mail_orders) as MailOrder), id: 'new' }, now),
    isDue: (orders) => orders.isDue(now, gone),
    claim: (orders) => orders.claim(now, gone, lease),
    postpone: (orders) => orders.postpone(`order ${sample}`, later),
    async keepNewest(orders) {
      const order = plain(documents.mail_orders) as MailOrder;
      await orders.keepNewest(order, 0);
      await orders.keepNewest({ ...order, kind: 'reset-request' }, 3);
    },
    countResetRequests: (orders) => orders.countResetRequests(10_000),
    delete: (orders) => orders.delete(`order ${sample}`),
  }),
];
