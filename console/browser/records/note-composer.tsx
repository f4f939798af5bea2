import { Lock, Mail } from 'lucide-react';
import { Suspense, lazy, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { isStaff } from '../api/roles';
import { Button } from '../design/button';
import { ErrorSummary, TextField } from '../design/field';
import { Form } from '../design/form';
import type { InputError } from '../design/input-error';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import type { AccountContext } from '../frame/account';
import { draftOf, useDraft } from '../frame/draft';
import { writeErrors } from '../frame/write-errors';
import { mayAddInternalNotes } from './editing';
import { FileBox, unfinished } from './file-box';
import { MentionBox } from './mention-box';
import { withMentions } from './note-parts';
import type { Named } from './note-parts';
import type { Kind } from './kinds';
import { useFiles } from './use-files';
import { useNewNote } from './use-record';

/** Needed only while somebody writes. */
const NoteTemplates = lazy(() => import('./note-templates').then((module) => ({ default: module.NoteTemplates })));

/** Who reads a note: those outside of the desk, too, or colleagues alone. */
type NoteKind = 'reply' | 'internal';

interface Draft {
  readonly text: string;
  /** Absent from a draft of an earlier release. */
  readonly named?: Named;
  /** What was sent without an answer: sent again, it is added once. */
  readonly sent: { readonly body: string; readonly key: string } | null;
}
const empty: Draft = { text: '', sent: null };

/** The notes that one may write. Nothing is preset: each has a button, a key and a draft of its own. */
export function NoteComposer({
  kind,
  number,
  readers,
  open,
  onOpen,
}: {
  readonly kind: Kind;
  readonly number: string;
  /** Those whom a reply is for. */
  readonly readers: readonly string[];
  readonly open: NoteKind | undefined;
  readonly onOpen: (kind: NoteKind | undefined) => void;
}): ReactNode {
  const { session } = useAccount();
  const buttons = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(open);
  useEffect(() => {
    // The editor disappears with the focus in it.
    if (wasOpen.current && !open) buttons.current?.querySelector('button')?.focus();
    wasOpen.current = open;
  }, [open]);
  const to = readers.length > 0 ? new Intl.ListFormat('en').format(readers) : undefined;
  if (open)
    return <Editor key={open} note={open} kind={kind} number={number} to={to} onClose={() => onOpen(undefined)} />;
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

const words = {
  reply: { label: 'Reply', verb: 'Send reply', done: 'Sent.', Icon: Mail },
  internal: { label: 'Internal note', verb: 'Add internal note', done: 'The internal note is added.', Icon: Lock },
};

function Editor({
  note,
  kind,
  number,
  to,
  onClose,
}: {
  readonly note: NoteKind;
  readonly kind: Kind;
  readonly number: string;
  readonly to: string | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const { session } = useAccount();
  const send = useNewNote({ kind, number });
  const [draft, setDraft, dropDraft] = useDraft(formOf(note, kind, number), empty);
  const files = useFiles(formOf(note, kind, number));
  const [errors, setErrors] = useState<readonly InputError[]>([]);
  const [isPending, setPending] = useState(false);
  const { label, verb, done, Icon } = words[note];
  const submit = async (): Promise<void> => {
    const text = withMentions(draft.text.trim(), draft.named ?? {});
    if (isPending) return;
    if (text === '') {
      setErrors([{ path: 'note', message: 'Write a text first.' }]);
      return;
    }
    if (files.coming.length > 0) {
      setErrors([{ path: 'attachments', message: unfinished }]);
      return;
    }
    const body = JSON.stringify([text, files.sent]);
    const key = draft.sent?.body === body ? draft.sent.key : crypto.randomUUID();
    setDraft({ ...draft, sent: { body, key } });
    setPending(true);
    setErrors([]);
    try {
      await send({ text, internal: note === 'internal', files: files.sent, key });
      dropDraft();
      files.drop();
      showToast(done);
      onClose();
    } catch (error) {
      setErrors(writeErrors(error, (member) => (member === 'attachments' ? member : 'note')));
      setPending(false);
    }
  };
  return (
    <div className={`note-editor note-${note}`}>
      <p className="note-readers">
        <Icon aria-hidden size={16} strokeWidth={2} />
        {note === 'internal'
          ? 'Internal: only colleagues see it'
          : to === undefined
            ? `Public: everybody who sees this ${kind.noun} sees it`
            : `Public: ${to} will see it`}
      </p>
      <Form onSend={() => void submit()}>
        <ErrorSummary errors={errors} title="Not sent yet:" />
        <FileBox files={files} error={errors.find(({ path }) => path === 'attachments')?.message}>
          <MentionBox
            text={draft.text}
            named={draft.named ?? {}}
            isInternal={note === 'internal'}
            onName={(text, named) => setDraft({ ...draft, text, named })}
          >
            <TextField
              label={label}
              name="note"
              rows={5}
              value={draft.text}
              onChange={(text) => {
                setErrors([]);
                setDraft({ ...draft, text });
              }}
              error={errors.find(({ path }) => path === 'note')?.message}
              autoFocus
            />
          </MentionBox>
        </FileBox>
        <div className="form-actions">
          <Button kind="primary" type="submit" isPending={isPending}>
            {verb}
          </Button>
          <Button onPress={onClose}>Close</Button>
          {isStaff(session) && (
            <Suspense fallback={null}>
              <NoteTemplates
                text={draft.text}
                onChoose={(chosen) => setDraft({ ...draft, text: withText(draft.text, chosen) })}
              />
            </Suspense>
          )}
          {(draft.text !== '' || files.sent.length + files.coming.length > 0) && (
            <Button
              kind="plain"
              onPress={() => {
                dropDraft();
                files.drop();
                onClose();
              }}
            >
              Discard
            </Button>
          )}
          <span className="meta">
            @ names somebody, who is notified. Ctrl Enter sends. A draft is kept in this tab.
          </span>
        </div>
      </Form>
    </div>
  );
}

/** What is written, and the template below it. */
const withText = (before: string, chosen: string): string =>
  before.trim() === '' ? chosen : `${before.trimEnd()}\n\n${chosen}`;

const formOf = (note: NoteKind, kind: Kind, number: string): string => `${note} ${kind.plural}/${number}`;

/** The kind of note of which this tab keeps a draft. */
export const draftedNote = (context: AccountContext, kind: Kind, number: string): NoteKind | undefined =>
  (['reply', 'internal'] as const).find(
    (note) => (draftOf<Draft>(context, formOf(note, kind, number))?.text ?? '').trim() !== '',
  );
