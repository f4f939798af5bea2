import './badge.css';
import { Check, Clock, Hourglass, Minus, Pencil, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/** The meaning of a state for the reader; each tone has its own icon, so that a state never depends on colour alone. */
export type Tone = 'good' | 'info' | 'warn' | 'bad' | 'quiet' | 'draft';

const icons = { good: Check, info: Clock, warn: Hourglass, bad: TriangleAlert, quiet: Minus, draft: Pencil };

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode {
  const Icon = icons[tone];
  return (
    <span className={`badge badge-${tone}`}>
      <Icon aria-hidden size={12} strokeWidth={2.25} />
      {children}
    </span>
  );
}
