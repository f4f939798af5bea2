import './panel.css';
import { useId } from 'react';
import type { ReactNode } from 'react';
import type { Tone } from './badge';

/** A part of a page with a heading of its own; `isFlush` for what has its own padding, such as tables. */
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

/** One sentence that matters now, and what to do about it. */
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

/** What would stand here, in one sentence, and the one thing to do; the sentence alone stands back. */
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

/** Names and values; a value of null is left out. */
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

/** Holds the place of `rows` lines while they are fetched for the first time. */
export function SkeletonRows({ rows }: { readonly rows: number }): ReactNode {
  return (
    <div className="skeleton-rows" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}
