import './files.css';
import './mention.css';
import { Paperclip } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { formatSize } from '../design/formats';
import { numberOf } from '../api/number';
import { useAccount } from '../frame/account';
import { isPicture, partsOf } from './note-parts';
import type { Mention, NoteFile } from './note-parts';
import { RecordLink } from './record-link';

/**
 * The text of a note, or of a record, with its files; pictures are shown, and those that stand in the text in their places, as those whom it
 * names.
 */
export function NoteText({
  text,
  files,
  mentions = [],
}: {
  readonly text: string;
  readonly files: readonly NoteFile[];
  readonly mentions?: readonly Mention[] | undefined;
}): ReactNode {
  const parts = partsOf(text, files, mentions);
  const placed = new Set<string>(parts.flatMap((part) => (typeof part !== 'string' && 'key' in part ? [part.id] : [])));
  const others = files.filter(({ id }) => !placed.has(id));
  return (
    <>
      <p className="record-text">
        {parts.map((part, index) => {
          if (typeof part === 'string') return part;
          return 'key' in part ? <Picture key={index} file={part} /> : <Named key={index} person={part} />;
        })}
      </p>
      <TextFiles files={others} />
    </>
  );
}

/** The files of a text, below it. */
export function TextFiles({ files }: { readonly files: readonly NoteFile[] }): ReactNode {
  if (files.length === 0) return null;
  return (
    <ul className="note-files">
      {files.map((file) => (
        <li key={file.id}>{isPicture(file) ? <Picture file={file} /> : <FileLink file={file} />}</li>
      ))}
    </ul>
  );
}

function Named({ person: { id, name } }: { readonly person: Mention }): ReactNode {
  const { account, session } = useAccount();
  return (
    <span className="mention" data-own={String(id) === numberOf(session.person.id) || undefined}>
      <RecordLink account={account} kind="people" number={id}>
        @{name}
      </RecordLink>
    </span>
  );
}

/** A picture leads to its file. Its address may have expired in a page that has been open for hours: then its name is there. */
function Picture({ file }: { readonly file: NoteFile }): ReactNode {
  const [isGone, setGone] = useState(false);
  if (isGone) return <FileLink file={file} />;
  return (
    <a className="note-picture" href={file.uri} download={file.name}>
      <img src={file.uri} alt={file.name} loading="lazy" onError={() => setGone(true)} />
    </a>
  );
}

function FileLink({ file: { name, size, uri } }: { readonly file: NoteFile }): ReactNode {
  return (
    <span className="file-name">
      <Paperclip aria-hidden size={14} strokeWidth={1.75} />
      <a href={uri} download={name}>
        {name}
      </a>
      <span className="meta">{formatSize(size)}</span>
    </span>
  );
}
