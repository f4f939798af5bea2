import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';

/** A parent of the page. */
export interface Crumb {
  readonly label: string;
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}

/** A screen: its heading takes the focus after navigation, and is the document's title. */
export function Page({
  title,
  crumbs = [],
  badge,
  lead,
  actions,
  isWide = false,
  children,
}: {
  readonly title: string;
  readonly crumbs?: readonly Crumb[];
  readonly badge?: ReactNode;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  /** Uses the full width, for screens with panes. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Service Management`;
  }, [title]);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={isWide ? 'page page-wide' : 'page'}>
      <header className="page-head">
        {crumbs.length > 0 && (
          <nav aria-label="Breadcrumb">
            <ol className="crumbs">
              {crumbs.map(({ label, to, search }) => (
                <li key={to}>
                  <Link to={to} search={search}>
                    {label}
                  </Link>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <div className="page-title">
          <div className="row">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {badge}
          </div>
          {actions !== undefined && <div className="row">{actions}</div>}
        </div>
        {lead !== undefined && <p className="muted page-lead">{lead}</p>}
      </header>
      {children}
    </div>
  );
}
