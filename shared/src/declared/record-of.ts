import type { z } from 'zod';
import type { Declaration, StoredField } from './language';

type Fields<D extends Declaration> = D['fields'][number];
type Input<D extends Declaration> = Exclude<Fields<D>, { readonly kind: 'derived' }>;
type Stored<D extends Declaration> = Exclude<Input<D>, { readonly isInputOnly: true }>;
/** References are kept by id, secrets and standings in a form of their own. */
type PropertyOf<F extends StoredField> = F extends { readonly property: infer P extends string }
  ? P
  : F['kind'] extends 'person' | 'reference'
    ? `${F['name']}Id`
    : F['name'];
type Writable<D extends Declaration> = Exclude<Input<D>, { readonly written: 'never' }>;

interface ValueByKind {
  text: string;
  flag: boolean;
  timestamp: Date;
  date: Date;
  integer: number;
  person: number;
  people: readonly number[];
  record: number;
  account: string;
  reference: number;
  texts: readonly string[];
  secret: string;
  standing: Date;
}

type ValueOf<F extends StoredField> = F extends { readonly kind: 'choices'; readonly choices: readonly (infer C)[] }
  ? readonly C[]
  : F extends { readonly kind: 'shape'; readonly schema: infer S extends z.ZodType }
    ? z.output<S>
    : SimpleValueOf<F>;
type SimpleValueOf<F extends StoredField> = F extends {
  readonly kind: 'choice';
  readonly choices: readonly (infer C)[];
}
  ? C
  : F['kind'] extends keyof ValueByKind
    ? ValueByKind[F['kind']]
    : never;
type Filled = { readonly required: true } | { readonly default: unknown };
type Kept<F extends StoredField> = ValueOf<F> | (F extends Filled ? never : null);

/** A record's own fields: `RecordOf<typeof policyType>`; null stands for an empty one. */
export type RecordOf<D extends Declaration> = { readonly [F in Stored<D> as PropertyOf<F>]: Kept<F> };

type Conveyed = { readonly kind: 'secret' | 'standing' };

/** Values that were read from a caller's input; what was not given is absent. */
export type GivenOf<D extends Declaration> = {
  readonly [F in Writable<D> as F extends Conveyed ? F['name'] : PropertyOf<F>]?: F extends {
    readonly kind: 'standing';
  }
    ? boolean
    : Kept<F>;
};

/** The names of the derived fields. */
export type DerivedOf<D extends Declaration> = Extract<Fields<D>, { readonly kind: 'derived' }>['name'];
