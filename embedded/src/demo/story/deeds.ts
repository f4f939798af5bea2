import type { GraphApp } from '@itsm/graph/app';
import type { Role } from '@itsm/shared/contracts/directory';

/** The further people of the story. */
export const storyPeople = {
  mia: { name: 'Mia Okafor', position: 'specialist, leads Network Operations', roles: ['specialist'] },
  sam: { name: 'Sam Ortiz', position: 'auditor', roles: ['auditor'] },
  tom: { name: 'Tom Reyes', position: 'end user, reads Dutch', roles: ['end_user'], locale: 'nl-NL' },
} as const satisfies Readonly<Record<string, StoryRole>>;

interface StoryRole {
  readonly name: string;
  readonly position: string;
  readonly roles: readonly Role[];
  readonly locale?: string;
}

/** Ellen, Howard and Grace are the administrator, the specialist and the end user of the account. */
export type StoryPerson = 'ellen' | 'howard' | 'grace' | keyof typeof storyPeople;

/** Stands for the number of a person, a record or the UI extension of the story. */
export interface Ref {
  readonly ref: string;
}
export const of = (ref: string): Ref => ({ ref });

/** A step of a record's past, with the numbers of what it names. */
export type Deed = Parameters<GraphApp['seed']['ensureDeed']>[1];

type Type = Deed['type'];
type StoryValue = Deed['values'][string] | Ref | readonly Ref[];

/** What somebody did to a record, some hours before the first start. The first of a record creates it. */
export interface StoryDeed {
  readonly record: string;
  readonly type: Type;
  readonly hoursAgo: number;
  readonly by: StoryPerson;
  readonly set?: Readonly<Record<string, StoryValue>>;
  readonly reply?: string;
  readonly internal?: string;
  readonly step?: string;
}

export type Told = Omit<StoryDeed, 'record' | 'type'>;
export const tell = (type: Type, record: string, ...told: readonly Told[]): readonly StoryDeed[] =>
  told.map((one) => ({ ...one, type, record }));

export const network = of('network');
export const desk = of('desk');
