import './files.css';
import { Paperclip, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../design/button';
import { fieldId } from '../design/field';
import { formatSize } from '../design/formats';
import type { ComingFile, Files } from './use-files';

/** What is said when a note is sent before its files are there. */
export const unfinished = 'A file is not there yet: wait for it, or remove it.';

/**
 * Around the text of a note: files come by the button, by dropping them anywhere in it, and by pasting a picture.
 */
export function FileBox({
  files,
  error,
  children,
}: {
  readonly files: Files;
  readonly error: string | undefined;
  readonly children: ReactNode;
}): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const add = (given: FileList | null): void => files.add([...(given ?? [])]);
  return (
    <div
      className={isOver ? 'file-box file-box-over' : 'file-box'}
      onPaste={(event) => {
        // Office programs add a picture of the text that they copy.
        if (event.clipboardData.files.length === 0 || event.clipboardData.types.includes('text/plain')) return;
        event.preventDefault();
        add(event.clipboardData.files);
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        add(event.dataTransfer.files);
      }}
    >
      {children}
      <div className="stack-tight" id={fieldId('attachments')}>
        {files.sent.length + files.coming.length > 0 && (
          <ul className="files" aria-label="Files of this note">
            {files.sent.map((file) => (
              <li key={file.key}>
                <FileName name={file.name} size={file.size} />
                <IconButton label={`Remove ${file.name}`} onPress={() => files.remove(file)}>
                  <X aria-hidden size={16} strokeWidth={1.75} />
                </IconButton>
              </li>
            ))}
            {files.coming.map((one) => (
              <Coming key={one.id} one={one} files={files} />
            ))}
          </ul>
        )}
        <div className="row">
          <Button onPress={() => input.current?.click()}>
            <Paperclip aria-hidden size={16} strokeWidth={1.75} />
            Attach files
          </Button>
          <span className="meta file-ways">or drop them here, or paste a picture</span>
        </div>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Files"
          onChange={(event) => {
            add(event.currentTarget.files);
            // The same file can be chosen again.
            event.currentTarget.value = '';
          }}
        />
        {error !== undefined && <p className="field-error">{error}</p>}
        <p className="visually-hidden" role="status">
          {files.sent.length > 0 &&
            `${files.sent.length} ${files.sent.length === 1 ? 'file is' : 'files are'} attached.`}
        </p>
      </div>
    </div>
  );
}

function FileName({ name, size }: { readonly name: string; readonly size: number }): ReactNode {
  return (
    <span className="file-name">
      <Paperclip aria-hidden size={14} strokeWidth={1.75} />
      <span>{name}</span>
      <span className="meta">{formatSize(size)}</span>
    </span>
  );
}

function Coming({ one, files }: { readonly one: ComingFile; readonly files: Files }): ReactNode {
  const { file, sent, failure } = one;
  return (
    <li>
      <FileName name={file.name} size={file.size} />
      <IconButton label={`Remove ${file.name}`} onPress={() => files.remove(one)}>
        <X aria-hidden size={16} strokeWidth={1.75} />
      </IconButton>
      <div className="file-state">
        {failure === undefined ? (
          <progress value={sent} aria-label={`${file.name} is being sent`} />
        ) : (
          <>
            <span className="file-problem" role="alert">
              {failure.message}
            </span>
            {failure.canPass && (
              <Button kind="plain" onPress={() => files.retry(one)}>
                Try again
              </Button>
            )}
          </>
        )}
      </div>
    </li>
  );
}
