import { changesOf, edited, formIn, keptOf, missingIn, shownOf, valueInForm, valuesIn, withEdits } from './custom-form';

const form = formIn(
  JSON.stringify({
    sections: [
      {
        name: 'Laptop',
        fields: [
          {
            id: 'model',
            type: 'select',
            label: 'Model',
            required: true,
            options: ['X1', { value: 'X2', label: 'Large' }],
          },
          { id: 'why', type: 'text', label: 'Why', required: true, visible_when: { field: 'model', equals: 'X2' } },
          { id: 'terms', type: 'checkbox', label: 'Terms', required: true },
          { id: '__proto__', type: 'password', label: 'PIN' },
        ],
      },
      {
        name: 'Bag',
        fields: [{ id: 'bag', type: 'text', label: 'Bag', visible_when: { field: 'terms', equals: true } }],
      },
    ],
  }),
);
const idsOf = (values: ReadonlyMap<string, unknown>) =>
  shownOf(form, values).map(({ name, fields }) => [name, ...fields.map(({ id }) => id)]);

test('fields are shown while their condition holds, and sections while they have one', () => {
  expect(idsOf(new Map())).toEqual([['Laptop', 'model', 'terms', '__proto__']]);
  expect(
    idsOf(
      new Map<string, unknown>([
        ['model', 'X2'],
        ['terms', true],
      ]),
    ),
  ).toEqual([
    ['Laptop', 'model', 'why', 'terms', '__proto__'],
    ['Bag', 'bag'],
  ]);
});

test('what is required and shown must be filled in; a box must be checked', () => {
  const missing = (values: ReadonlyMap<string, unknown>) => missingIn(form, values).map(({ path }) => path);
  expect(missing(new Map())).toEqual(['custom_fields.model', 'custom_fields.terms']);
  expect(
    missing(
      new Map<string, unknown>([
        ['model', 'X2'],
        ['terms', false],
      ]),
    ),
  ).toEqual(['custom_fields.why', 'custom_fields.terms']);
  expect(
    missing(
      new Map<string, unknown>([
        ['model', 'X1'],
        ['terms', true],
      ]),
    ),
  ).toEqual([]);
});

test('only what has changed is sent, what was emptied as null, and nothing that is hidden', () => {
  const before = valuesIn([
    { id: 'model', value: 'X1' },
    { id: 'terms', value: true },
    { id: 'bag', value: '3' },
  ]);
  const changes = (...edits: { id: string; value: string | boolean }[]) =>
    changesOf(form, before, withEdits(before, edits));
  expect(changes()).toEqual([]);
  expect(changes({ id: 'model', value: 'X2' }, { id: 'why', value: 'Drawings' })).toEqual([
    { id: 'model', value: 'X2' },
    { id: 'why', value: 'Drawings' },
  ]);
  expect(changes({ id: 'bag', value: '' })).toEqual([{ id: 'bag', value: null }]);
  expect(changes({ id: 'terms', value: false }, { id: 'bag', value: 'blue' })).toEqual([{ id: 'terms', value: false }]);
});

test('what others have changed meanwhile stays theirs', () => {
  const edits = edited(edited([], 'model', 'X1'), 'model', 'X2');
  const theirs = valuesIn([
    { id: 'model', value: 'X1' },
    { id: 'terms', value: true },
  ]);
  expect(changesOf(form, theirs, withEdits(theirs, edits))).toEqual([{ id: 'model', value: 'X2' }]);
});

test('a draft has no passwords', () => {
  expect(keptOf(form, edited(edited([], '__proto__', '1234'), 'model', 'X1'))).toEqual([{ id: 'model', value: 'X1' }]);
});

test('values are shown in the words of the form', () => {
  const [model, , terms, pin] = form[0]?.fields ?? [];
  expect([
    model && valueInForm(model, 'X2'),
    model && valueInForm(model, 'X1'),
    terms && valueInForm(terms, true),
    pin && valueInForm(pin, '1234'),
  ]).toEqual(['Large', 'X1', 'Yes', '••••••••']);
});

test('an extension may have no form', () => {
  expect([formIn(null), formIn(''), formIn('{}')]).toEqual([[], [], []]);
});
