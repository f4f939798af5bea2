import { parseRecordId } from '@itsm/shared/base/ids/node-id';

/** People whom one note can name so that they are notified; further ones are only text. */
export const mostMentions = 20;

// A name has no brackets and a bounded length, so that no part of a long text is read again for each opening.
const mention = /@\[([^[\]\n]{1,255})\]\(person:([\w-]{1,512})\)/g;

/** The numbers of those whom a text names as `@[Ellen Brown](person:<number or node id>)`, each once. */
export const mentionsIn = (text: string, nodeIdDomain: string): readonly number[] => [
  ...new Set([...text.matchAll(mention)].flatMap(([, , id = '']) => parseRecordId(nodeIdDomain, 'Person', id) ?? [])),
];

/** A text with the names alone, as it is read where names are no links. */
export const withoutMarks = (text: string): string => text.replace(mention, '@$1');
