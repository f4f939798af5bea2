import type { ReactNode } from 'react';

/** The lines of an option or of an item of a menu. Both are its name, since both are seen; a space keeps their words apart. */
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
