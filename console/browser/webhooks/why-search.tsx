import './why.css';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { rest } from '../api/rest';
import { Button } from '../design/button';
import { TextField } from '../design/field';
import { Empty } from '../design/panel';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { useLatest } from '../frame/latest';
import { useShortcuts } from '../frame/shortcuts';
import { isAbout, parseRecord } from '../parts/named-record';
import type { NamedRecord } from '../parts/named-record';

/** An event as in `GET /v1/webhooks/:id/events`; without its name when only its id is known. */
export interface SeenEvent {
  readonly id: string;
  readonly event: string | undefined;
  readonly occurred_at?: string;
}

/** Asks for the record whose delivery is missing. */
export function RecordForm({
  object,
  onAsk,
}: {
  readonly object: string | undefined;
  readonly onAsk: (object: string) => void;
}): ReactNode {
  const [text, setText] = useState(object ?? '');
  const [error, setError] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  useDigits((digit) => {
    setText(digit);
    form.current?.querySelector('input')?.focus();
  });
  const ask = (submitted: FormEvent): void => {
    submitted.preventDefault();
    const record = parseRecord(text);
    setError(record ? undefined : 'Enter the number of a record, such as 103, or its address.');
    if (record) onAsk(text.trim());
    else form.current?.querySelector('input')?.focus();
  };
  return (
    <form className="ask" ref={form} onSubmit={ask} role="search" aria-label="A record">
      <TextField
        label="Record"
        help="Number or address."
        value={text}
        onChange={setText}
        error={error}
        placeholder="103"
        name="object"
      />
      <Button type="submit" kind="primary">
        Explain
      </Button>
    </form>
  );
}

/** A digit typed outside of fields starts a search. */
function useDigits(onDigit: (digit: string) => void): void {
  const latest = useLatest(onDigit);
  useShortcuts(
    useMemo(() => Object.fromEntries([...'0123456789'].map((digit) => [digit, () => latest.current(digit)])), [latest]),
  );
}

/** The events of a record that the account sees, newest first; the API lists them below any webhook. */
export function RecordEvents({
  webhook,
  wanted,
  record,
  children,
}: {
  /** The id of the webhook in question, or of any. */
  readonly webhook: string;
  /** The event of the webhook: "request.update". */
  readonly wanted: ReactNode;
  readonly record: NamedRecord;
  readonly children: (events: readonly SeenEvent[]) => ReactNode;
}): ReactNode {
  const { account } = useAccount();
  const query = useQuery({
    queryKey: [account, 'events', webhook, record.number],
    queryFn: ({ signal }) =>
      rest<readonly SeenEvent[]>(
        account,
        `/webhooks/${encodeURIComponent(webhook)}/events?object_id=${record.number}&sort=-matched_at&per_page=100`,
        { signal },
      ),
  });
  return (
    <Fetched query={query} rows={4}>
      {(found) => {
        const events = found.filter(({ event }) => event === undefined || isAbout(event, record));
        return events.length === 0 ? <NoEvents record={record} wanted={wanted} /> : children(events);
      }}
    </Fetched>
  );
}

function NoEvents({ record, wanted }: { readonly record: NamedRecord; readonly wanted: ReactNode }): ReactNode {
  return (
    <div className="panel">
      <Empty title={`No events of ${(record.kind ?? 'record').replaceAll('_', ' ')} ${record.number} in this account.`}>
        <p>
          Events are kept for 30 days. Either nothing happened in that time, or the record belongs to an account that
          does not share it with this one, or the number is wrong. {wanted}
        </p>
      </Empty>
    </div>
  );
}
