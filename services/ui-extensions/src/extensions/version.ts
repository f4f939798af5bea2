import type { Content } from '../contents/content';

export type VersionStatus = 'being_prepared' | 'active' | 'archived';

/** A version of a UI extension; `name` is the extension's name at the version's creation. */
export interface Version {
  readonly id: number;
  readonly extensionId: number;
  readonly name: string;
  readonly versionNr: number;
  readonly status: VersionStatus;
  readonly activatedAt: Date | null;
  readonly archivedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly content: Content;
}

/** A new version; its status is "being prepared". */
export const newVersion = (
  base: Pick<Version, 'id' | 'extensionId' | 'name' | 'versionNr' | 'content'>,
  now: Date,
): Version => ({
  ...base,
  status: 'being_prepared',
  activatedAt: null,
  archivedAt: null,
  createdAt: now,
  updatedAt: now,
});

export const activated = (version: Version, now: Date): Version => ({
  ...version,
  status: 'active',
  activatedAt: now,
  updatedAt: now,
});

export const archived = (version: Version, now: Date): Version => ({
  ...version,
  status: 'archived',
  archivedAt: now,
  updatedAt: now,
});
