import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';
import type { Content, GeneratedText } from '../contents/content';
import type { Compiled } from '../compiler/compile-text';

/** Stores generated texts apart from the versions: one may be many times as long as its source. */
export interface GeneratedTexts {
  ensureIndexes(): Promise<void>;
  /** Stores the long texts of `compiled` and returns content that refers to them. */
  keep(accountId: string, compiled: Compiled): Promise<Partial<Content>>;
  load(accountId: string, text: GeneratedText): Promise<string>;
  /** Expires texts that no version uses any more, an hour later, so that concurrent readers of the former version still find them. */
  forget(accountId: string, textIds: readonly string[], now: Date): Promise<void>;
}

interface TextDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly text: string;
  readonly expiresAt?: Date;
}

const graceMilliseconds = 60 * 60 * 1_000;

/** Writes without majority write concern, each with the reason why losing one is harmless. */
export const forgettable = { forget: 'a text that stays takes space and nothing else' };

export function createGeneratedTexts(connection: Connection): GeneratedTexts {
  const texts = connection.collection<TextDocument>('generated_texts');

  async function put(accountId: string, text: string): Promise<GeneratedText> {
    if (text === '') return text;
    const textId = randomUUID();
    await texts.insertOne({ _id: textId, accountId, text }, { writeConcern: durable });
    return { textId };
  }

  return {
    async ensureIndexes() {
      await ensureIndex(texts, { expiresAt: 1 }, { expireAfterSeconds: 0 });
    },
    async keep(accountId, { compiledCss, formDefinitionReact, ...others }) {
      return {
        ...others,
        ...(compiledCss !== undefined && { compiledCss: await put(accountId, compiledCss) }),
        ...(formDefinitionReact !== undefined && { formDefinitionReact: await put(accountId, formDefinitionReact) }),
      };
    },
    async load(accountId, text) {
      if (typeof text === 'string') return text;
      const found = await texts.findOne({ _id: text.textId, accountId });
      if (!found) throw new Error(`The generated text ${text.textId} is not there`);
      return found.text;
    },
    async forget(accountId, textIds, now) {
      if (textIds.length === 0) return;
      const expiresAt = new Date(now.getTime() + graceMilliseconds);
      await texts.updateMany({ _id: { $in: [...textIds] }, accountId }, { $set: { expiresAt } });
    },
  };
}

/** The ids of the generated texts that the contents refer to. */
export const textIdsOf = (contents: readonly Partial<Content>[]): string[] =>
  contents.flatMap(({ compiledCss, formDefinitionReact }) =>
    [compiledCss, formDefinitionReact].flatMap((text) => (typeof text === 'object' ? [text.textId] : [])),
  );
