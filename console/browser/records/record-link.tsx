import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** Leads to the page of a record. */
export function RecordLink({
  account,
  kind,
  number,
  children,
}: {
  readonly account: string;
  /** As in the address. */
  readonly kind: string;
  readonly number: string | number;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Link to="/accounts/$account/$kind/$record" params={{ account, kind, record: String(number) }}>
      {children}
    </Link>
  );
}
