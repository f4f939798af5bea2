import type { Directory } from './directory/module';
import type { Records } from './create-records';

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

/** Demo data for the local starter; existing records stay unchanged, and no event is published. */
export interface Seed {
  /** Whether the directory knows the person yet. */
  knowsPerson(id: number): Promise<boolean>;
  ensureTeam(accountId: string, team: TeamSeed): Promise<{ readonly id: number }>;
  ensureRequest(accountId: string, request: RequestSeed): Promise<{ readonly id: number }>;
}

export function createSeed({ writing }: Records, { store: directory }: Directory): Seed {
  return {
    knowsPerson: async (id) => (await directory.findPeople([id])).length > 0,
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
  };
}
