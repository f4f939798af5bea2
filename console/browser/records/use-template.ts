import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import type { FormValues } from '@itsm/shared/declared/form-fields';
import type { InputError } from '../design/input-error';
import { useAccount } from '../frame/account';
import { useDraft } from '../frame/draft';
import { changesOf, keptOf, missingIn, valuesIn, withValue } from './custom-form';
import type { CustomField, FormDefinition } from './custom-form';
import { takesCustom } from './editing';
import type { Kind } from './kinds';
import { formOptions, templateOptions } from './use-extension';

interface Draft {
  /** The number of the UI extension; empty without one. */
  readonly chosen: string;
  /** What is filled in, without passwords. */
  readonly values: readonly CustomField[];
}
const empty: Draft = { chosen: '', values: [] };

/** The form of a UI extension that a new record is made with, as far as it is filled in. */
export interface Template {
  /** Those that there are; undefined as long as it is not known. */
  readonly templates: readonly { readonly id: number; readonly name: string }[] | undefined;
  /** The number of the UI extension; empty without one. */
  readonly chosen: string;
  readonly query: UseQueryResult<FormDefinition>;
  readonly form: FormDefinition;
  readonly values: FormValues;
  choose(id: string): void;
  change(id: string, value: string | boolean): void;
  wrong(): readonly InputError[];
  /** Its members of the body of the write. */
  body(): Readonly<Record<string, unknown>>;
  drop(): void;
}

export function useTemplate(kind: Kind, type: TypeDescription): Template {
  const { account } = useAccount();
  const [{ chosen, values: kept }, setDraft, drop] = useDraft(`new ${kind.plural} form`, empty);
  const [values, setValues] = useState<FormValues>(() => valuesIn(kept));
  const templates = useQuery({ ...templateOptions(account, kind), enabled: takesCustom(type) });
  const query = useQuery({ ...formOptions(account, Number(chosen)), enabled: chosen !== '' });
  const form = (chosen !== '' && query.data) || [];
  const isThere = chosen === '' || query.data !== undefined;
  return {
    templates: templates.data,
    chosen,
    query,
    form,
    values,
    choose(id) {
      setValues(new Map());
      setDraft({ chosen: id, values: [] });
    },
    change(id, value) {
      const next = withValue(values, id, value);
      setValues(next);
      setDraft({ chosen, values: keptOf(form, next) });
    },
    wrong: () =>
      isThere ? missingIn(form, values) : [{ path: 'template', message: 'The fields of the form are not there yet.' }],
    body: () =>
      chosen === '' ? {} : { ui_extension_id: Number(chosen), custom_fields: changesOf(form, new Map(), values) },
    drop,
  };
}
