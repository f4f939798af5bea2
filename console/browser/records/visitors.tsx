import type { ReactNode } from 'react';
import { Badge } from '../design/badge';
import type { Visitor } from './use-record';

/** Who else looks at a record; those who write are named before the others. */
export function Visitors({ others, noun }: { readonly others: readonly Visitor[]; readonly noun: string }): ReactNode {
  const writing = others.filter((one) => one.writing);
  const [named, does] = writing.length > 0 ? [writing, 'writing a note'] : [others, `looking at this ${noun}`];
  const names = new Intl.ListFormat('en').format(named.map(({ name }) => name));
  return (
    <span className="visitors" role="status">
      {names !== '' && (
        <Badge tone={writing.length > 0 ? 'draft' : 'quiet'}>
          {names} {named.length === 1 ? 'is' : 'are'} {does}
        </Badge>
      )}
    </span>
  );
}
