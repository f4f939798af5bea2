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

/** Previews need no session: the URL is a bearer credential, valid for an hour. */
export interface PreviewService {
  open(accountId: string, extensionId: number): Promise<OpenedPreview>;
  /** The present state of the extension; a 404 for an unknown or expired token. */
  show(token: string): Promise<Extension>;
  /** The compiled stylesheet of the prepared version. */
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
