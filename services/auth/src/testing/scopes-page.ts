import { Eta } from 'eta';
import { markdownTable } from '@itsm/shared/testing/generated-part';
import { verbs } from '../clients/scope-choices';
import type { ScopeChoice } from '../clients/scope-choices';
import { scopeMatrix } from '../portal/scope-matrix.template';

/** What a scope can be chosen for, for docs/api/oauth.md. */
export const scopesTable = (choices: readonly ScopeChoice[]): string =>
  markdownTable([['Model', 'Of'], ...choices.map(({ model, label }) => [`\`${model}\``, label])]);

/** The boxes of the form of a token, with one ticked. */
export const tokenFormBoxes = (models: readonly ScopeChoice[], ticked: string): string =>
  new Eta({ autoEscape: true }).renderString(scopeMatrix, { models, verbs, form: { action: [ticked] } });
