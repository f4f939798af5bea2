import type { Role } from '@itsm/shared/contracts/directory';
import type { Values } from '@itsm/shared/declared/values';
import type { Records } from './create-records';
import type { Directory } from './directory/module';
import type { Forms } from './forms/module';
import type { RecordType } from './record-types/record-type';
import type { Outcome } from './write/outcome';

/** Identifies a seeded record within its account, which makes seeding idempotent. */
interface Sourced {
  readonly source: string;
  readonly sourceID: string;
}

export interface TeamSeed extends Sourced {
  readonly name: string;
  readonly memberIds: readonly number[];
}

export interface RequestSeed extends Sourced {
  readonly subject: string;
  readonly category?: string;
  readonly impact?: string;
  readonly status?: string;
  readonly requestedById: number;
  readonly requestedForId?: number;
  readonly teamId?: number;
  readonly memberId?: number;
  readonly createdAt?: Date;
}

/** What somebody did to a record at a time of the past. */
export interface Deed extends Sourced {
  readonly type: RecordType['name'];
  /** The version that the record has after it; the first one creates the record. */
  readonly version: number;
  readonly at: Date;
  readonly by: { readonly id: number; readonly name: string; readonly roles: readonly Role[] };
  readonly values: Values;
  readonly note?: { readonly text: string; readonly internal: boolean };
  /** A step of those to whom the record belongs, such as `reopen`, instead of values. */
  readonly step?: string;
}

/** Demo data for the local starter; nothing here publishes events. */
export interface Seed {
  /** Whether the directory knows the person yet. */
  knowsPerson(id: number): Promise<boolean>;
  /** Whether the form of the UI extension is known yet. */
  knowsForm(accountId: string, id: number): Promise<boolean>;
  /** An existing team stays unchanged. */
  ensureTeam(accountId: string, team: TeamSeed): Promise<{ readonly id: number }>;
  /** An existing request stays unchanged. */
  ensureRequest(accountId: string, request: RequestSeed): Promise<{ readonly id: number }>;
  /**
   * Does it as that person, unless the record has this version already. Throws an Error with what was
   * refused.
   */
  ensureDeed(accountId: string, deed: Deed): Promise<{ readonly id: number }>;
}

interface Needs {
  readonly directory: Directory;
  readonly forms: Forms;
}

export function createSeed({ writing, writingAt, types, store }: Records, { directory, forms }: Needs): Seed {
  return {
    knowsPerson: async (id) => (await directory.store.findPeople([id])).length > 0,
    knowsForm: async (accountId, id) => (await forms.store.find(accountId, [id])).length > 0,
    async ensureTeam(accountId, { source, sourceID, name, memberIds }) {
      const { id } = await writing.serviceOf('team').ensure(accountId, { source, sourceID, name, members: memberIds });
      return { id };
    },
    async ensureRequest(accountId, seed) {
      const values = {
        source: seed.source,
        sourceID: seed.sourceID,
        subject: seed.subject,
        category: seed.category ?? null,
        impact: seed.impact ?? null,
        status: seed.status ?? null,
        team: seed.teamId ?? null,
        member: seed.memberId ?? null,
        requestedBy: seed.requestedById,
        requestedFor: seed.requestedForId ?? seed.requestedById,
      };
      const { id } = await writing.serviceOf('request').ensure(accountId, values, seed.createdAt);
      return { id };
    },
    async ensureDeed(accountId, deed) {
      const { source, sourceID, note: said } = deed;
      const [record] = await store.repositoryOf(deed.type).findBySource(accountId, [{ source, sourceID }]);
      if (record && record.version >= deed.version) return { id: record.id };
      const service = writingAt(deed.at).serviceOf(deed.type);
      const caller = callerOf(accountId, deed);
      const note = said && { ...said, attachments: [] };
      const step = types.find(({ name }) => name === deed.type)?.steps?.find(({ name }) => name === deed.step);
      const errors: readonly [] = [];
      const given = { values: record ? deed.values : { ...deed.values, source, sourceID }, note, files: [], errors };
      const outcome: Outcome = !record
        ? await service.create(accountId, caller, given)
        : step
          ? await service.take(accountId, caller, record.id, step, { note, flags: {}, errors })
          : await service.update(accountId, caller, record.id, given);
      if ('errors' in outcome) throw new Error(`${deed.type} ${sourceID}: ${JSON.stringify(outcome.errors)}`);
      return { id: outcome.record.id };
    },
  };
}

const callerOf = (accountId: string, { by }: Deed) => ({
  personId: by.id,
  name: by.name,
  homeAccountId: accountId,
  accountId,
  roles: by.roles,
  accounts: { [accountId]: [...by.roles] },
  scopes: [{ effect: 'allow' as const, actions: ['*:*'] }],
  kind: 'personal' as const,
  applicationId: null,
  locale: 'en',
  timeZone: 'UTC',
  authenticatedAt: undefined,
});
