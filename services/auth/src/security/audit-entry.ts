import type { Scope } from '@itsm/shared/contracts/scopes';
import type { AuditEvent } from './audit-event';

/** A person of an account. Callers may pass a whole `Person`; only these members are stored. */
export interface AuditPerson {
  readonly accountId: string;
  readonly id: number;
  readonly name?: string;
}

/** Callers may pass a whole `Application`. */
export interface AuditApplication {
  readonly accountId: string;
  readonly id: number;
  readonly name?: string;
}

export type AuditFact = string | number | boolean | readonly string[];

export type AuditFacts = Readonly<Record<string, AuditFact>>;

/** An event as recorded by a use case. Actor, origin and request id are added from the present request. */
export interface AuditEntry {
  readonly event: AuditEvent;
  /** The affected person. */
  readonly person?: AuditPerson;
  /** The application; administrators of its account read the entry too. */
  readonly application?: AuditApplication;
  /** The client token. */
  readonly clientId?: string;
  /** The actor; default: the person who makes the request. */
  readonly actor?: AuditPerson;
  /** Details. Must never contain a token, code, secret or password. */
  readonly facts?: AuditFacts;
  /** A further account whose administrators read the entry. */
  readonly alsoIn?: string;
  /** Omits network and browser, where they may belong to a person of another account. */
  readonly withoutOrigin?: boolean;
  /** Deduplication key: of entries with the same members only the first is written. */
  readonly once?: readonly string[];
}

/** The origin of a request. */
export interface Origin {
  /** Null when it is not known. */
  readonly ip: string | null;
  readonly userAgent: string;
  readonly requestId: string;
  /** A function, because the person is authenticated later than the origin is assigned. */
  actor(): AuditPerson | undefined;
}

/** A stored entry. Ids decrease with time, so ascending order is newest first. */
export interface AuditRecord {
  readonly id: number;
  /** The accounts whose administrators read it; empty for a sign-in without a known person. */
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

/** The account id of an attempt without account. No account has an empty id, so the API never shows the entry. */
export const noAccount = '';

/** Scopes as a fact: `request:Read`, `request:Read in wdc`, `never person:Delete`. */
export const scopeFacts = (scopes: readonly Scope[]): string[] =>
  scopes.flatMap(({ effect, actions, account }) =>
    actions.map((action) => {
      const where = account === undefined ? action : `${action} in ${account}`;
      return effect === 'deny' ? `never ${where}` : where;
    }),
  );
