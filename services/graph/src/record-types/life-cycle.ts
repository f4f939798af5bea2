import type { Role } from '@itsm/shared/contracts/directory';

/** Where a record is in its life. */
export const lifeCycleStates = ['active', 'archived', 'trashed'] as const;
export type LifeCycleState = (typeof lifeCycleStates)[number];

/** An erased record is about to be deleted, and seen by nobody. */
export type StoredState = LifeCycleState | 'erased';

/** That a record is not active: since when, and by whom. */
export interface SetAside {
  readonly state: Exclude<StoredState, 'active'>;
  readonly at: Date;
  readonly by: { readonly id: number; readonly name: string };
  /** The number of its entry in the archive or in the trash, unique over all types. */
  readonly entry: number;
}

/** The use cases that change the state. */
export const moves = { archive: 'archived', trash: 'trashed', restore: 'active' } as const;
export type Move = keyof typeof moves;
export const moveNames = Object.keys(moves) as readonly Move[];

/** The roles that archive, trash and restore, and read the trash. */
export const keepers: readonly Role[] = ['account_administrator', 'directory_administrator'];

/** The field of audit lines. */
export const lifeCycleField = 'lifeCycleState';

export const stateOf = ({ aside }: { readonly aside?: SetAside | undefined }): StoredState => aside?.state ?? 'active';

/** Records in the trash are deleted after that time. */
export const trashDays = 30;
