import type { Module, Platform } from '@itsm/shared/running/module';
import type { AttachmentStorage } from './attachment-storage';
import { createAttachmentRepository } from './attachment.repository';
import { attachmentTypeDefs, createAddresses, createAttachmentResolvers } from './attachment.resolvers';
import type { AddressOf } from './attachment.resolvers';
import { createAttachmentRoutes } from './attachment.routes';
import { createAttachmentService } from './attachment.service';
import { createAttachmentSweeper } from './attachment-sweeper';
import type { AttachmentSweeper } from './attachment-sweeper';
import { createFileStorage } from './file-storage';
import { createPlacedFiles } from './placed-files';
import type { FileHolders, PlacedFiles } from './placed-files';
import { createS3Storage } from './s3-storage';
import { createScan } from './scan';
import { createUsageRepository } from './usage.repository';

/** The settings of attachments; none are taken where `attachments`, the address of the storage, is undefined. */
export interface AttachmentSettings {
  readonly attachments?: string | undefined;
  readonly attachmentMaxBytes?: number;
  readonly attachmentQuotaBytes?: number;
  readonly attachmentExtensions?: readonly string[];
  readonly attachmentScan?: string | undefined;
}

/** The default limits, in bytes. */
export const usualMaxBytes = 20 * 1024 * 1024;
export const usualQuotaBytes = 10_000_000_000;

interface Needs {
  readonly settings: AttachmentSettings;
  readonly holders: FileHolders;
}

export interface Attachments extends Module {
  readonly placedFiles: PlacedFiles;
  readonly addressOf: AddressOf;
  readonly sweeper: AttachmentSweeper;
}

/** Files of notes and of texts of records: their upload, download and deletion. */
export function createAttachments(
  { connection, baseUrl, logger, now }: Platform,
  { settings, holders }: Needs,
): Attachments {
  const { attachments: address, attachmentScan: command } = settings;
  const files = createAttachmentRepository(connection);
  const usage = createUsageRepository(connection);
  const storage = address === undefined ? undefined : openStorage(new URL(address));
  const scan = command === undefined ? undefined : createScan(command);
  const limits = {
    mostBytes: settings.attachmentMaxBytes ?? usualMaxBytes,
    quotaBytes: settings.attachmentQuotaBytes ?? usualQuotaBytes,
    extensions: settings.attachmentExtensions ?? [],
  };
  const service = createAttachmentService({ files, usage, storage, scan, limits, logger, now });
  const sweeper = createAttachmentSweeper({ files, attachments: service, holders, logger, now });
  const addressOf = createAddresses(baseUrl, now);
  return {
    placedFiles: createPlacedFiles({ files, holders, now }),
    addressOf,
    sweeper,
    sdl: attachmentTypeDefs,
    resolvers: createAttachmentResolvers(service, baseUrl, addressOf),
    routes: createAttachmentRoutes(service, baseUrl),
    stores: [files],
    runners: storage ? [{ stop: () => storage.close() }, sweeper] : [],
  };
}

const openStorage = (address: URL): AttachmentStorage =>
  address.protocol === 's3:' ? createS3Storage(address) : createFileStorage(address);
