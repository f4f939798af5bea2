import { useState } from 'react';
import type { ReactNode } from 'react';
import { useDocument } from '../api/queries';
import { Button } from '../design/button';
import { Dialog } from '../design/dialog';
import { ErrorSummary, TextField } from '../design/field';
import { Form } from '../design/form';
import type { InputError } from '../design/input-error';
import { Select } from '../design/select';
import { useAccount } from '../frame/account';
import { writeErrors } from '../frame/write-errors';
import { myTeams } from './kept-documents';

/** What people keep: with a name, for themselves or for a team. */
export interface Kept {
  readonly id: string;
  readonly name: string;
  readonly isOwn: boolean;
  readonly team: { readonly id: string; readonly name: string } | null;
}

/** What is chosen in the dialog; without a `teamId` that member stays as it is. */
export interface KeptInput {
  readonly name: string;
  readonly teamId?: string | null;
  readonly text?: string;
}

const nobody = 'nobody';

/** The second line of it in a menu. */
export const sharedWords = ({ isOwn, team }: Kept): string =>
  team === null ? 'Only you see it' : `${isOwn ? 'Shared with' : 'From'} ${team.name}`;

/** Keeps something new under a name, or changes `kept`. What is refused stays in the form. */
export function KeptDialog({
  title,
  kept,
  text: initialText,
  onSave,
  onDelete,
  onClose,
}: {
  readonly title: string;
  readonly kept?: Kept | undefined;
  /** Of what has a text that can be changed here. */
  readonly text?: string | undefined;
  /** Rejects when it is refused. */
  readonly onSave: (input: KeptInput) => Promise<void>;
  readonly onDelete?: () => Promise<void>;
  readonly onClose: () => void;
}): ReactNode {
  const { account } = useAccount();
  const teams = useDocument(myTeams, {}, account);
  const [name, setName] = useState(kept?.name ?? '');
  const [text, setText] = useState(initialText ?? '');
  const [team, setTeam] = useState(kept?.team?.id ?? nobody);
  const [errors, setErrors] = useState<readonly InputError[]>([]);
  const [isPending, setPending] = useState(false);
  const hasText = initialText !== undefined;
  const isForeign = kept?.isOwn === false;
  const errorAt = (path: string): string | undefined => errors.find((error) => error.path === path)?.message;
  const members: readonly (string | undefined)[] = ['name', 'teamId', ...(hasText ? ['text'] : [])];

  async function run(work: () => Promise<void>): Promise<void> {
    if (isPending) return;
    setPending(true);
    setErrors([]);
    try {
      await work();
      onClose();
    } catch (error) {
      setErrors(writeErrors(error, (member) => (members.includes(member) ? member : undefined)));
      setPending(false);
    }
  }
  function save(): void {
    const missing = [
      ...(name.trim() === '' ? [{ path: 'name', message: 'Give it a name.' }] : []),
      ...(hasText && text.trim() === '' ? [{ path: 'text', message: 'Write a text first.' }] : []),
    ];
    if (missing.length > 0) return setErrors(missing);
    const teamId = team === nobody ? null : team;
    void run(() => onSave({ name: name.trim(), ...(!isForeign && { teamId }), ...(hasText && { text }) }));
  }
  const known = teams.data?.data.teams?.nodes ?? [];
  const shared = kept?.team && !known.some(({ id }) => id === kept.team?.id) ? [kept.team] : [];
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form onSend={save}>
        <ErrorSummary errors={errors} title="Not saved yet:" />
        <TextField label="Name" name="name" value={name} onChange={setName} error={errorAt('name')} autoFocus />
        {hasText && (
          <TextField label="Text" name="text" rows={6} value={text} onChange={setText} error={errorAt('text')} />
        )}
        {isForeign ? (
          <p className="meta">All members of {kept.team?.name} see it. Its owner alone can take it away from them.</p>
        ) : (
          <Select
            label="Who sees it"
            name="teamId"
            value={team}
            onChange={setTeam}
            error={errorAt('teamId')}
            options={[
              { value: nobody, label: 'Only you' },
              ...[...known, ...shared].map(({ id, name: teamName }) => ({
                value: id,
                label: teamName,
                note: 'All members see, change and delete it',
              })),
            ]}
          />
        )}
        <div className="form-actions">
          <Button kind="primary" type="submit" isPending={isPending}>
            Save
          </Button>
          <Button onPress={onClose}>Cancel</Button>
          {onDelete && (
            <Button kind="danger" onPress={() => void run(onDelete)}>
              Delete
            </Button>
          )}
        </div>
      </Form>
    </Dialog>
  );
}
