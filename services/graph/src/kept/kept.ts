import type { Role } from '@itsm/shared/contracts/directory';
import type { Declaration } from '@itsm/shared/declared/language';
import type { GivenOf, RecordOf } from '@itsm/shared/declared/record-of';
import { kind } from '../record-types/kind';

const staff: readonly Role[] = ['account_administrator', 'directory_administrator', 'specialist', 'auditor'];

/** What the types have in common that people keep for themselves, or share with a team of theirs. */
export const keeping = {
  writes: {
    create: 'The caller becomes its owner.',
    update: 'Those who see it may change it; its owner alone takes it away from its team.',
    delete: 'Those who see it may delete it.',
  },
  readers: staff,
  editors: { create: staff, update: staff, delete: staff },
  reads: {
    list: "The caller's own, and those that are shared with teams of theirs.",
    one: 'Null when the caller sees none with this id.',
  },
  nullIs: 'refused',
  isVersioned: true,
} as const satisfies Partial<Declaration>;

export const keptFields = {
  name: {
    name: 'name',
    label: 'Name',
    kind: 'text',
    maxLength: 80,
    required: true,
    mustBeGiven: true,
    filterable: true,
    sortable: true,
    help: 'Unique among those of its owner.',
  },
  team: {
    name: 'team',
    label: 'Team',
    kind: 'reference',
    to: kind('team'),
    help: 'Its members see it too; a team of the caller. Empty: its owner alone sees it.',
  },
  isOwn: {
    name: 'isOwn',
    label: 'Own',
    kind: 'derived',
    type: 'Boolean!',
    written: 'never',
    help: 'The caller is its owner.',
  },
} as const;

/** The most that one person, and one team, can have of a type. */
export const mostKept = { own: 100, shared: 50 } as const;

/** A declaration of something that is kept: with the fields `name`, `team` and `isOwn`. */
export type KeptType = Declaration & {
  readonly fields: readonly (
    | (typeof keptFields)[keyof typeof keptFields]
    | Extract<Declaration['fields'][number], { readonly kind: 'text' | 'flag' }>
  )[];
};

/** Something that is kept, beside what is declared of its type. */
export type Kept<D extends KeptType> = RecordOf<D> & {
  readonly id: number;
  readonly accountId: string;
  readonly ownerId: number;
  readonly name: string;
  readonly teamId: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly version: number;
};

export type KeptInput<D extends KeptType> = GivenOf<D> & { readonly teamId?: number | null };
