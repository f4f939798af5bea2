import { useRef, useState } from 'react';
import { explain, failureOf } from '../api/errors';
import { uploadFile } from '../api/upload';
import type { SentFile } from '../api/upload';
import { useAccount } from '../frame/account';
import { draftOf, useDraft } from '../frame/draft';

/** A file that is not there yet. */
export interface ComingFile {
  readonly id: number;
  readonly file: File;
  /** The share that was sent, from 0 to 1. */
  readonly sent: number;
  /** Why it was not taken, and whether it may be when it is sent again. */
  readonly failure: { readonly message: string; readonly canPass: boolean } | undefined;
  readonly upload: AbortController;
}

/** The files of a note that is being written. */
export interface Files {
  readonly sent: readonly SentFile[];
  readonly coming: readonly ComingFile[];
  add(files: readonly File[]): void;
  retry(coming: ComingFile): void;
  remove(file: ComingFile | SentFile): void;
  /** The note is written, or given up. */
  drop(): void;
}

interface Draft {
  readonly files: readonly SentFile[];
}
const empty: Draft = { files: [] };

/** Uploads files while a note is written; those that are there are kept with the draft of the form. */
export function useFiles(form: string): Files {
  const context = useAccount();
  const { account } = context;
  const name = `${form} files`;
  const [{ files }, setDraft, dropDraft] = useDraft(name, empty);
  const [coming, setComing] = useState<readonly ComingFile[]>([]);
  const lastId = useRef(0);

  const change = (id: number, values: Partial<ComingFile>): void =>
    setComing((before) => before.map((one) => (one.id === id ? { ...one, ...values } : one)));
  const leave = (id: number): void => setComing((before) => before.filter((one) => one.id !== id));
  // Several uploads end while the form is shown; each adds to what is stored by then.
  const known = (): readonly SentFile[] => draftOf<Draft>(context, name)?.files ?? [];

  async function send({ id, file, upload: { signal } }: ComingFile): Promise<void> {
    if (signal.aborted) return;
    try {
      const sent = await uploadFile(account, file, { onProgress: (share) => change(id, { sent: share }), signal });
      setDraft({ files: [...known(), sent] });
      leave(id);
    } catch (error) {
      if (!signal.aborted)
        change(id, { failure: { message: explain(error), canPass: failureOf(error).kind !== 'invalid' } });
    }
  }

  /** One after the other: a phone has one line for all of them. */
  async function sendAll(all: readonly ComingFile[]): Promise<void> {
    for (const one of all) await send(one);
  }

  return {
    sent: files,
    coming,
    add(given) {
      const added = given.map((file): ComingFile => {
        lastId.current += 1;
        return { id: lastId.current, file, sent: 0, failure: undefined, upload: new AbortController() };
      });
      setComing((before) => [...before, ...added]);
      void sendAll(added);
    },
    retry(one) {
      change(one.id, { failure: undefined, sent: 0 });
      void send(one);
    },
    remove(file) {
      if ('key' in file) setDraft({ files: known().filter(({ key }) => key !== file.key) });
      else {
        file.upload.abort();
        leave(file.id);
      }
    },
    drop() {
      for (const { upload } of coming) upload.abort();
      setComing([]);
      setDraft(empty);
      dropDraft();
    },
  };
}
