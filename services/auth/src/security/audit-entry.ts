import type { Scope } from '@itsm/shared/contracts/scopes';
import type { AuditEvent } from './audit-event';

/** A person of an account; a whole `Person` will do, only these members are kept. */
export interface AuditPerson {
  readonly accountId: string;
  readonly id: number;
  readonly name?: string;
}

/** A whole `Application` will do. */
export interface AuditApplication {
  readonly accountId: string;
  readonly id: number;
  readonly name?: string;
}

export type AuditFact = string | number | boolean | readonly string[];

export type AuditFacts = Readonly<Record<string, AuditFact>>;

/** What a use case records of an event; who asked, from where and under which request id is added to it. */
export interface AuditEntry {
  readonly event: AuditEvent;
  /** Whom it happened to. */
  readonly person?: AuditPerson;
  /** With which application; the administrators of its account read the entry as well. */
  readonly application?: AuditApplication;
  /** Which of the application's client tokens. */
  readonly clientId?: string;
  /** Who did it, unless it is the person who makes the request. */
  readonly actor?: AuditPerson;
  /** Never a token, a code, a secret or a password. */
  readonly facts?: AuditFacts;
  /** Another account whose administrators read the entry. */
  readonly alsoIn?: string;
  /** Leaves out network and browser, where they may belong to a person of another account. */
  readonly withoutOrigin?: boolean;
  /** Entries with the same members are written once, however often the thing happens. */
  readonly once?: readonly string[];
}

/** Where a request came from. */
export interface Origin {
  /** Null when it is not known. */
  readonly ip: string | null;
  readonly userAgent: string;
  readonly requestId: string;
  /** Read late: who makes the request is established after it has come in. */
  actor(): AuditPerson | undefined;
}

/** An entry as it is kept. Ids fall with time: in ascending order the newest comes first. */
export interface AuditRecord {
  readonly id: number;
  /** Whose administrators read it; none for a sign-in that names no known person. */
  readonly accountIds: readonly string[];
  readonly event: AuditEvent;
  readonly at: Date;
  readonly person: AuditPerson | null;
  readonly application: AuditApplication | null;
  readonly clientId: string | null;
  readonly actor: AuditPerson | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  readonly facts: AuditFacts;
  readonly once: string | null;
}

export const keptMilliseconds = 365 * 86_400_000;

/** The account of an attempt that names none: no account has an empty id, so that the API never shows the entry. */
export const noAccount = '';

/** Scopes as a fact: `request:Read`, `request:Read in wdc`, `never person:Delete`. */
export const scopeFacts = (scopes: readonly Scope[]): string[] =>
  scopes.flatMap(({ effect, actions, account }) =>
    actions.map((action) => {
      const where = account === undefined ? action : `${action} in ${account}`;
      return effect === 'deny' ? `never ${where}` : where;
    }),
  );
