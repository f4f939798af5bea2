import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { Time } from '../design/time';
import { memberWords } from '../parts/settings';
import type { WebhookDetail } from './documents';

type Line = NonNullable<WebhookDetail['auditLines']>['nodes'][number];

function valueOf(field: string, value: string | null): string {
  if (value === null) return 'none';
  if (field.startsWith('webhook_policy')) return `policy ${value}`;
  return { true: 'yes', false: 'no' }[value] ?? value;
}

/** The changes, newest first. */
export function History({
  type,
  lines,
}: {
  readonly type: TypeDescription | undefined;
  readonly lines: readonly Line[];
}): ReactNode {
  const wordOf = (field: string): string => memberWords(type, field);
  if (lines.length === 0) return <p className="muted">No changes yet.</p>;
  return (
    <ol className="timeline">
      {lines.toReversed().map((line) => (
        <li key={line.id}>
          <p>
            {sentenceOf(line, wordOf)}{' '}
            <span className="meta">
              <Time at={line.createdAt} />
            </span>
          </p>
          {line.action === 'updated' && shownOf(line).length > 0 && (
            <ul className="meta">
              {shownOf(line).map(({ field, from, to }) => (
                <li key={field}>
                  {wordOf(field)}: {valueOf(field, from)} → {valueOf(field, to)}
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  );
}

/** These members repeat what the sentence about disabling says. */
const saidAlready = ['disabled', 'disabled_reason', 'state'];
function shownOf({ changes }: Line): Line['changes'] {
  const isSwitched = changes.some(({ field }) => field === 'disabled');
  return isSwitched ? changes.filter(({ field }) => !saidAlready.includes(field)) : changes;
}

function sentenceOf(line: Line, wordOf: (field: string) => string): string {
  const { action, personName, changes } = line;
  const who = personName ?? 'The platform';
  switch (action) {
    case 'created':
      return `${who} registered it`;
    case 'verified':
      return 'The receiver verified it';
    case 'disabled':
      return `${who} disabled it`;
    default: {
      const words = new Intl.ListFormat('en').format([...new Set(shownOf(line).map(({ field }) => wordOf(field)))]);
      const switched = changes.find(({ field }) => field === 'disabled');
      if (!switched) return words === '' ? `${who} ${action} it` : `${who} changed ${words}`;
      const verb = switched.to === 'true' ? 'disabled' : 'enabled';
      return words === '' ? `${who} ${verb} it` : `${who} ${verb} it and changed ${words}`;
    }
  }
}
