import './panel.css';
import { useId } from 'react';
import type { ReactNode } from 'react';
import type { Tone } from './badge';

/** A section of a page with its own heading; `isFlush` for content with its own padding, such as tables. */
export function Panel({
  title,
  actions,
  isFlush = false,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly isFlush?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head bar">
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      {isFlush ? children : <div className="panel-body">{children}</div>}
    </section>
  );
}

/** One important sentence, and what to do about it. */
export function Banner({
  tone,
  title,
  actions,
  children,
}: {
  readonly tone: Exclude<Tone, 'draft'>;
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className={`banner banner-${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <div>
        <p className="banner-title">{title}</p>
        {children}
      </div>
      {actions !== undefined && <div className="row">{actions}</div>}
    </div>
  );
}

/** An empty state: one sentence about what is missing, and one action; without an action it is shown quietly. */
export function Empty({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}): ReactNode {
  if (children === undefined && action === undefined) return <p className="empty-line">{title}</p>;
  return (
    <div className="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
      {action}
    </div>
  );
}

/** A list of names and values; null values are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }): ReactNode {
  return (
    <dl className="facts">
      {facts.map(
        ([name, value]) =>
          value !== null &&
          value !== undefined && (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** A placeholder of `rows` lines during the first fetch. */
export function SkeletonRows({ rows }: { readonly rows: number }): ReactNode {
  return (
    <div className="skeleton-rows" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}
