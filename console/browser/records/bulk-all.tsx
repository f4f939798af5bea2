import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { explain } from '../api/errors';
import { Button } from '../design/button';
import { Dialog } from '../design/dialog';
import { formatNumber } from '../design/formats';
import { Refusals } from '../design/refusals';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { BulkNoteForm } from './bulk-note-form';
import { ChangeForm } from './change-form';
import { changeInput, mostAtOnce } from './bulk-job';
import { mayAddInternalNotes } from './editing';
import type { EditableField } from './editing';
import type { Kind } from './kinds';
import type { ListedRecord } from './list-document';
import type { Asked } from './list-search';
import { RecordLink } from './record-link';
import { useBulkJob } from './use-bulk-job';

/** Changes all records of a list, also those that are not shown, by a job of the platform. */
export function BulkAll({
  kind,
  type,
  types,
  fields,
  asked,
  total,
  isOffered,
  onBar,
}: {
  readonly kind: Kind;
  readonly type: TypeDescription;
  readonly types: readonly TypeDescription[];
  readonly fields: readonly EditableField[];
  /** What the list shows. */
  readonly asked: Asked;
  /** How many records it has. */
  readonly total: number;
  readonly isOffered: boolean;
  /** Takes whether its bar is shown, beside which there is no other. */
  readonly onBar: (isShown: boolean) => void;
}): ReactNode {
  const { account, session } = useAccount();
  const { job, ended, read, start, cancel, forget } = useBulkJob(kind, type, types);
  const [count, setCount] = useState<number>();
  const [records, setRecords] = useState<readonly ListedRecord[]>();
  const [field, setField] = useState<EditableField | 'note'>();
  const inWords = (number: number): string => `${formatNumber(number)} ${number === 1 ? kind.noun : kind.nouns}`;
  const leave = (): void => {
    setRecords(undefined);
    setField(undefined);
    setCount(undefined);
    forget();
  };
  const take = async (): Promise<void> => {
    setCount(0);
    try {
      setRecords(await read(asked, setCount));
    } catch (error) {
      showToast(`The list could not be read: ${explain(error)}`, 'bad');
    }
    setCount(undefined);
  };
  const send = async (which: readonly ListedRecord[], input: Readonly<Record<string, unknown>>): Promise<void> => {
    setField(undefined);
    try {
      await start(which, input);
    } catch (error) {
      showToast(`Nothing was changed: ${explain(error)}`, 'bad');
    }
  };
  const isBusy = count !== undefined || job !== undefined;
  const hasBar = !ended && (isBusy || records !== undefined);
  useEffect(() => {
    onBar(hasBar);
    return () => onBar(false);
  }, [hasBar, onBar]);
  if (ended)
    return (
      <Refusals
        tone={ended.refused.length > 0 || ended.job.state !== 'done' ? 'warn' : 'good'}
        title={resultInWords(ended.job, ended.total, inWords)}
        refusals={ended.refused.map(({ number, message }) => ({
          key: String(number),
          message,
          link: (
            <RecordLink account={account} kind={kind.plural} number={number}>
              {type.label} {number}
            </RecordLink>
          ),
        }))}
        onClose={leave}
      />
    );
  if (!hasBar && !isOffered) return null;
  if (!hasBar)
    return (
      <p className="meta list-all">
        {total > mostAtOnce ? (
          `All that match can be changed at once when they are at most ${formatNumber(mostAtOnce)}: narrow the filters.`
        ) : (
          <Button kind="plain" onPress={() => void take()}>
            All {inWords(total)} that match
          </Button>
        )}
      </p>
    );
  return (
    <div className="table-bar list-bulk" role="group" aria-label={`All ${kind.nouns} that match`}>
      <span className="number" role="status">
        {job !== undefined
          ? `Changing ${formatNumber(job.done)} of ${formatNumber(job.total)} …`
          : count !== undefined
            ? `Reading ${formatNumber(count)} of ${formatNumber(total)} …`
            : records !== undefined
              ? `All ${inWords(records.length)} that match`
              : ''}
      </span>
      {job !== undefined && <Button onPress={() => void cancel()}>Cancel</Button>}
      {records !== undefined && !isBusy && (
        <>
          <Button kind="plain" onPress={leave}>
            Clear
          </Button>
          {fields.map((one) => (
            <Button key={one.name} onPress={() => setField(one)}>
              {one.label}
            </Button>
          ))}
          {kind.hasNotes && <Button onPress={() => setField('note')}>Note</Button>}
        </>
      )}
      {records !== undefined && (
        <Dialog
          title={
            field === undefined
              ? ''
              : `${field === 'note' ? 'Note on' : `${field.label} of`} all ${inWords(records.length)} that match`
          }
          isOpen={field !== undefined}
          onClose={() => setField(undefined)}
        >
          {field === 'note' ? (
            <BulkNoteForm
              mayBeInternal={mayAddInternalNotes(session)}
              nouns={`these ${kind.nouns}`}
              onSend={(text, internal) => void send(records, { [internal ? 'internalNote' : 'note']: text })}
              onCancel={() => setField(undefined)}
            />
          ) : (
            field && (
              <ChangeForm
                type={type}
                field={field}
                records={records}
                onSend={(wanted, which) => void send(which, changeInput(type, wanted))}
                onCancel={() => setField(undefined)}
              />
            )
          )}
        </Dialog>
      )}
    </div>
  );
}

/** "612 of 650 requests were changed; 3 had it already; 35 were not changed." */
function resultInWords(
  {
    state,
    results,
    message,
  }: { state: string; results: Readonly<Record<'updated' | 'unchanged' | 'failures', number>>; message: string | null },
  total: number,
  inWords: (count: number) => string,
): string {
  const { updated, unchanged, failures } = results;
  const left = total - updated - unchanged - failures;
  const parts = [
    `${formatNumber(updated)} of ${inWords(total)} changed`,
    ...(unchanged > 0 ? [`${formatNumber(unchanged)} had it already`] : []),
    ...(failures > 0 ? [`${formatNumber(failures)} refused`] : []),
    ...(left > 0 ? [`${formatNumber(left)} left as they were`] : []),
  ].join('; ');
  if (state === 'canceled') return `Canceled: ${parts}.`;
  return state === 'failed' ? `It failed: ${message ?? ''} ${parts}.` : `${parts}.`;
}
