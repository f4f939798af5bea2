import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import ts from 'typescript-eslint';

/** Forbidden syntax, with a message that says what to write instead. */
const refuse = (selector, message) => ({ selector, message });

const environment = refuse(
  "MemberExpression[object.name='process'][property.name='env']",
  'Settings are read in main.ts only and passed on as a typed configuration.',
);
const strictBody = refuse(
  "CallExpression[callee.name='parse'] > MemberExpression[object.name='req'][property.name='body']",
  'Parse the body of a REST write with parseBody, which also accepts numbers and booleans as text.',
);
const defaultExport = refuse('ExportDefaultDeclaration', 'Use a named export: its name is the same in every file.');
const spreadLiteral = refuse(
  'ObjectExpression > SpreadElement > ObjectExpression',
  'Write the members directly; the spread has no effect.',
);
const spreadArray = refuse(
  'ArrayExpression > SpreadElement > ArrayExpression',
  'Write the elements directly; the spread has no effect.',
);
const spreadArgument = refuse(
  ':matches(CallExpression, NewExpression) > SpreadElement > ArrayExpression',
  'Write the arguments directly; the spread has no effect.',
);
const handedOn = refuse(
  ':matches(CallExpression, VariableDeclarator) > ObjectExpression > SpreadElement:matches([argument.type="Identifier"], [argument.type="MemberExpression"])',
  'List the members that are passed on: a spread would also pass on members that are added later.',
);
const typeOfOwn = refuse(
  "TSTypeReference[typeName.name='ReturnType'] > TSTypeParameterInstantiation > TSTypeQuery",
  'Declare and name the return type.',
);
const rawHtml = refuse(
  "JSXAttribute[name.name='dangerouslySetInnerHTML']",
  'Let React create the markup. HTML from elsewhere is shown only in the preview frame.',
);

const timeForms = [
  refuse("CallExpression[callee.property.name='toISOString']", 'Write a time with writeTime, a day with writeDay.'),
  refuse("CallExpression[callee.object.name='Date'][callee.property.name='parse']", 'Parse a time with parseTime.'),
  refuse(
    "NewExpression[callee.name='Date'][arguments.length=1]:matches([arguments.0.type='Identifier'], [arguments.0.raw=/^'/])",
    'Parse a time with parseTime, a day with parseDay.',
  ),
  refuse("MemberExpression[object.property.name='iso'][property.name=/^date/]", 'Parse a time with timeInput.'),
];

const realClock = refuse(
  ":matches(NewExpression[callee.name='Date'][arguments.length=0], CallExpression[callee.object.name='Date'][callee.property.name='now'])",
  'Take the time from the clock that is passed in (shared/src/base/time/clock.ts), so that tests can choose it.',
);

const literals = [spreadLiteral, spreadArray, spreadArgument];

const limitOfTest =
  'The limit of a test or hook is the testTimeout of the configuration, which costs nothing when the test is green.';
const limits = [
  refuse(
    'CallExpression:matches([callee.name=/^(test|it)$/], [callee.object.name=/^(test|it)$/], [callee.callee.object.name=/^(test|it)$/], [callee.tag.object.name=/^(test|it)$/])[arguments.length=3]',
    limitOfTest,
  ),
  // A name of its own, such as for a test that needs a program.
  refuse(
    'ExpressionStatement > CallExpression[arguments.length=3][arguments.1.type=/Function/][arguments.2.type="Literal"]',
    limitOfTest,
  ),
  refuse('CallExpression[callee.name=/^(before|after)(All|Each)$/][arguments.length=2]', limitOfTest),
  refuse("CallExpression[callee.object.name='jest'][callee.property.name='setTimeout']", limitOfTest),
  refuse(
    "CallExpression[callee.object.name='jest'][callee.property.name='retryTimes']",
    'A test that is red now and then has a defect, or the product has: a second try would hide it.',
  ),
];

const everywhere = [...literals, ...limits];
const production = [environment, defaultExport, strictBody, ...everywhere, typeOfOwn, rawHtml];
/** For the parts that are given a clock. */
const clocked = [...production, realClock];

export default ts.config(
  { ignores: ['**/node_modules/', '**/dist/', '**/graphql-env.d.ts', '.data/', 'coverage/'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [js.configs.recommended, ts.configs.recommended],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      // Destructuring beside a rest element is how members are omitted from an object.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
      'no-restricted-syntax': ['error', ...production],
    },
  },
  {
    files: ['{shared,gateway,console}/src/**/*.ts', 'services/*/src/**/*.ts'],
    ignores: ['shared/src/base/time/clock.ts'],
    rules: { 'no-restricted-syntax': ['error', ...clocked] },
  },
  {
    files: ['**/src/*/module.ts', '**/src/app.ts'],
    rules: { 'no-restricted-syntax': ['error', ...clocked, handedOn] },
  },
  {
    // Where texts come in and go out, times have one form; the roles of the files say where that is.
    files: [
      '**/src/**/*.{routes,resolvers,sdl,input,resource,page,grant}.ts',
      'services/graph/src/record-types/*.ts',
      'services/graph/src/imports/*.ts',
      'shared/src/api/**/*.ts',
    ],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-syntax': ['error', ...clocked, ...timeForms] },
  },
  // Test helpers may use `ReturnType<typeof f>` for what they return.
  {
    files: ['**/testing/**'],
    rules: { 'no-restricted-syntax': ['error', environment, defaultExport, strictBody, ...everywhere, rawHtml] },
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
    rules: { 'no-restricted-syntax': ['error', defaultExport, ...everywhere] },
  },
  {
    files: ['e2e/src/tour/*.ts'],
    rules: { 'no-restricted-syntax': ['error', defaultExport, ...everywhere, typeOfOwn] },
  },
  // Jest takes its configuration as the default export.
  { files: ['jest*.config.ts'], rules: { 'no-restricted-syntax': ['error', environment, ...everywhere] } },
  {
    // Supertest types the bodies of responses as any; the assertions of the tests check them.
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
    rules: { 'no-restricted-syntax': ['error', ...everywhere] },
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
          '__dirname',
          'URL',
          'Buffer',
          'fetch',
          'performance',
          'AbortController',
          'URLSearchParams',
          'FormData',
          'Blob',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  prettier,
);
