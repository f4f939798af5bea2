import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { rest } from '../api/rest';
import { Time } from '../design/time';
import { Fetched } from '../frame/fetched';

interface Mail {
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly created_at: string;
  /** Null without a mail server. */
  readonly sent_at: string | null;
}

/** The mails of the last 30 days, newest first. */
export function Mails({ account, number }: { readonly account: string; readonly number: string }): ReactNode {
  const query = useQuery({
    queryKey: [account, 'mails', number],
    queryFn: ({ signal }) => rest<readonly Mail[]>(account, `/webhooks/${number}/mails`, { signal }),
    staleTime: 30_000,
  });
  return (
    <Fetched query={query} rows={1}>
      {(mails) =>
        mails.length === 0 ? (
          <p className="muted">None in the last 30 days.</p>
        ) : (
          <ul className="timeline">
            {mails
              .toSorted((one, other) => other.created_at.localeCompare(one.created_at))
              .map((mail) => (
                <MailLine key={mail.id} mail={mail} />
              ))}
          </ul>
        )
      }
    </Fetched>
  );
}

function MailLine({
  mail: { to, subject, text, created_at: createdAt, sent_at: sentAt },
}: {
  readonly mail: Mail;
}): ReactNode {
  return (
    <li>
      <details>
        <summary>
          {subject}{' '}
          <span className="meta">
            <Time at={createdAt} />
          </span>
        </summary>
        <p className="meta">
          To {to.join(', ')}
          {sentAt === null && '. Not sent: there is no mail server, or it refused the mail.'}
        </p>
        <p className="meta mail-text">{text}</p>
      </details>
    </li>
  );
}
