import { Link } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useBell } from './bell-document';

const most = 99;

/** Leads to the notices of the person, and says how many are unread. */
export function Bell({ account }: { readonly account: string }): ReactNode {
  const { data } = useBell(account);
  const unread = data?.data.notices?.totalCount ?? 0;
  const label = unread === 0 ? 'Notices' : `Notices, ${unread} unread`;
  return (
    <Link
      className="button-icon bell"
      to="/accounts/$account/notices"
      params={{ account }}
      aria-label={label}
      title={label}
    >
      <BellIcon aria-hidden size={20} strokeWidth={1.75} />
      {unread > 0 && <span aria-hidden>{unread > most ? `${most}+` : unread}</span>}
    </Link>
  );
}
