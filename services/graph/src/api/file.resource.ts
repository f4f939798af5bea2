import type { Attachment } from '../attachments/attachment';
import { ticketOf } from '../attachments/attachment';
import type { AddressOf } from '../attachments/attachment.resolvers';

/** A file as REST shows it. */
export function presentFile(attachment: Attachment, addressOf: AddressOf) {
  const { key, name, size, inline, contentType } = attachment;
  return { id: ticketOf(key), key, name, size, inline, content_type: contentType, uri: addressOf(attachment) };
}
