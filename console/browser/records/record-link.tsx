import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A link to a record's page. */
export function RecordLink({
  account,
  kind,
  number,
  children,
}: {
  readonly account: string;
  /** As in addresses. */
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
