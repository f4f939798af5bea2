import { createPages } from '@itsm/shared/api/pages/page';
import { markdownTable } from '@itsm/shared/testing/generated-part';
import { verbs } from '@itsm/shared/contracts/scope-choices';
import type { ScopeChoice } from '@itsm/shared/contracts/scope-choices';
import { scopeMatrix } from '../profile/profile.page';

/** The table of scopes that can be chosen, for docs/api/oauth.md. */
export const scopesTable = (choices: readonly ScopeChoice[]): string =>
  markdownTable([['Model', 'Of'], ...choices.map(({ model, label }) => [`\`${model}\``, label])]);

const render = createPages({ stylesheet: { css: '' } });

/** A page with the checkboxes of the token form, one of them ticked. */
export const tokenFormBoxes = (models: readonly ScopeChoice[], ticked: string): string =>
  render({ title: 'Boxes', template: scopeMatrix, data: { models, verbs, form: { action: [ticked] } } });
