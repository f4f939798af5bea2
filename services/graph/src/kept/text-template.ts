import type { Declaration } from '@itsm/shared/declared/language';
import { keeping, keptFields } from './kept';

/** A text that is written again and again, for notes. */
export const textTemplateType = {
  name: 'text_template',
  graphqlName: 'TextTemplate',
  plural: 'text_templates',
  label: 'Text template',
  labelPlural: 'Text templates',
  description: 'A text for notes, under a name.',
  ...keeping,
  fields: [
    keptFields.name,
    {
      name: 'text',
      label: 'Text',
      kind: 'text',
      lines: 'many',
      maxLength: 10_000,
      required: true,
      mustBeGiven: true,
      help: 'Put into a note as it is.',
    },
    keptFields.team,
    keptFields.isOwn,
  ],
} as const satisfies Declaration;
