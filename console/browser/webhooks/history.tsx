import type { ReactNode } from 'react';
import { Time } from '../design/time';
import type { WebhookDetail } from './documents';

type Line = NonNullable<WebhookDetail['auditLines']>['nodes'][number];

const fields: Readonly<Record<string, string>> = {
  uri: 'address',
  mail_exceptions_to: 'who gets mails',
  openid_connect_discovery: 'key discovery',
  webhook_policy: 'signing',
  webhook_policy_id: 'signing',
  disabled_reason: 'reason',
  sourceID: 'source ID',
};
const wordOf = (field: string): string => fields[field] ?? field;

function valueOf(field: string, value: string | null): string {
  if (value === null) return 'none';
  if (field.startsWith('webhook_policy')) return `policy ${value}`;
  return { true: 'yes', false: 'no' }[value] ?? value;
}

/** What was changed, the newest first. */
export function History({ lines }: { readonly lines: readonly Line[] }): ReactNode {
  if (lines.length === 0) return <p className="muted">Nothing was changed yet.</p>;
  return (
    <ol className="timeline">
      {lines.toReversed().map((line) => (
        <li key={line.id}>
          <p>
            {sentenceOf(line)}{' '}
            <span className="meta">
              <Time at={line.createdAt} />
            </span>
          </p>
          {line.action === 'updated' && (
            <ul className="meta">
              {line.changes.map(({ field, from, to }) => (
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

function sentenceOf({ action, personName, changes }: Line): string {
  const who = personName ?? 'The platform';
  switch (action) {
    case 'created':
      return `${who} registered it`;
    case 'verified':
      return 'Its receiver agreed to the calls';
    case 'disabled':
      return `${who} disabled it`;
    default: {
      const words = new Intl.ListFormat('en').format([...new Set(changes.map(({ field }) => wordOf(field)))]);
      return changes.length === 0 ? `${who} ${action} it` : `${who} changed ${words}`;
    }
  }
}
