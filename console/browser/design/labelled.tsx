import type { ReactNode } from 'react';

/** The lines of an option or a menu item. Both are part of its accessible name; the space keeps their words apart. */
export const Labelled = ({ label, note }: { readonly label: string; readonly note: string | undefined }): ReactNode => (
  <>
    {label}
    {note !== undefined && (
      <>
        {' '}
        <small>{note}</small>
      </>
    )}
  </>
);
