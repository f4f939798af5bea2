import { wholeList } from '../api/graphql/list-arguments';
import type { Condition } from '../api/rest/filter';
import { AppError, notFound } from '../base/errors/app-error';
import type { ViewDescription } from './description';
import type { Declaration, DerivedField, StoredField } from './language';

/** A part of a list that has a name: the argument `view` in GraphQL, and a path of its own in REST. */
export interface View extends Omit<ViewDescription, 'label'> {
  /** Follows from the name when absent. */
  readonly label?: string;
  /** What its records have in common, of each caller the same. */
  readonly where: readonly Condition[];
}

const standings = [
  ['enabled', 'Of these, what is not disabled.', false],
  ['disabled', 'Of these, what is disabled.', true],
] as const;

/** The views of every type whose records can be disabled. */
export const standingViews = (fields: readonly (StoredField | DerivedField)[]): readonly View[] =>
  fields.some(({ name, filterable }) => name === 'disabled' && filterable)
    ? standings.map(([name, description, is]) => ({
        name,
        description,
        where: [{ property: 'disabled', in: [is] }],
      }))
    : [];

/** The views of a type that administrators edit. Accounts have no more, since a path would be the name of one. */
export const viewsOf = ({ views, fields, isAccount }: Declaration): readonly View[] => [
  ...(views
    ? Object.entries(views).map(([name, words]) => ({
        name,
        ...(typeof words === 'string' ? { description: words } : words),
      }))
    : [wholeList]
  ).map((whole) => ({ ...whole, where: [] })),
  ...(isAccount ? [] : standingViews(fields)),
];

/** The 404 for a part of a path that is neither an id nor a view: a word gets a sentence that names the views. */
export const noSuchView = (plural: string, text: string, views: readonly string[]): AppError =>
  /^[a-z][a-z_]{2,39}$/.test(text)
    ? new AppError('not_found', `Not Found: ${plural} have no list ${text}, but ${views.join(', ')}`)
    : notFound();
