import type { Broker } from '@itsm/shared/messages/broker/broker';
import { accountSaved, personSaved } from '@itsm/shared/contracts/directory';
import { toAccountSaved } from './account';
import type { AccountRepository } from './account.repository';
import { toPersonSaved } from './person';
import type { PersonRepository } from './person.repository';
import type { BackfillProgress, BackfillRepository } from './backfill.repository';

interface Dependencies {
  readonly accounts: AccountRepository;
  readonly people: PersonRepository;
  readonly backfills: BackfillRepository;
  readonly broker: Pick<Broker, 'publish'>;
}

export interface BackfillOptions {
  /** Documents read and published at once. */
  readonly batchSize?: number;
  /** Starts over instead of resuming an interrupted run. */
  readonly restart?: boolean;
}

export interface BackfillReport {
  readonly accounts: number;
  readonly people: number;
}

const start: BackfillProgress = { afterAccount: '', accountsDone: false, afterPerson: 0 };

/**
 * Publishes every account and person in its present state, for a new consumer. Consumers ignore known versions, so runs
 * can be repeated. An interrupted run resumes after its last full batch.
 */
export type Backfill = (options?: BackfillOptions) => Promise<BackfillReport>;

export function createBackfill({ accounts, people, backfills, broker }: Dependencies): Backfill {
  async function publishAccounts(after: string, limit: number) {
    const slice = { after, before: undefined, limit, from: 'start' } as const;
    const batch = await accounts.list({}, slice);
    await Promise.all(
      batch.map((account) =>
        broker.publish(accountSaved, toAccountSaved(account), `backfill account ${account.id} ${account.version}`),
      ),
    );
    return batch;
  }

  async function publishPeople(after: number, limit: number) {
    const batch = await people.listEverybody(after, limit);
    await Promise.all(
      batch.map((person) =>
        broker.publish(personSaved, toPersonSaved(person), `backfill person ${person.id} ${person.version}`),
      ),
    );
    return batch;
  }

  return async ({ batchSize = 200, restart = false } = {}) => {
    let progress = (restart ? undefined : await backfills.find()) ?? start;
    const published = { accounts: 0, people: 0 };
    while (!progress.accountsDone) {
      const batch = await publishAccounts(progress.afterAccount, batchSize);
      published.accounts += batch.length;
      const afterAccount = batch.at(-1)?.id ?? progress.afterAccount;
      progress = { ...progress, afterAccount, accountsDone: batch.length < batchSize };
      await backfills.save(progress);
    }
    for (let more = true; more;) {
      const batch = await publishPeople(progress.afterPerson, batchSize);
      published.people += batch.length;
      more = batch.length === batchSize;
      progress = { ...progress, afterPerson: batch.at(-1)?.id ?? progress.afterPerson };
      await backfills.save(progress);
    }
    await backfills.delete();
    return published;
  };
}
