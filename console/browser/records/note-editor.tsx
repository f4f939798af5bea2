import { Lock, Mail } from 'lucide-react';
import { Suspense, lazy, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { isStaff } from '../api/roles';
import { Button } from '../design/button';
import { ErrorSummary, TextField } from '../design/field';
import { Form } from '../design/form';
import type { InputError } from '../design/input-error';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useDraft } from '../frame/draft';
import { writeErrors } from '../frame/write-errors';
import type { Asked } from './asked-fields';
import type { KnownRecord } from './change';
import { FileBox, unfinished } from './file-box';
import { hold } from './held';
import type { Held } from './held';
import type { Kind } from './kinds';
import { MentionBox } from './mention-box';
import { NextStatus, statusChange, statusWord } from './next-status';
import { withMentions } from './note-parts';
import type { Named } from './note-parts';
import { useFiles } from './use-files';
import { useNewNote } from './use-record';
import type { NewNote } from './use-record';

const NoteTemplates = lazy(() => import('./note-templates').then((module) => ({ default: module.NoteTemplates })));

/** Who reads a note: those outside of the desk, too, or colleagues alone. */
export type NoteKind = 'reply' | 'internal';

/** The record that a note is for. */
export interface Noted {
  readonly kind: Kind;
  readonly number: string;
  readonly known: KnownRecord;
  /** Of a record whose status the person may change. */
  readonly editedType: TypeDescription | undefined;
}

interface Draft {
  readonly text: string;
  /** Absent from a draft of an earlier release. */
  readonly named?: Named;
  /** The status that comes with the note, and what it asks for; absent to keep the present one. */
  readonly next?: { readonly status: string; readonly asked: Asked };
  /** What was sent without an answer: sent again, it is added once. */
  readonly sent: { readonly body: string; readonly key: string } | null;
}
const empty: Draft = { text: '', sent: null };

/** How long a reply can be taken back: nobody can call back a mail. */
const heldMilliseconds = 6_000;

/** Characters: a page that goes away can send about 64 KB. */
const mostWhenLeaving = 20_000;

const words = {
  reply: { label: 'Reply', done: 'Sent.', Icon: Mail },
  internal: { label: 'Internal note', done: 'The internal note is added.', Icon: Lock },
};

/** Writes a note. A reply waits a moment before it is sent, and leaving the page sends it at once. */
export function NoteEditor({
  note,
  form,
  to,
  onClose,
  ...noted
}: Noted & {
  readonly note: NoteKind;
  /** The name of its draft. */
  readonly form: string;
  /** Whom a reply is for, by name; undefined for nobody but oneself. */
  readonly to: string | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const { kind, number, known, editedType } = noted;
  const { session } = useAccount();
  const send = useNewNote({ kind, number });
  const [draft, setDraft, dropDraft] = useDraft(form, empty);
  const files = useFiles(form);
  const [errors, setErrors] = useState<readonly InputError[]>([]);
  const [isPending, setPending] = useState(false);
  const [held, setHeld] = useState<Held>();
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  useEffect(() => () => held?.sendNow(), [held]);
  const { label, done, Icon } = words[note];
  const change = draft.next && editedType && statusChange(editedType, known.data, draft.next);

  const deliver = async (whole: NewNote, kept: Draft, isLeaving: boolean): Promise<void> => {
    // It stays a draft of this tab.
    if (isLeaving && (!navigator.onLine || whole.text.length > mostWhenLeaving)) return;
    setPending(true);
    const fail = (reasons: readonly InputError[]): void => {
      if (!isHere.current) {
        setDraft(kept);
        showToast(`${label} to ${kind.noun} ${number} not sent: ${reasons[0]?.message ?? ''}`, 'bad');
      }
      setErrors(reasons);
      setPending(false);
      setHeld(undefined);
    };
    try {
      const sending = send(whole, isLeaving);
      // Nobody looks at it any more: the page of the record would open with it again.
      if (isLeaving || !isHere.current) dropDraft();
      if ((await sending) === 'differs') {
        fail([{ path: 'next status', message: 'Somebody else has changed the status since. Look again.' }]);
        return;
      }
      dropDraft();
      files.drop();
      showToast(done);
      if (isHere.current) onClose();
    } catch (error) {
      fail(writeErrors(error, (member) => (member?.endsWith('attachments') === true ? 'attachments' : 'note')));
    }
  };

  const submit = (): void => {
    const text = withMentions(draft.text.trim(), draft.named ?? {});
    if (isPending || held) return;
    if (text === '') {
      setErrors([{ path: 'note', message: 'Write a text first.' }]);
      return;
    }
    if (files.coming.length > 0) {
      setErrors([{ path: 'attachments', message: unfinished }]);
      return;
    }
    const body = JSON.stringify([text, files.sent, change?.body]);
    const key = draft.sent?.body === body ? draft.sent.key : crypto.randomUUID();
    const kept = { ...draft, sent: { body, key } };
    setDraft(kept);
    setErrors([]);
    const internal = note === 'internal';
    const whole = { text, internal, files: files.sent, key, with: change && { base: known, change } };
    if (internal) void deliver(whole, kept, false);
    else setHeld(hold(heldMilliseconds, (isLeaving) => void deliver(whole, kept, isLeaving)));
  };

  if (held)
    return (
      <HeldReply
        to={to}
        text={draft.text}
        status={change && draft.next && statusWord(editedType, draft.next.status)}
        isPending={isPending}
        onSendNow={held.sendNow}
        onTakeBack={() => {
          held.takeBack();
          setHeld(undefined);
        }}
      />
    );
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
      <Form onSend={submit}>
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
              // What is wrong has the focus when the editor comes back with it.
              autoFocus={errors.length === 0}
            />
          </MentionBox>
        </FileBox>
        {editedType && (
          <NextStatus
            type={editedType}
            record={known.data}
            next={draft.next}
            onChange={(next) => {
              setErrors([]);
              setDraft({ ...draft, next });
            }}
            error={errors.find(({ path }) => path === 'next status')?.message}
          />
        )}
        <div className="form-actions">
          <Button kind="primary" type="submit" isPending={isPending}>
            {note === 'internal' ? 'Add internal note' : to === undefined ? 'Send reply' : `Send to ${to}`}
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

/** A reply that can still be taken back. */
function HeldReply({
  to,
  text,
  status,
  isPending,
  onSendNow,
  onTakeBack,
}: {
  readonly to: string | undefined;
  readonly text: string;
  /** The status that comes with it. */
  readonly status: string | undefined;
  readonly isPending: boolean;
  readonly onSendNow: () => void;
  readonly onTakeBack: () => void;
}): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  // The form has disappeared with the focus in it.
  useEffect(() => box.current?.focus(), []);
  return (
    <div className="note-editor note-held" tabIndex={-1} ref={box}>
      <p className="note-readers" role="status">
        <Mail aria-hidden size={16} strokeWidth={2} />
        {isPending ? 'Sending …' : `Goes${to === undefined ? '' : ` to ${to}`} in a few seconds`}
      </p>
      <p className="record-text note-held-text">{text}</p>
      {status !== undefined && <p className="meta">Then: {status}</p>}
      {!isPending && (
        <div className="note-held-time" aria-hidden style={{ animationDuration: `${heldMilliseconds}ms` }} />
      )}
      <div className="form-actions">
        {!isPending && <Button onPress={onTakeBack}>Undo</Button>}
        <Button kind="plain" isPending={isPending} onPress={onSendNow}>
          Send now
        </Button>
      </div>
    </div>
  );
}

/** What is written, and the template below it. */
const withText = (before: string, chosen: string): string =>
  before.trim() === '' ? chosen : `${before.trimEnd()}\n\n${chosen}`;
