import { exercise } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import type { Alert } from '../../oauth/alert';
import { createAlertRepository } from '../../oauth/alert.repository';
import { account, gone, later, lease, moment, now, plain } from './sample';

/** A sample of each collection of `oauth/`, as it is stored: the `n`-th. */
export const documents = {
  alerts: (n: number) => ({
    _id: `alert ${n}`,
    event: 'code.replayed',
    accountId: account,
    personId: n,
    at: moment(n),
    applicationAccountId: account,
    applicationName: 'A',
    ...(n % 100 === 0 && { dueAt: moment(n) }),
  }),
};

/** One sample call for each method of each repository of `oauth/`. */
export const exercises = (connection: Connection): Exercise[] => [
  exercise('createAlertRepository', createAlertRepository(connection), {
    insert: (alerts) => alerts.insert({ ...(plain(documents.alerts) as Alert), id: 'new' }),
    isDue: (alerts) => alerts.isDue(now, gone),
    claim: (alerts) => alerts.claim(now, gone, lease),
    settle: (alerts) => alerts.settle('alert 100'),
    postpone: (alerts) => alerts.postpone('alert 100', later),
  }),
];
