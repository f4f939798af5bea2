import type { ReactNode } from 'react';

/** The logo of the sign-in pages. */
export const Mark = (): ReactNode => (
  <svg aria-hidden width="24" height="24" viewBox="0 0 24 24" fill="none" style={{ color: 'var(--accent)' }}>
    <rect width="24" height="24" rx="6" fill="currentColor" />
    <path
      d="M7 12.5l3.2 3.2L17 9"
      stroke="var(--on-accent)"
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);

/** The initials of a person, in a circle. */
export const Initials = ({ name }: { readonly name: string }): ReactNode => (
  <span className="initials" aria-hidden data-initials={initialsOf(name)} />
);

const initialsOf = (name: string): string =>
  name
    .split(' ')
    .map(([first]) => first)
    .join('')
    .slice(0, 2);
