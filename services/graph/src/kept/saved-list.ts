import type { Declaration } from '@itsm/shared/declared/language';
import { keeping, keptFields } from './kept';

/** A list of records that somebody comes back to. */
export const savedListType = {
  name: 'saved_list',
  graphqlName: 'SavedList',
  plural: 'saved_lists',
  label: 'Saved list',
  labelPlural: 'Saved lists',
  description: 'A list of records, with its view, filters and order, under a name.',
  ...keeping,
  fields: [
    keptFields.name,
    {
      name: 'type',
      label: 'Type',
      kind: 'text',
      maxLength: 80,
      required: true,
      mustBeGiven: true,
      written: 'on create',
      filterable: true,
      help: 'The type of its records in GraphQL: Request.',
    },
    {
      name: 'search',
      label: 'Search',
      kind: 'text',
      maxLength: 2_000,
      exact: true,
      default: '',
      help: 'The query of its address in the console: view=unassigned&status=assigned. Empty for the list as it opens.',
    },
    keptFields.team,
    keptFields.isOwn,
  ],
} as const satisfies Declaration;
