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

/** The forms that new records of a kind may have: UI extensions of the category `request_template`, and so on. */
export const templateOptions = (account: string, kind: Kind) =>
  queryOptions({
    queryKey: [account, 'templates', kind.plural],
    queryFn: ({ signal }) =>
      rest<readonly Pick<RestExtension, 'id' | 'name'>[]>(
        account,
        `/ui_extensions?category=${kind.name}_template&disabled=false&fields=id,name&per_page=100`,
        { signal },
      ),
  });
