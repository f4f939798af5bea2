import type { ReactNode } from 'react';
import { Badge } from '../design/badge';
import type { Tone } from '../design/badge';

const tones: readonly (readonly [Tone, RegExp])[] = [
  ['good', /^(completed|solved|approved|analyzed)$/],
  ['info', /^(in_progress|accepted|assigned)$/],
  ['bad', /^(failed|declined|rejected|canceled)$/],
  ['warn', /^(waiting_for.*|.*_pending|.*_requested|on_backlog|registered|progress_halted)$/],
  ['draft', /^being_prepared$/],
];

/** The status of a record in words; an unknown one is shown as it is. */
export const RecordStatus = ({ status }: { readonly status: string }): ReactNode => (
  <Badge tone={tones.find(([, pattern]) => pattern.test(status))?.[0] ?? 'quiet'}>{inWords(status)}</Badge>
);

/** `waiting_for_customer` as "Waiting for customer". */
function inWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
