import { documents } from './documents.mjs';
import { dripping } from './dripping.mjs';
import { extensions } from './extensions.mjs';
import { floods } from './floods.mjs';
import { imports } from './imports.mjs';
import { providers } from './providers.mjs';
import { receivers } from './receivers.mjs';

/** What the greedy account does, by the name of the row. */
export const attacks = {
  ...documents,
  ...floods,
  ...dripping,
  ...extensions,
  ...receivers,
  ...providers,
  ...imports,
};
