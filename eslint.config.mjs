import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import ts from 'typescript-eslint';

/** What is not written here, and what stands in its place. */
const refuse = (selector, message) => ({ selector, message });

const environment = refuse(
  "MemberExpression[object.name='process'][property.name='env']",
  'Settings are read in main.ts only and passed on as a typed configuration.',
);
const strictBody = refuse(
  "CallExpression[callee.name='parse'] > MemberExpression[object.name='req'][property.name='body']",
  'The body of a REST write goes through parseBody, which takes texts for numbers and truths.',
);
const defaultExport = refuse('ExportDefaultDeclaration', 'Named exports only: a thing has one name everywhere.');
const spreadLiteral = refuse(
  'ObjectExpression > SpreadElement > ObjectExpression',
  'Members stand in the object itself; what a spread literal holds is no group of its own.',
);
const spreadArray = refuse(
  'ArrayExpression > SpreadElement > ArrayExpression',
  'Elements stand in the array itself; what a spread literal holds is no group of its own.',
);
const spreadArgument = refuse(
  ':matches(CallExpression, NewExpression) > SpreadElement > ArrayExpression',
  'Arguments stand in the call itself; what a spread literal holds is no group of its own.',
);
const handedOn = refuse(
  ':matches(CallExpression, VariableDeclarator) > ObjectExpression > SpreadElement:matches([argument.type="Identifier"], [argument.type="MemberExpression"])',
  'Name what is handed over: a member that is added to what is spread would go along unseen.',
);
const typeOfOwn = refuse(
  "TSTypeReference[typeName.name='ReturnType'] > TSTypeParameterInstantiation > TSTypeQuery",
  'What a function gives has a name of its own, which its signature says.',
);
const rawHtml = refuse(
  "JSXAttribute[name.name='dangerouslySetInnerHTML']",
  'Markup is made by React alone; HTML of others is shown in the frame of previews.',
);

const literals = [spreadLiteral, spreadArray, spreadArgument];
const production = [environment, defaultExport, strictBody, ...literals, typeOfOwn, rawHtml];

export default ts.config(
  { ignores: ['**/node_modules/', '**/dist/', '**/graphql-env.d.ts', '.data/', 'coverage/'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [js.configs.recommended, ts.configs.recommended],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      // Members are left out of an object by naming them beside the rest.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
      'no-restricted-syntax': ['error', ...production],
    },
  },
  {
    files: ['**/src/*/module.ts', '**/src/app.ts'],
    rules: { 'no-restricted-syntax': ['error', ...production, handedOn] },
  },
  // Equipment of tests may be as its function says.
  {
    files: ['**/testing/**'],
    rules: { 'no-restricted-syntax': ['error', environment, defaultExport, strictBody, ...literals, rawHtml] },
  },
  {
    files: [
      '**/main.ts',
      '**/bootstrap.ts',
      'embedded/src/operate.ts',
      'services/auth/src/{backfill,operate}.ts',
      'services/*/src/reseal.ts',
      'e2e/**',
      '{shared,gateway}/src/testing/*.ts',
      '**/*.test.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', defaultExport, ...literals] },
  },
  {
    files: ['e2e/src/tour/*.ts'],
    rules: { 'no-restricted-syntax': ['error', defaultExport, ...literals, typeOfOwn] },
  },
  // Jest takes its configuration as the default export.
  { files: ['jest*.config.ts'], rules: { 'no-restricted-syntax': ['error', environment, ...literals] } },
  {
    // What an answer holds is what a test is there to find out; supertest types it as any.
    files: ['**/*.test.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
    },
  },
  {
    files: ['**/*.{mjs,cjs}'],
    extends: [js.configs.recommended],
    rules: { 'no-restricted-syntax': ['error', ...literals] },
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'module',
          'URL',
          'Buffer',
          'fetch',
          'performance',
          'AbortController',
          'URLSearchParams',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  prettier,
);
