import { randomBytes } from 'node:crypto';
import { notFound } from '@itsm/shared/base/errors/app-error';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { GeneratedTexts } from '../extensions/generated-text.repository';
import type { Extension } from '../extensions/extension';
import type { ExtensionService } from '../extensions/extension.service';
import type { PreviewRepository } from './preview.repository';

interface Dependencies {
  readonly previews: PreviewRepository;
  readonly extensions: ExtensionService;
  readonly texts: GeneratedTexts;
  readonly now: Clock;
}

export interface OpenedPreview {
  readonly token: string;
  readonly extension: Extension;
  readonly expiresAt: Date;
}

/** A preview has no session: its address alone opens it, for an hour. */
export interface PreviewService {
  open(accountId: string, extensionId: number): Promise<OpenedPreview>;
  /** The extension as it is now; a 404 for a token that is unknown or has expired. */
  show(token: string): Promise<Extension>;
  /** The compiled stylesheet of what is shown. */
  stylesheetOf(extension: Extension): Promise<string>;
}

const lifetimeMilliseconds = 60 * 60 * 1_000;

export function createPreviewService({ previews, extensions, texts, now }: Dependencies): PreviewService {
  return {
    async open(accountId, extensionId) {
      const extension = await extensions.find(accountId, extensionId);
      const token = randomBytes(32).toString('base64url');
      const expiresAt = new Date(now().getTime() + lifetimeMilliseconds);
      await previews.insert(token, { accountId, extensionId, expiresAt });
      return { token, extension, expiresAt };
    },
    async show(token) {
      if (!/^[\w-]{43}$/.test(token)) throw notFound();
      const preview = await previews.find(token);
      if (!preview || preview.expiresAt <= now()) throw notFound();
      return extensions.find(preview.accountId, preview.extensionId);
    },
    stylesheetOf: ({ accountId, prepared }) => texts.load(accountId, prepared.content.compiledCss),
  };
}
