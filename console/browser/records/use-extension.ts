import { queryOptions } from '@tanstack/react-query';
import { rest } from '../api/rest';
import { formIn } from './custom-form';
import type { FormDefinition } from './custom-form';
import type { Kind } from './kinds';

interface RestExtension {
  readonly id: number;
  readonly name: string;
  readonly form_definition: string | null;
}

/** The form of the active version of a UI extension. */
export const formOptions = (account: string, id: number) =>
  queryOptions({
    queryKey: [account, 'form', id],
    queryFn: async ({ signal }): Promise<FormDefinition> =>
      formIn((await rest<RestExtension>(account, `/ui_extensions/${id}`, { signal })).form_definition),
  });

/** A form that a new record may have. */
export interface Template {
  /** The number of the UI extension. */
  readonly id: number;
  readonly name: string;
  readonly form: FormDefinition;
}

/**
 * The forms that new records of a kind may have: those of UI extensions of the category `request_template`, and so on. An
 * extension that has HTML alone is none.
 */
export const templateOptions = (account: string, kind: Kind) =>
  queryOptions({
    queryKey: [account, 'templates', kind.plural],
    queryFn: async ({ signal }): Promise<readonly Template[]> => {
      const search = `category=${kind.name}_template&disabled=false&fields=id,name,form_definition&per_page=100`;
      const extensions = await rest<readonly RestExtension[]>(account, `/ui_extensions?${search}`, { signal });
      return extensions
        .map(({ id, name, form_definition: form }) => ({ id, name, form: formIn(form) }))
        .filter(({ form }) => form.length > 0);
    },
  });
