import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../design/button';
import { Empty } from '../design/panel';
import { useAccount } from './account';

/** Shown in place of something that does not exist, or is not visible to the person; links to the list. */
export function NotThere({
  what,
  list,
  all,
  children,
}: {
  /** With its number, if any: "webhook 7". */
  readonly what: string;
  readonly list: 'webhooks' | 'deliveries' | 'signing' | 'applications';
  /** The link to the list: "all webhooks". */
  readonly all: string;
  readonly children?: ReactNode;
}): ReactNode {
  const { account } = useAccount();
  return (
    <div className="panel">
      <Empty
        title={`There is no ${what} in ${account}, or you may not see it.`}
        action={
          <Link className={buttonClass()} to={`/accounts/$account/${list}`} params={{ account }}>
            Show {all}
          </Link>
        }
      >
        {children}
      </Empty>
    </div>
  );
}
