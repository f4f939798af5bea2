import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAccount } from '../frame/account';
import { shownRecord } from '../parts/named-record';

/** "Request 103" as a link; the plain number when there is no such record, as for a test. */
export function RecordLink({
  record,
  objectId,
}: {
  readonly record: { readonly __typename: string } | null;
  readonly objectId: number;
}): ReactNode {
  const { account } = useAccount();
  const shown = record && shownRecord(record.__typename, objectId);
  if (!shown) return <span className="number">{objectId}</span>;
  return (
    <Link to="/accounts/$account/$kind/$record" params={{ account, kind: shown.plural, record: String(objectId) }}>
      {shown.words}
    </Link>
  );
}
