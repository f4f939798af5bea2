import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { patiently } from '../api/patiently';
import { rest, restTagged } from '../api/rest';
import { Button } from '../design/button';
import { Dialog } from '../design/dialog';
import { Refusals } from '../design/refusals';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { focusedRow } from '../frame/row-keys';
import { useShortcuts } from '../frame/shortcuts';
import { BulkNoteForm } from './bulk-note-form';
import { changeAll, forAll, whyNot } from './bulk-change';
import { ChangeForm } from './change-form';
import type { BulkChange, Changed, Refused, Write } from './bulk-change';
import { isEditable, mayAddInternalNotes } from './editing';
import type { EditableField } from './editing';
import type { Kind } from './kinds';
import { columnsOf } from './chosen-columns';
import type { ListedRecord } from './list-document';
import { RecordLink } from './record-link';
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
  records,
  selected,
  onSelect,
  isReplaced,
}: {
  readonly kind: Kind;
  readonly type: TypeDescription;
  /** Those that are shown. */
  readonly records: readonly ListedRecord[];
  readonly selected: readonly ListedRecord[];
  /** Takes what is to be selected instead: all that is shown, or these numbers. */
  readonly onSelect: (which: 'all' | readonly number[]) => void;
  /** Whether all that match are about to be changed instead. */
  readonly isReplaced: boolean;
}): ReactNode {
  const { account, session } = useAccount();
  const [field, setField] = useState<EditableField>();
  // Selected by the key of a field, for this one change.
  const [isOfOne, setOfOne] = useState(false);
  const [isNoting, setNoting] = useState(false);
  const total = records.length;
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
  /** Asks for the new value, of the focused record when none is selected. */
  const ask = (one: EditableField): void => {
    const focused = focusedRow()?.dataset['row'];
    const record = selected.length === 0 ? records.find(({ id }) => id === focused) : undefined;
    if (isReplaced || work !== undefined || (selected.length === 0 && !record)) return;
    if (record) onSelect([record.number]);
    setOfOne(record !== undefined);
    setField(one);
  };
  const close = (): void => {
    setField(undefined);
    if (isOfOne) onSelect([]);
  };
  useShortcuts(
    Object.fromEntries(
      fields.flatMap((one) => {
        const key = keys[one.name];
        return key === undefined ? [] : [[key, () => ask(one)]];
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
      {((selected.length > 0 && !isReplaced) || work !== undefined) && (
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
            <Button key={one.name} onPress={() => ask(one)} isPending={work !== undefined}>
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
        onClose={close}
      >
        {field && (
          <ChangeForm
            type={type}
            field={field}
            records={selected}
            onSend={(wanted, records) => void change(wanted, records)}
            onCancel={close}
          />
        )}
      </Dialog>
    </>
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
