import { TextQuote } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { checkAccepted } from '../api/errors';
import { useDocument, useWrite } from '../api/queries';
import { ActionMenu } from '../design/menu';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { KeptDialog, sharedWords } from './kept-dialog';
import type { Kept } from './kept-dialog';
import { textTemplateCreate, textTemplateDelete, textTemplateUpdate, textTemplates } from './kept-documents';

interface Template extends Kept {
  readonly text: string;
}

/** Puts a kept text into the note, and keeps what is written. */
export function NoteTemplates({
  text,
  onChoose,
}: {
  /** What is written so far. */
  readonly text: string;
  readonly onChoose: (text: string) => void;
}): ReactNode {
  const { account } = useAccount();
  const { data } = useDocument(textTemplates, {}, account);
  const create = useWrite(textTemplateCreate, account);
  const update = useWrite(textTemplateUpdate, account);
  const remove = useWrite(textTemplateDelete, account);
  const [open, setOpen] = useState<'new' | Template>();
  const templates: readonly Template[] = data?.data.textTemplates?.nodes ?? [];
  return (
    <>
      <ActionMenu
        label="Templates of text"
        className="button"
        actions={[
          ...templates.map((template) => ({
            id: template.id,
            label: template.name,
            note: firstLine(template.text),
            onAction: () => onChoose(template.text),
          })),
          {
            id: 'new',
            label: 'New template…',
            note: text.trim() === '' ? 'A text to use again' : 'From what is written',
            onAction: () => setOpen('new'),
          },
          ...templates.map((template) => ({
            id: `change ${template.id}`,
            label: `Change ${template.name}…`,
            note: sharedWords(template),
            onAction: () => setOpen(template),
          })),
        ]}
      >
        <TextQuote aria-hidden size={16} strokeWidth={1.75} />
        Templates
      </ActionMenu>
      {open === 'new' && (
        <KeptDialog
          title="New template"
          text={text}
          onClose={() => setOpen(undefined)}
          onSave={async ({ text: kept = '', ...input }) => {
            const { data: made } = await create.mutateAsync({ input: { ...input, text: kept } });
            checkAccepted(made.textTemplateCreate);
            showToast(`${input.name} is saved.`);
          }}
        />
      )}
      {open !== undefined && open !== 'new' && (
        <KeptDialog
          title={`Change ${open.name}`}
          kept={open}
          text={open.text}
          onClose={() => setOpen(undefined)}
          onSave={async (input) => {
            const { data: changed } = await update.mutateAsync({ input: { ...input, id: open.id } });
            checkAccepted(changed.textTemplateUpdate);
            showToast(`${input.name} is saved.`);
          }}
          onDelete={async () => {
            const { data: removed } = await remove.mutateAsync({ input: { id: open.id } });
            checkAccepted(removed.textTemplateDelete);
            showToast(`${open.name} is deleted.`);
          }}
        />
      )}
    </>
  );
}

const firstLine = (text: string): string => {
  const [line = ''] = text.trim().split('\n');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
};
