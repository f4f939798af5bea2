import './files.css';
import { Paperclip } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { formatSize } from '../design/formats';
import { isPicture, partsOf } from './note-parts';
import type { NoteFile } from './note-parts';

/** The text of a note with its files; pictures are shown, and those that stand in the text in their places. */
export function NoteText({ text, files }: { readonly text: string; readonly files: readonly NoteFile[] }): ReactNode {
  const parts = partsOf(text, files);
  const placed = new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : [part.id])));
  const others = files.filter(({ id }) => !placed.has(id));
  return (
    <>
      <p className="record-text">
        {parts.map((part, index) => (typeof part === 'string' ? part : <Picture key={index} file={part} />))}
      </p>
      {others.length > 0 && (
        <ul className="note-files">
          {others.map((file) => (
            <li key={file.id}>{isPicture(file) ? <Picture file={file} /> : <FileLink file={file} />}</li>
          ))}
        </ul>
      )}
    </>
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
