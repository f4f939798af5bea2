import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import ts from 'typescript-eslint';

const environment = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Settings are read in main.ts only and passed on as a typed configuration.',
};
const strictBody = {
  selector: "CallExpression[callee.name='parse'] > MemberExpression[object.name='req'][property.name='body']",
  message: 'The body of a REST write goes through parseBody, which takes texts for numbers and truths.',
};
const defaultExport = {
  selector: 'ExportDefaultDeclaration',
  message: 'Named exports only: a thing has one name everywhere.',
};
const spreadLiteral = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression',
  message: 'Members stand in the object itself; what a spread literal holds is no group of its own.',
};
const spreadArray = {
  selector: 'ArrayExpression > SpreadElement > ArrayExpression',
  message: 'Elements stand in the array itself; what a spread literal holds is no group of its own.',
};
const handedOn = {
  selector:
    ':matches(CallExpression, VariableDeclarator) > ObjectExpression > SpreadElement:matches([argument.type="Identifier"], [argument.type="MemberExpression"])',
  message: 'Name what is handed over: a member that is added to what is spread would go along unseen.',
};
const typeOfOwn = {
  selector: "TSTypeReference[typeName.name='ReturnType'] > TSTypeParameterInstantiation > TSTypeQuery",
  message: 'What a function gives has a name of its own, which its signature says.',
};
const rawHtml = {
  selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
  message: 'Markup is made by React alone; HTML of others is shown in the frame of previews.',
};
const literals = [spreadLiteral, spreadArray];
const production = [environment, defaultExport, strictBody, ...literals, typeOfOwn, rawHtml];

export default ts.config(
  { ignores: ['**/node_modules/', '**/dist/', '**/.tsc/', '**/graphql-env.d.ts', '.data/', 'coverage/'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [js.configs.recommended, ts.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      // Members are left out of an object by naming them beside the rest.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // An async function without await turns what it throws into a rejection.
      '@typescript-eslint/require-await': 'off',
      // Express 5 passes rejected promises of handlers to the error handler.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
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
