// Generates the types of the console's GraphQL documents, which its compilation needs; a fresh clone has none.
import { ensureInstalled } from './prepare.mjs';

ensureInstalled();
const { makeSchemaTypes } = await import('../console/build.mjs');
makeSchemaTypes();
