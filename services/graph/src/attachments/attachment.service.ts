import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { AppError, forbidden, notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { receiveForm } from '../uploads/form-upload';
import type { FormFields } from '../uploads/form-upload';
import { createTicket, isSigned, keyOf, parseKey, sniffedBytes, sniffType } from './attachment';
import type { Ticket } from './attachment';
import type { AttachmentRepository, StoredFile } from './attachment.repository';
import { announcedFile } from './announced-file';
import type { AttachmentLimits } from './announced-file';
import type { AttachmentStorage } from './attachment-storage';
import type { Scan } from './scan';
import type { UsageRepository } from './usage.repository';

interface Dependencies {
  readonly files: AttachmentRepository;
  readonly usage: UsageRepository;
  /** Undefined where no files are taken. */
  readonly storage: AttachmentStorage | undefined;
  readonly scan: Scan | undefined;
  readonly limits: AttachmentLimits;
  readonly logger: Logger;
  readonly now: Clock;
}

/** A file to send. */
export interface OpenFile extends Pick<StoredFile, 'name' | 'size' | 'contentType'> {
  readonly content: Readable;
}

type Signature = Parameters<typeof isSigned>[1];

export interface AttachmentService {
  readonly limits: AttachmentLimits;
  /** A key to upload a file by. */
  ticket(caller: Caller): Ticket;
  /** Stores the uploaded file; returns its key. 422 for a key that is not of this caller, or was used. */
  receive(caller: Caller, request: IncomingMessage, askForBody: () => void): Promise<string>;
  /** "Not Found" without a valid signature. */
  openSigned(key: string, signature: Signature): Promise<OpenFile>;
  /** Deletes a file that nothing takes any more; it can be repeated. */
  remove(file: StoredFile): Promise<void>;
}

const hour = 3_600_000;
/** An upload takes no longer, and a file that nothing has is kept for a day. */
export const uploadMilliseconds = hour;
export const unusedMilliseconds = 24 * hour;

export function createAttachmentService(dependencies: Dependencies): AttachmentService {
  const { files, usage, storage, scan, limits, logger, now } = dependencies;
  const later = (milliseconds: number): Date => new Date(now().getTime() + milliseconds);

  /** What the storage does; an outage of it is one of the platform. */
  async function using<T>(work: (storage: AttachmentStorage) => Promise<T>, source?: Readable): Promise<T> {
    if (!storage) throw forbidden('This platform takes no attachments');
    try {
      return await work(storage);
    } catch (error) {
      // The client has left, or sent too much.
      if (source?.destroyed && !source.readableEnded) throw error;
      logger.warn('the storage of attachments fails', { error });
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw new AppError('insufficient_storage', fullStorage);
      throw new AppError('service_unavailable', 'Service Unavailable');
    }
  }

  function checkMayUpload({ roles }: Caller): void {
    if (!storage) throw forbidden('This platform takes no attachments');
    if (roles.every((role) => role === 'auditor')) throw forbidden();
  }

  async function writeFile(file: StoredFile, source: Readable): Promise<StoredFile> {
    let size = 0;
    let start: Buffer = Buffer.alloc(0);
    const measured = async function* () {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (start.length < sniffedBytes) start = Buffer.concat([start, chunk.subarray(0, sniffedBytes)]);
        yield chunk;
      }
    };
    await using((held) => held.write(file.id, Readable.from(measured())), source);
    if (size === 0) throw validationFailed([['file', "File can't be blank"]]);
    return { ...file, size, contentType: sniffType(start) };
  }

  async function checkClean(file: StoredFile): Promise<void> {
    if (!scan) return;
    const content = await using((held) => held.read(file.id));
    const isClean = await scan(content ?? Readable.from([])).catch((error: unknown) => {
      logger.error('a file could not be scanned', { error });
      throw new AppError('service_unavailable', 'Service Unavailable');
    });
    if (!isClean) throw validationFailed([['file', 'File is refused by the scan of this platform']]);
  }

  /** Counts the bytes of a file, and makes it one that a write can take. */
  async function complete(file: StoredFile): Promise<void> {
    await files.measure(file);
    if (!(await usage.add(file, limits.quotaBytes))) throw overQuota(limits);
    if (!(await files.complete(file, later(unusedMilliseconds))))
      throw new AppError('request_timeout', 'The upload took too long');
    // When this fails, it is done as soon as the file is taken off.
    await usage.settle(file).catch(() => undefined);
  }

  async function remove(file: StoredFile): Promise<void> {
    await using((held) => held.remove(file.id));
    await usage.subtract(file);
    await files.forget(file.accountId, file.id);
  }

  async function store(caller: Caller, source: Readable, fields: FormFields, filename: string): Promise<string> {
    const file = announcedFile(caller, { fields, filename }, limits, now());
    if (!(await files.begin(file, later(uploadMilliseconds))))
      throw validationFailed([['key', 'Key was used already']]);
    let written = file;
    try {
      written = await writeFile(file, source);
      await checkClean(written);
      await complete(written);
      return keyOf(file.id, file.name);
    } catch (error) {
      // What is left when this fails too, the sweeper removes.
      await files.leave({ ...file, takenBy: undefined }).catch(() => false);
      await remove(written).catch(() => undefined);
      throw error;
    }
  }

  return {
    limits,
    ticket(caller) {
      checkMayUpload(caller);
      return createTicket(caller.accountId, caller.personId, now());
    },
    async receive(caller, request, askForBody) {
      checkMayUpload(caller);
      if ((await usage.find(caller.accountId)) >= limits.quotaBytes) throw overQuota(limits);
      const { stored } = await receiveForm(request, {
        most: limits.mostBytes,
        askForBody,
        store: (source, fields, filename) => store(caller, source, fields, filename),
      });
      if (stored === undefined) throw validationFailed([['file', "File can't be blank"]]);
      return stored;
    },
    async openSigned(key, signature) {
      const parsed = parseKey(key);
      const file = parsed && (await files.find(parsed.accountId, parsed.id));
      if (!file || file.name !== parsed.name || !isSigned({ key, secret: file.secret }, signature, now()))
        throw notFound();
      const content = await using((held) => held.read(file.id));
      if (!content) throw notFound();
      return { ...file, content };
    },
    remove,
  };
}

const fullStorage = 'The storage of attachments is full: ask the operator of the platform to make room, then try again';

const overQuota = ({ quotaBytes }: AttachmentLimits): AppError =>
  validationFailed([['file', `The files of the account may have ${quotaBytes} bytes together`]]);
