/** The person who writes; absent for demo data. */
export interface Author {
  readonly id: number;
  readonly name: string;
}

export type Value = string | boolean | null;

/** A changed field. Texts of a version are only named, without values: they are long, and the versions have them. */
export interface FieldChange {
  readonly field: string;
  readonly from?: Value;
  readonly to?: Value;
}

/** What one write changed in an extension, or in one of its versions. Immutable. */
export interface AuditLine {
  readonly id: number;
  readonly extensionId: number;
  readonly version: { readonly id: number; readonly versionNr: number } | null;
  readonly action: 'created' | 'updated' | 'activated' | 'archived';
  readonly changes: readonly FieldChange[];
  readonly author: Author | null;
  readonly createdAt: Date;
}

export type Change = Pick<AuditLine, 'version' | 'action' | 'changes'>;
