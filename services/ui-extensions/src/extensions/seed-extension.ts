import type { ExtensionService } from './extension.service';

interface Texts {
  readonly html?: string;
  readonly css?: string;
  readonly javascript?: string;
  readonly formDefinition?: string;
}

export interface SeededExtension extends Texts {
  readonly source: string;
  readonly sourceID: string;
  readonly name: string;
  readonly title: string;
  readonly category: string;
  /** For each, the prepared version is edited and activated. */
  readonly activations: readonly Texts[];
}

export interface Seed {
  /** Idempotent: creates the extension unless one with this source and sourceID exists, and makes the missing activations. */
  ensureExtension(accountId: string, seeded: SeededExtension): Promise<{ readonly id: number }>;
}

export function createSeed(extensions: ExtensionService): Seed {
  return {
    async ensureExtension(accountId, seeded) {
      let extension =
        (await extensions.findBySource(accountId, seeded.source, seeded.sourceID)) ??
        (await extensions.create(
          accountId,
          {
            ...described(seeded),
            ...textsOf(seeded),
          },
          null,
        ));
      for (const texts of seeded.activations.slice(extension.prepared.versionNr - 1)) {
        const update = { given: { ...textsOf(texts), activate: true }, translations: [] };
        extension = await extensions.update(accountId, extension.id, update, { author: null });
      }
      return { id: extension.id };
    },
  };
}

const described = ({ name, title, category, source, sourceID }: SeededExtension) => ({
  name,
  title,
  category,
  source,
  sourceID,
});

const textsOf = ({ html, css, javascript, formDefinition }: Texts): Texts => ({
  ...(html !== undefined && { html }),
  ...(css !== undefined && { css }),
  ...(javascript !== undefined && { javascript }),
  ...(formDefinition !== undefined && { formDefinition }),
});
