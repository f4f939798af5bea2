import type { ReactNode } from 'react';
import { Time } from '../design/time';

/** When something was last used; `at` is null if never. */
export function LastUse({ at }: { readonly at: string | null }): ReactNode {
  return at === null ? <span className="muted">Never</span> : <Time at={at} />;
}
