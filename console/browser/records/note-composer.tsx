import { Lock, Mail } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../design/button';
import { useAccount } from '../frame/account';
import type { AccountContext } from '../frame/account';
import { draftOf } from '../frame/draft';
import { mayAddInternalNotes } from './editing';
import type { Kind } from './kinds';
import { NoteEditor } from './note-editor';
import type { NoteKind, Noted } from './note-editor';

/** The notes that one may write. Nothing is preset: each has a button, a key and a draft of its own. */
export function NoteComposer({
  readers,
  open,
  onOpen,
  ...noted
}: Noted & {
  /** Those whom a reply is for. */
  readonly readers: readonly string[];
  readonly open: NoteKind | undefined;
  readonly onOpen: (kind: NoteKind | undefined) => void;
}): ReactNode {
  const { kind, number } = noted;
  const { session } = useAccount();
  const buttons = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(open);
  useEffect(() => {
    // The editor disappears with the focus in it, unless the person has gone on elsewhere.
    const isLost = document.activeElement === document.body;
    if (wasOpen.current && !open && isLost) buttons.current?.querySelector('button')?.focus();
    wasOpen.current = open;
  }, [open]);
  const to = readers.length > 0 ? new Intl.ListFormat('en').format(readers) : undefined;
  if (open)
    return (
      <NoteEditor
        key={open}
        note={open}
        form={formOf(open, kind, number)}
        to={to}
        onClose={() => onOpen(undefined)}
        {...noted}
      />
    );
  return (
    <div className="row" ref={buttons}>
      <Button onPress={() => onOpen('reply')}>
        <Mail aria-hidden size={16} strokeWidth={1.75} />
        {to === undefined ? 'Reply' : `Reply to ${to}`}
        <kbd aria-hidden data-keys="r" />
      </Button>
      {mayAddInternalNotes(session) && (
        <Button onPress={() => onOpen('internal')}>
          <Lock aria-hidden size={16} strokeWidth={1.75} />
          Internal note
          <kbd aria-hidden data-keys="i" />
        </Button>
      )}
    </div>
  );
}

const formOf = (note: NoteKind, kind: Kind, number: string): string => `${note} ${kind.plural}/${number}`;

/** The kind of note of which this tab keeps a draft. */
export const draftedNote = (context: AccountContext, kind: Kind, number: string): NoteKind | undefined =>
  (['reply', 'internal'] as const).find(
    (note) => (draftOf<{ readonly text: string }>(context, formOf(note, kind, number))?.text ?? '').trim() !== '',
  );
