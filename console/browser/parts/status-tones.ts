import type { Tone } from '../design/badge';

const tones: readonly (readonly [Tone, RegExp])[] = [
  ['good', /^(completed|solved|approved|analyzed)$/],
  ['info', /^(in_progress|accepted|assigned)$/],
  ['bad', /^(failed|declined|rejected|canceled)$/],
  ['warn', /^(waiting_for.*|.*_pending|.*_requested|on_backlog|registered|progress_halted)$/],
  ['draft', /^being_prepared$/],
];

/** What a status of a record means to the reader. */
export const toneOf = (status: string): Tone => tones.find(([, pattern]) => pattern.test(status))?.[0] ?? 'quiet';

/** Whether the work has ended with this status, well or not. */
export const isEnded = (status: string): boolean => ['good', 'bad'].includes(toneOf(status));
