import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { patiently } from '../api/patiently';
import { rest, restTagged } from '../api/rest';
import { Button } from '../design/button';
import { Dialog } from '../design/dialog';
import { Form, FormActions } from '../design/form';
import { Refusals } from '../design/refusals';
import { Select } from '../design/select';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useShortcuts } from '../frame/shortcuts';
import { AskedFields, proposedFor } from './asked-fields';
import { BulkNoteForm } from './bulk-note-form';
import { changeAll, forAll, previewInWords, previewOf, whyNot } from './bulk-change';
import type { BulkChange, Changed, Refused, Write } from './bulk-change';
import { askedWith, isEditable, mayAddInternalNotes } from './editing';
import type { EditableField } from './editing';
import type { Kind } from './kinds';
import { columnsOf } from './chosen-columns';
import type { ListedRecord } from './list-document';
import { RecordLink } from './record-link';
import { ReferenceBox } from './reference-box';
import type { Referred } from './reference-box';
import { refreshAround } from './use-record';
import type { RestRecord } from './values';

/** Columns of the list that can be changed for several records: choices and references. */
export const bulkFields = (type: TypeDescription): readonly EditableField[] =>
  columnsOf(type).filter(
    (field): field is EditableField => isEditable(field) && (field.kind === 'choice' || field.kind === 'reference'),
  );

/** Keys of fields, as on the page of a record. */
const keys: Readonly<Record<string, string>> = { status: 's', member: 'm', team: 't', priority: 'p' };

/** Actions on the selected records, with a result for each of them. */
export function RecordBulk({
  kind,
  type,
  selected,
  total,
  onSelect,
}: {
  readonly kind: Kind;
  readonly type: TypeDescription;
  readonly selected: readonly ListedRecord[];
  /** The number of rows that are shown. */
  readonly total: number;
  /** Takes what is to be selected instead: all that is shown, or these numbers. */
  readonly onSelect: (which: 'all' | readonly number[]) => void;
}): ReactNode {
  const { account, session } = useAccount();
  const [field, setField] = useState<EditableField>();
  const [isNoting, setNoting] = useState(false);
  const [work, setWork] = useState<{ readonly done: number; readonly total: number }>();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const run = useBulk(kind);
  const fields = bulkFields(type);
  /** Does something with records, and shows how far it is; those that were refused stay selected. */
  async function forRecords<R extends { readonly refused: readonly Refused[] }>(
    records: readonly ListedRecord[],
    act: (onDone: () => void) => Promise<R>,
  ): Promise<R> {
    setField(undefined);
    setNoting(false);
    setRefused([]);
    let done = 0;
    setWork({ done, total: records.length });
    const result = await act(() => setWork({ done: (done += 1), total: records.length }));
    setWork(undefined);
    setRefused(result.refused);
    onSelect(result.refused.map(({ number }) => number));
    return result;
  }
  const inWords = (count: number): string => `${count} ${count === 1 ? kind.noun : kind.nouns}`;
  const change = async (wanted: BulkChange, records: readonly ListedRecord[]): Promise<void> => {
    const { changed } = await forRecords(records, (onDone) => run.change(wanted, records, onDone));
    if (changed.length > 0)
      showToast(`${wanted.field.label} of ${inWords(changed.length)} changed.`, 'good', () => void run.undo(changed));
  };
  const note = async (text: string, internal: boolean): Promise<void> => {
    const { refused: left } = await forRecords(selected, async (onDone) => ({
      refused: await run.note({ text, internal }, selected, onDone),
    }));
    const count = selected.length - left.length;
    if (count > 0) showToast(`${internal ? 'The internal note' : 'The note'} is added to ${inWords(count)}.`);
  };
  const mayChange = selected.length > 0 && work === undefined;
  useShortcuts(
    Object.fromEntries(
      fields.flatMap((one) => {
        const key = keys[one.name];
        return mayChange && key !== undefined ? [[key, () => setField(one)]] : [];
      }),
    ),
  );
  const notes = kind.hasNotes && { mayBeInternal: mayAddInternalNotes(session) };
  return (
    <>
      {refused.length > 0 && (
        <Refusals
          title={`${refused.length} ${refused.length === 1 ? `${kind.noun} was` : `${kind.nouns} were`} not changed`}
          refusals={refused.map(({ number, message }) => ({
            key: String(number),
            message,
            link: (
              <RecordLink account={account} kind={kind.plural} number={number}>
                {type.label} {number}
              </RecordLink>
            ),
          }))}
          onClose={() => setRefused([])}
        />
      )}
      {(selected.length > 0 || work !== undefined) && (
        <div className="table-bar list-bulk" role="group" aria-label={`Selected ${kind.nouns}`}>
          <span className="number" role="status">
            {work === undefined
              ? `${selected.length} of ${total} selected`
              : `Changing ${work.done} of ${work.total} …`}
          </span>
          {selected.length < total && (
            <Button kind="plain" onPress={() => onSelect('all')} isDisabled={!mayChange}>
              Select all
            </Button>
          )}
          <Button kind="plain" onPress={() => onSelect([])} isDisabled={!mayChange}>
            Clear
          </Button>
          {fields.map((one) => (
            <Button key={one.name} onPress={() => setField(one)} isPending={work !== undefined}>
              {one.label}
              {keys[one.name] !== undefined && <kbd aria-hidden data-keys={keys[one.name]} />}
            </Button>
          ))}
          {notes && (
            <Button onPress={() => setNoting(true)} isPending={work !== undefined}>
              Note
            </Button>
          )}
        </div>
      )}
      {notes && (
        <Dialog title={`Note on ${inWords(selected.length)}`} isOpen={isNoting} onClose={() => setNoting(false)}>
          <BulkNoteForm
            {...notes}
            nouns={selected.length === 1 ? `this ${kind.noun}` : `these ${kind.nouns}`}
            onSend={(text, internal) => void note(text, internal)}
            onCancel={() => setNoting(false)}
          />
        </Dialog>
      )}
      <Dialog
        title={field ? `${field.label} of ${inWords(selected.length)}` : ''}
        isOpen={field !== undefined}
        onClose={() => setField(undefined)}
      >
        {field && (
          <ChangeForm
            type={type}
            field={field}
            records={selected}
            onSend={(wanted, records) => void change(wanted, records)}
            onCancel={() => setField(undefined)}
          />
        )}
      </Dialog>
    </>
  );
}

/** The new value, and what it would do, before anything is sent. */
function ChangeForm({
  type,
  field,
  records,
  onSend,
  onCancel,
}: {
  readonly type: TypeDescription;
  readonly field: EditableField;
  readonly records: readonly ListedRecord[];
  readonly onSend: (change: BulkChange, records: readonly ListedRecord[]) => void;
  readonly onCancel: () => void;
}): ReactNode {
  const [value, setValue] = useState<unknown>();
  const [more, setMore] = useState<BulkChange['more']>({});
  const asked = askedWith(type, field, value);
  const preview = value === undefined ? undefined : previewOf(type, { field, value }, records);
  const count = preview?.changed.length ?? 0;
  const choose = (next: unknown): void => {
    setValue(next);
    setMore(proposedFor(askedWith(type, field, next)));
  };
  const none = { value: '', label: 'None' };
  return (
    <Form onSend={() => count > 0 && onSend({ field, value, more }, preview?.changed ?? [])}>
      {field.kind === 'choice' ? (
        <Select
          label={field.label}
          value={typeof value === 'string' ? value : value === null ? '' : 'choose'}
          onChange={(next) => choose(next === '' ? null : next)}
          options={[
            ...(value === undefined ? [{ value: 'choose', label: 'Choose' }] : []),
            ...(field.required ? [] : [none]),
            ...(field.words ?? []).map((word) => ({ value: word.value, label: word.label })),
          ]}
        />
      ) : (
        <ReferenceBox
          refersTo={field.refersTo ?? ''}
          label={field.label}
          name={`${field.name} of all`}
          autoFocus
          chosen={value as Referred | undefined}
          onChoose={choose}
        />
      )}
      <AskedFields asked={asked} given={more} onChange={setMore} />
      <p className="meta" role="status">
        {preview && previewInWords(preview)}
      </p>
      <FormActions verb={count > 0 ? `Change ${count}` : 'Change'} isPending={false} onCancel={onCancel} />
    </Form>
  );
}

/** Changes of several records, and their way back. */
function useBulk(kind: Kind) {
  const { account } = useAccount();
  const client = useQueryClient();
  const patch = (number: number, body: object, tag?: string) =>
    restTagged<RestRecord>(account, `/${kind.plural}/${number}`, {
      method: 'PATCH',
      body,
      headers: tag === undefined ? {} : { 'If-Match': tag },
    });
  const writing: Write = (number, body) => patiently(() => patch(number, body));
  const refresh = async (numbers: readonly number[]): Promise<void> => {
    for (const number of numbers) {
      const queryKey = [account, 'record', kind.plural, String(number)];
      await client.invalidateQueries({ queryKey });
    }
    await refreshAround(client, { account, kind, number: String(numbers[0] ?? '') });
  };
  return {
    async change(wanted: BulkChange, records: readonly ListedRecord[], onDone: () => void) {
      const result = await changeAll(wanted, records, writing, onDone);
      await refresh(result.changed.map(({ number }) => number));
      return result;
    },
    /** Adds a note to each of the records. */
    async note(added: { text: string; internal: boolean }, records: readonly ListedRecord[], onDone: () => void) {
      async function write({ number }: ListedRecord): Promise<void> {
        // Sent again, it is added once.
        const headers = { 'Idempotency-Key': `"${crypto.randomUUID()}"` };
        const path = `/${kind.plural}/${number}/notes`;
        await patiently(() => rest(account, path, { method: 'POST', body: added, headers }));
        await client.invalidateQueries({ queryKey: [account, 'notes', kind.plural, String(number)] });
      }
      const refused = await forAll(records, write, onDone);
      await refresh(records.map(({ number }) => number));
      return refused;
    },
    /** Takes back the changes after which nobody has changed the record. */
    async undo(changed: readonly Changed[]): Promise<void> {
      const kept: string[] = [];
      for (const { number, back, known } of changed)
        await patiently(() => patch(number, back, known.tag)).catch((error: unknown) =>
          kept.push(`${kind.noun} ${number}: ${whyNot(error)}`),
        );
      await refresh(changed.map(({ number }) => number));
      const count = changed.length - kept.length;
      if (count > 0) showToast(`${count} ${count === 1 ? kind.noun : kind.nouns} as before.`);
      if (kept.length > 0) showToast(`Not undone: ${kept.join('; ')}`, 'bad');
    },
  };
}
