import type { WordDescription } from '@itsm/shared/declared/description';

const nobodyYet = { plain: 'Received', next: 'Somebody will take it up.' };
const planned = { tone: 'warn', plain: 'Planned', next: 'It is done together with other work.' } as const;
const goodEnd = { tone: 'good', plain: 'Done' } as const;
const badEnd = { tone: 'bad', plain: 'Ended' } as const;

/**
 * Every status of records: what it means to those who work, and in plain words to those who asked for the work. One that
 * is not here is shown by its name.
 */
export const statusWords: Readonly<Record<string, Partial<WordDescription>>> = {
  registered: { tone: 'warn', ...nobodyYet },
  // Whom it was assigned to has declined it: somebody else will do it.
  declined: { tone: 'bad', ...nobodyYet },
  on_backlog: { tone: 'warn', ...nobodyYet },
  assigned: { tone: 'info', ...nobodyYet },
  accepted: { tone: 'info', plain: 'In work' },
  in_progress: { tone: 'info', plain: 'In work' },
  progress_halted: { tone: 'warn', plain: 'On hold' },
  waiting_for: { label: 'Waiting for others', tone: 'warn', plain: 'Waiting for somebody else' },
  waiting_for_customer: {
    label: 'Waiting for requester',
    tone: 'warn',
    plain: 'Waiting for your answer',
    next: 'Answer below, then it goes on.',
  },
  request_pending: planned,
  workflow_requested: planned,
  workflow_pending: planned,
  project_pending: planned,
  analyzed: { tone: 'good', plain: 'In work' },
  solved: goodEnd,
  completed: goodEnd,
  approved: goodEnd,
  failed: badEnd,
  rejected: badEnd,
  canceled: badEnd,
};
