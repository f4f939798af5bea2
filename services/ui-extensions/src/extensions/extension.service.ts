import { createTurns } from '@itsm/shared/base/concurrency/slots';
import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { AppError, notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { Precondition } from '@itsm/shared/api/http/if-match';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import type { Clock } from '@itsm/shared/base/time/clock';
import { changesBetween } from './extension-changes';
import type { Author } from './audit-line';
import type { AuditLineRepository } from './audit-line.repository';
import { editedContent, emptyContent } from '../contents/content';
import type { Content, Source } from '../contents/content';
import type { ContentCompiler } from '../compiler/content-compiler';
import { textIdsOf } from './generated-text.repository';
import type { GeneratedTexts } from './generated-text.repository';
import { checkTranslations } from '../contents/check-translations';
import type { VersionArchive } from './version.repository';
import { newRecord } from '@itsm/shared/declared/read-input';
import type { TranslationEdit } from '../contents/translation';
import { activatedExtension, edited, newExtension, scopeOf, sourceIn, versionsWithin } from './extension';
import type { Extension, ExtensionEdit, ExtensionInput } from './extension';
import { activeMessage, isAnnounced } from './extension.message';
import { extensionType } from './extension-type';
import type { ExtensionRepository } from './extension.repository';

interface Dependencies {
  readonly extensions: ExtensionRepository;
  readonly archive: VersionArchive;
  readonly auditLines: AuditLineRepository;
  readonly sequence: Sequence;
  readonly compiler: ContentCompiler;
  readonly texts: GeneratedTexts;
  readonly now: Clock;
  /** Triggers the relay of the outboxes at once. */
  readonly nudge: () => void;
}

/** A change of an extension, and of translations of its content. */
export interface ExtensionUpdate {
  readonly given: ExtensionInput;
  readonly translations: readonly TranslationEdit[];
}

/** Who changes an extension, null for the service itself, and what has to hold before. */
export interface ChangedBy {
  readonly author: Author | null;
  readonly check?: Precondition<Extension> | undefined;
}

/** Use cases of extensions. An extension of another account is Not Found, like an unknown one. */
export interface ExtensionService {
  list(accountId: string): CollectionSource<Extension>;
  find(accountId: string, id: number): Promise<Extension>;
  findBySource(accountId: string, source: string, sourceID: string): Promise<Extension | undefined>;
  create(accountId: string, input: ExtensionInput, author: Author | null): Promise<Extension>;
  update(accountId: string, id: number, update: ExtensionUpdate, by: ChangedBy): Promise<Extension>;
}

export function createExtensionService(dependencies: Dependencies): ExtensionService {
  const { extensions, archive, auditLines, sequence, compiler, texts, now, nudge } = dependencies;
  const inTurn = createTurns();

  async function find(accountId: string, id: number): Promise<Extension> {
    const extension = await extensions.find(accountId, id);
    if (!extension) throw notFound();
    return extension;
  }

  async function activate(extension: Extension): Promise<Extension> {
    // The next retired version needs this place. Archive the former one first, so that it is always stored somewhere.
    if (extension.retired) await archive.put(extension.accountId, extension.retired);
    // The id is drawn after the read, so that ids of an extension's versions ascend with their numbers.
    return activatedExtension(extension, await sequence.draw('uiExtensionVersion'), now());
  }

  async function audited(before: Extension | undefined, after: Extension, author: Author | null): Promise<Extension> {
    if (before) await auditLines.put(before.accountId, before.auditLines);
    const lines = [];
    for (const change of changesBetween(before, after)) {
      const id = await sequence.draw('uiExtensionAuditLine');
      lines.push({ ...change, id, extensionId: after.id, author, createdAt: after.updatedAt });
    }
    return { ...after, auditLines: lines };
  }

  /** Compiles the texts and stores the results before `write` refers to them; removes them again when `write` is refused. */
  async function withCompiled<T>(
    accountId: string,
    id: number,
    source: Partial<Source>,
    write: (compiled: Partial<Content>) => Promise<T>,
  ): Promise<T> {
    const compiled = await texts.keep(accountId, await compiler.compile(accountId, source, scopeOf(id)));
    try {
      return await write(compiled);
    } catch (error) {
      // Only after a refusal. After a store error the write may have succeeded, and then the texts are needed.
      if (error instanceof AppError) await texts.forget(accountId, textIdsOf([compiled]), now());
      throw error;
    }
  }

  /** Removes the generated texts that the edit replaced. Only the prepared version changes, so no other version uses them. */
  async function forgetReplaced(before: Extension, after: Extension): Promise<void> {
    const kept = new Set(textIdsOf(versionsWithin(after).map(({ content }) => content)));
    const replaced = textIdsOf([before.prepared.content]).filter((textId) => !kept.has(textId));
    await texts.forget(before.accountId, replaced, now());
  }

  async function tryUpdate(
    accountId: string,
    id: number,
    { activate: isActivated, ...edit }: ExtensionEdit & { readonly activate: boolean },
    { author, check }: ChangedBy,
  ): Promise<Extension | typeof stale> {
    const found = await find(accountId, id);
    const changed = edited(found, edit, now());
    checkTranslations(edit, changed.prepared.content);
    await check?.(found);
    const next = await audited(found, isActivated ? await activate(changed) : changed, author);
    const message = isAnnounced(found, next) ? activeMessage(next, next.version + 1) : undefined;
    const outcome = await extensions.replace(next, message, now());
    if (outcome === 'taken') throw sourceTaken();
    if (outcome !== 'replaced') return stale;
    if (message) nudge();
    await forgetReplaced(found, next);
    return { ...next, version: next.version + 1 };
  }

  return {
    list: (accountId) => extensions.list(accountId),
    find,
    findBySource: (accountId, source, sourceID) => extensions.findBySource(accountId, source, sourceID),
    async create(accountId, input, author) {
      const description = newRecord(extensionType, input);
      const source = sourceIn(input);
      const ids = {
        extension: await sequence.next('uiExtension'),
        version: await sequence.draw('uiExtensionVersion'),
      };
      return withCompiled(accountId, ids.extension, source, async (compiled) => {
        const content = editedContent(emptyContent, source, compiled);
        const created = newExtension(ids, accountId, description, content, now());
        const extension = await audited(undefined, input.activate ? await activate(created) : created, author);
        const message = activeMessage(extension, extension.version);
        if ((await extensions.insert(extension, message, now())) === 'taken') throw sourceTaken();
        if (message) nudge();
        return extension;
      });
    },
    async update(accountId, id, { given, translations }, by) {
      await find(accountId, id);
      const source = sourceIn(given);
      const activate = given.activate === true;
      return withCompiled(accountId, id, source, (compiled) => {
        const edit = { description: given, source, translations, compiled, activate };
        // Serialized within the process, so that only other processes cause conflicts and retries.
        return inTurn(id, () => writeAgain(() => tryUpdate(accountId, id, edit, by), { busy }));
      });
    },
  };
}

const busy = (): never => {
  throw new AppError('conflict', 'Conflict');
};

const sourceTaken = (): AppError => validationFailed([['sourceID', 'Source ID is already in use']]);
