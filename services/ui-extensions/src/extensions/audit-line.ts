/** Who writes; none when the platform itself makes its demo data. */
export interface Author {
  readonly id: number;
  readonly name: string;
}

export type Value = string | boolean | null;

/** A field that has another value now. The texts of a version are named only: they are long, and stand in the versions. */
export interface FieldChange {
  readonly field: string;
  readonly from?: Value;
  readonly to?: Value;
}

/** What one write did to an extension itself, or to one of its versions; it never changes. */
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
