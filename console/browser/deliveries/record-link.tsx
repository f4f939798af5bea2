import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAccount } from '../frame/account';

/** "Request 103" as a link; the plain number when there is no such record, as for a test. */
export function RecordLink({
  record,
  objectId,
}: {
  readonly record: { readonly __typename: string } | null;
  readonly objectId: number;
}): ReactNode {
  const { account } = useAccount();
  if (record === null) return <span className="number">{objectId}</span>;
  const words = record.__typename.replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return (
    <Link
      to="/accounts/$account/$kind/$record"
      params={{ account, kind: pluralOf(record.__typename), record: String(objectId) }}
    >
      {words} {objectId}
    </Link>
  );
}

/** The plural in addresses: "requests", "project_tasks", "people". */
const pluralOf = (typename: string): string =>
  typename === 'Person' ? 'people' : `${typename.replace(/\B[A-Z]/g, '_$&').toLowerCase()}s`;
