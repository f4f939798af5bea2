import type { ReactNode } from 'react';
import { Badge } from '../design/badge';
import { toneOf } from './status-tones';

/** The status of a record in words; an unknown one is shown as it is. */
export const RecordStatus = ({ status }: { readonly status: string }): ReactNode => (
  <Badge tone={toneOf(status)}>{inWords(status)}</Badge>
);

/** `waiting_for_customer` as "Waiting for customer". */
function inWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
