import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import type { FormValues } from '@itsm/shared/declared/form-fields';
import type { InputError } from '../design/input-error';
import { useAccount } from '../frame/account';
import { useDraft } from '../frame/draft';
import { changesOf, edited, keptOf, missingIn, withEdits } from './custom-form';
import type { CustomField, FormDefinition } from './custom-form';
import { takesCustom } from './editing';
import type { Kind } from './kinds';
import { templateOptions } from './use-extension';
import type { Template } from './use-extension';

interface Draft {
  /** The number of the UI extension; empty without one. */
  readonly chosen: string;
  /** What is filled in, without passwords. */
  readonly edits: readonly CustomField[];
}
const nothing: FormValues = new Map();
const empty: Draft = { chosen: '', edits: [] };

/** The form of a UI extension that a new record is made with, as far as it is filled in. */
export interface ChosenTemplate {
  /** Those that there are; none as long as it is not known. */
  readonly templates: readonly Template[];
  /** The number of the UI extension; empty without one. */
  readonly chosen: string;
  readonly form: FormDefinition;
  readonly values: FormValues;
  choose(id: string): void;
  change(id: string, value: string | boolean): void;
  wrong(): readonly InputError[];
  /** Its members of the body of the write. */
  body(): Readonly<Record<string, unknown>>;
  drop(): void;
}

export function useTemplate(kind: Kind, type: TypeDescription): ChosenTemplate {
  const { account } = useAccount();
  const [draft, setDraft, drop] = useDraft(`new ${kind.plural} form`, empty);
  const [edits, setEdits] = useState(draft.edits);
  const values = withEdits(nothing, edits);
  const query = useQuery({ ...templateOptions(account, kind), enabled: takesCustom(type) });
  const templates = query.data ?? [];
  const template = templates.find(({ id }) => String(id) === draft.chosen);
  const form = template?.form ?? [];
  // One that was chosen in a draft may have been disabled since.
  const isComing = draft.chosen !== '' && query.data === undefined;
  return {
    templates,
    chosen: template ? draft.chosen : '',
    form,
    values,
    choose(id) {
      setEdits([]);
      setDraft({ chosen: id, edits: [] });
    },
    change(id, value) {
      const next = edited(edits, id, value);
      setEdits(next);
      setDraft({ chosen: draft.chosen, edits: keptOf(form, next) });
    },
    wrong: () =>
      isComing ? [{ path: 'template', message: 'The fields of the form are not there yet.' }] : missingIn(form, values),
    body: () => (template ? { ui_extension_id: template.id, custom_fields: changesOf(form, nothing, values) } : {}),
    drop,
  };
}
