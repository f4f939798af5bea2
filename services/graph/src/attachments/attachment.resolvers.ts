import type { ResolverMap } from '@itsm/shared/api/graphql/merge-resolvers';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { writeTime } from '@itsm/shared/base/time/time-text';
import type { Clock } from '@itsm/shared/base/time/clock';
import { signedPath, ticketOf } from './attachment';
import type { Attachment } from './attachment';
import type { AttachmentService } from './attachment.service';

export const attachmentTypeDefs = /* GraphQL */ `
  "How files are uploaded: a form with the providerParameters, and the file as its last part, is posted to uploadUri."
  type AttachmentStorage {
    provider: String!
    uploadUri: String!
    "In bytes."
    sizeLimit: Int!
    "Without dots, in lower case; every file when empty."
    allowedExtensions: [String!]!
    providerParameters: JSON!
  }

  extend type Query {
    "For one upload, in the next ten minutes."
    attachmentStorage: AttachmentStorage!
  }
`;

/** What a client needs for an upload. */
export function presentStorage(attachments: AttachmentService, caller: Caller, baseUrl: string) {
  const { key, expiresAt } = attachments.ticket(caller);
  const { mostBytes, extensions } = attachments.limits;
  return {
    provider: 'local',
    uploadUri: `${baseUrl}/v1/attachments`,
    sizeLimit: mostBytes,
    allowedExtensions: extensions,
    providerParameters: { key, 'x-itsm-expiration': writeTime(expiresAt) },
  };
}

/** The address of a file. */
export type AddressOf = (attachment: Attachment) => string;

export const createAddresses =
  (baseUrl: string, now: Clock): AddressOf =>
  (attachment) =>
    `${baseUrl}${signedPath(attachment, now())}`;

export const createAttachmentResolvers = (
  attachments: AttachmentService,
  baseUrl: string,
  addressOf: AddressOf,
): ResolverMap => ({
  Attachment: {
    id: ({ key }: Attachment) => ticketOf(key),
    url: (attachment: Attachment) => addressOf(attachment),
  },
  Query: {
    attachmentStorage: allowed('note:Create', (_parent, _args, { caller }) =>
      presentStorage(attachments, caller, baseUrl),
    ),
  },
});
