import type { TextField } from '@itsm/shared/declared/language';
import { inOneLine } from './one-line';

/** The origin of a record in another system, by which integrations find it again. */
export const sourceFields = [
  {
    name: 'source',
    label: 'Source',
    kind: 'text',
    maxLength: 30,
    check: inOneLine,
    filterable: true,
    audience: 'machine',
    help: 'The system that knows it under the source ID.',
  },
  {
    name: 'sourceID',
    label: 'Source ID',
    kind: 'text',
    maxLength: 128,
    check: inOneLine,
    filterable: true,
    audience: 'machine',
  },
] as const satisfies readonly TextField[];
