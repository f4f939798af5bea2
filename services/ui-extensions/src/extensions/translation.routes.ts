import { Router } from 'express';
import type { Request } from 'express';
import { notFound } from '@itsm/shared/base/errors/app-error';
import { jsonBody } from '@itsm/shared/api/http/json-body';
import { preconditionOf, tagOfJson } from '@itsm/shared/api/http/if-match';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { recordIdIn } from '@itsm/shared/api/http/record-id';
import { allow } from '@itsm/shared/api/identity/allow';
import { checkSeesAccount } from '@itsm/shared/api/identity/sees-account';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { parseBody } from '@itsm/shared/api/rest/parse-body';
import { authorOf } from './extension.http';
import type { Addressing } from './extension.http';
import type { Content } from '../contents/content';
import type { Extension } from './extension';
import type { ExtensionService } from './extension.service';
import { parseLocale, textsOf } from '../contents/translation';
import type { Translation, TranslationEdit } from '../contents/translation';
import { localeTranslations } from '../contents/translation.input';

interface Dependencies {
  readonly addressing: Addressing;
  readonly extensions: ExtensionService;
}

// 64 KB, of which JSON may escape every byte into six characters.
const bodyLimit = '512kb';

/** Routes of the prepared version's translations. Mounted at `/ui_extensions`. */
export function createTranslationRoutes({ addressing, extensions }: Dependencies): Router {
  const idOf = recordIdIn(addressing.nodeIdDomain, 'UiExtension');
  async function extensionOf(req: Request): Promise<Extension> {
    checkSeesAccount(callerOf(req));
    return extensions.find(callerOf(req).accountId, idOf(req));
  }
  const edit = (req: Request, translation: TranslationEdit): Promise<Extension> => {
    const { accountId, ...caller } = callerOf(req);
    const update = { given: {}, translations: [translation] };
    const check = preconditionOf(req, ({ prepared: { content } }: Extension) => {
      const known = content.translations.find(({ locale }) => locale === translation.locale);
      return known && tagOfJson(req, present(content, known));
    });
    return extensions.update(accountId, idOf(req), update, { author: authorOf(caller), check });
  };
  const router = Router();

  router
    .route('/:id/translations')
    .get(allow('ui-extension:Read'), async (req, res) => {
      const { content } = (await extensionOf(req)).prepared;
      res.json(content.translations.map((translation) => present(content, translation)));
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/:id/translations/:locale')
    .get(allow('ui-extension:Read'), async (req, res) => {
      res.json(presentOne((await extensionOf(req)).prepared.content, localeIn(req)));
    })
    .put(allow('ui-extension:Update', 'account_administrator'), ...jsonBody(bodyLimit), async (req, res) => {
      const locale = localeIn(req);
      const { translations } = parseBody(localeTranslations, req.body);
      res.json(presentOne((await edit(req, { locale, texts: translations })).prepared.content, locale));
    })
    .delete(allow('ui-extension:Update', 'account_administrator'), async (req, res) => {
      const locale = localeIn(req);
      presentOne((await extensionOf(req)).prepared.content, locale);
      await edit(req, { locale, texts: null });
      res.status(204).end();
    })
    .all(methodNotAllowed('GET', 'PUT', 'DELETE'));

  return router;
}

function localeIn(req: Request): string {
  const locale = parseLocale(String(req.params['locale']));
  if (locale === undefined) throw notFound();
  return locale;
}

function presentOne(content: Content, locale: string) {
  const translation = content.translations.find((candidate) => candidate.locale === locale);
  if (!translation) throw notFound();
  return present(content, translation);
}

/** `missing`: phrases without a translation in the locale. */
function present({ phrases }: Content, translation: Translation) {
  const texts = textsOf(translation);
  return {
    locale: translation.locale,
    translations: Object.fromEntries(texts),
    missing: phrases.filter((phrase) => !texts.has(phrase)),
  };
}
