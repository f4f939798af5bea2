import { presentTime } from './timestamp';

interface Stamped {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface Sourced extends Stamped {
  readonly source: string | null;
  readonly sourceID: string | null;
}

export const stampedFields = {
  created_at: ({ createdAt }: Stamped) => presentTime(createdAt),
  updated_at: ({ updatedAt }: Stamped) => presentTime(updatedAt),
};

/** The last fields of records that other systems may create: source, source id and the times. */
export const sourcedFields = {
  source: ({ source }: Sourced) => source,
  sourceID: ({ sourceID }: Sourced) => sourceID,
  ...stampedFields,
};

/** The first filters of records that have a name. */
export const namedFilters = {
  id: { property: 'id', type: 'integer' },
  name: { property: 'name', type: 'string' },
} as const;

export const stampedFilters = {
  created_at: { property: 'createdAt', type: 'time' },
  updated_at: { property: 'updatedAt', type: 'time' },
} as const;

export const sourcedFilters = {
  source: { property: 'source', type: 'string' },
  sourceID: { property: 'sourceID', type: 'string' },
  ...stampedFilters,
} as const;
