/// <reference types="jest" />
import { parse, print } from '@0no-co/graphql.web';
import { describe as describeType } from '@itsm/shared/declared/describe';
import type { Declaration } from '@itsm/shared/declared/language';
import { withSettings } from '../api/built-document';
import {
  changesIn,
  isNeeded,
  isShown,
  memberWords,
  otherFacts,
  settingsOf,
  toErrors,
  toForm,
  toInput,
} from './settings';

/** A type that no code of the console knows. */
const type = describeType({
  name: 'lamp',
  graphqlName: 'Lamp',
  plural: 'lamps',
  label: 'Lamp',
  labelPlural: 'Lamps',
  description: 'A made-up type.',
  writes: { create: '', update: '' },
  nullIs: 'refused',
  groups: { more: 'More' },
  fields: [
    { name: 'name', label: 'Name', kind: 'text', maxLength: 80, required: true, mustBeGiven: true },
    { name: 'isBright', label: 'Bright', kind: 'flag', default: true },
    { name: 'note', label: 'Note', kind: 'text', maxLength: 80, group: 'more' },
    {
      name: 'colour',
      label: 'Colour',
      kind: 'choice',
      enumName: 'LampColour',
      choices: ['red', 'dark_blue'],
      words: { red: { label: 'Ruby', note: 'Warm.' } },
    },
    { name: 'watts', label: 'Watts', kind: 'integer', max: 100, when: { field: 'colour', is: 'red' } },
    {
      name: 'rooms',
      label: 'Rooms',
      one: 'Room',
      kind: 'texts',
      most: 9,
      maxLength: 9,
      default: [],
      when: { field: 'uses', is: 'indoors' },
      needed: { field: 'uses', is: 'indoors', otherwise: 'are required indoors' },
    },
    {
      name: 'uses',
      label: 'Uses',
      one: 'Use',
      kind: 'choices',
      choices: ['indoors', 'outdoors'],
      default: ['outdoors'],
    },
    { name: 'maker', label: 'Maker', kind: 'reference', to: { name: 'maker', graphqlName: 'Maker', plural: 'makers' } },
    { name: 'code', label: 'Code', kind: 'secret', maxLength: 9, property: 'sealedCode', has: 'hasCode' },
    {
      name: 'shape',
      label: 'Shape',
      kind: 'choice',
      enumName: 'LampShape',
      choices: ['round'],
      default: 'round',
      written: 'on create',
    },
    { name: 'disabled', label: 'Disabled', kind: 'flag', default: false },
    { name: 'source', label: 'Source', kind: 'text', maxLength: 80, audience: 'machine' },
    { name: 'age', label: 'Age', kind: 'derived', type: 'Int!', written: 'never' },
  ],
} satisfies Declaration);
const named = (name: string) => settingsOf(type, true).find((field) => field.name === name)!;

test('a form has each setting that people write, once it can be written', () => {
  const names = (isNew: boolean) => settingsOf(type, isNew).map(({ input }) => input);
  expect(names(true)).toEqual([
    'name',
    'isBright',
    'note',
    'colour',
    'watts',
    'rooms',
    'uses',
    'makerId',
    'code',
    'shape',
  ]);
  expect(names(false)).toEqual(names(true).filter((name) => name !== 'shape'));
});

test('a new form has the defaults, and that of a record its values', () => {
  const empty = { name: '', isBright: true, note: '', colour: '', watts: '', rooms: '', makerId: '', code: '' };
  expect(toForm(type)).toEqual({ ...empty, uses: ['outdoors'], shape: 'round' });
  const record = {
    name: 'Desk',
    isBright: false,
    colour: 'red',
    watts: 40,
    rooms: ['a', 'b'],
    uses: [],
    shape: 'round',
  };
  expect(toForm(type, { ...record, note: null, maker: { id: 'x1' }, hasCode: true })).toEqual({
    ...record,
    watts: '40',
    rooms: 'a\nb',
    note: '',
    makerId: 'x1',
    code: '',
  });
});

test('the input has each value by its kind; what is hidden is emptied, and an empty secret is not sent', () => {
  const form = { ...toForm(type), name: ' Desk ', colour: 'red', watts: '40', rooms: ' a \n\nb', note: ' ' };
  expect(toInput(type, form, true)).toEqual({
    input: {
      name: 'Desk',
      isBright: true,
      note: null,
      colour: 'red',
      watts: 40,
      rooms: [],
      uses: ['outdoors'],
      makerId: null,
      shape: 'round',
    },
    errors: [],
  });
  const { input } = toInput(type, { ...form, uses: ['indoors'], colour: '', code: 'x' }, false);
  expect(input).toMatchObject({ rooms: ['a', 'b'], watts: null, colour: null, code: 'x' });
  expect(toInput(type, { ...form, watts: 'many' }, true).errors).toEqual([
    { path: 'watts', message: 'many is not a whole number' },
  ]);
  expect(toInput(type, { ...form, name: ' ' }, true).input).toMatchObject({ name: '' });
});

test('only what differs is a change', () => {
  const before = toInput(type, toForm(type), false).input;
  expect(changesIn(toInput(type, { ...toForm(type), note: 'n' }, false).input, before)).toEqual({ note: 'n' });
});

test('conditions hide settings, and say what is needed', () => {
  const form = toForm(type);
  const indoors = { ...form, uses: ['indoors'] };
  expect([form, indoors].map((one) => isShown(type, named('rooms'), one))).toEqual([false, true]);
  expect([form, indoors].map((one) => isNeeded(type, named('rooms'), one, true))).toEqual([false, true]);
  expect(['name', 'note', 'colour', 'shape'].map((name) => isNeeded(type, named(name), form, true))).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test('refusals stand at their fields, in the order of the form, with lines and with what is missing', () => {
  const form = { ...toForm(type), uses: ['indoors'], rooms: '' };
  const refusals = [
    { path: ['note'], message: 'Note is too long' },
    { path: ['maker_id'], message: 'Maker was not found' },
    { path: null, message: 'Too many' },
  ];
  expect(toErrors(type, refusals, form)).toEqual([
    { path: '', message: 'Too many' },
    { path: 'note', message: 'Note is too long' },
    { path: 'rooms', message: 'Rooms are required indoors' },
    { path: 'makerId', message: 'Maker was not found' },
  ]);
  const second = [{ path: ['rooms', '1'], message: 'Room is too long' }];
  expect(toErrors(type, second, { ...form, rooms: 'a\n\nlong' })).toEqual([
    { path: 'rooms', message: 'Line 3, “long”: Room is too long' },
  ]);
});

test('a page shows what it does not know, and a history names it', () => {
  const record = { name: 'Desk', isBright: false, colour: 'dark_blue', uses: ['indoors'], hasCode: true, note: null };
  expect(otherFacts(type, record, ['name', 'disabled']).filter(([, words]) => words !== null)).toEqual([
    ['Bright', 'no'],
    ['Colour', 'Dark blue'],
    ['Uses', 'Indoors'],
    ['Code', 'yes'],
  ]);
  expect(['is_bright', 'maker_id', 'colour', 'unknown_member'].map((name) => memberWords(type, name))).toEqual([
    'bright',
    'maker',
    'colour',
    'unknown member',
  ]);
});

test('a document asks for the settings that its fragments do not name', () => {
  const document = parse('query Q { lamp { ...Known } } fragment Known on Lamp { id name maker { name } }');
  const whole = print(withSettings(document as never, 'Known', type) as never).replace(/\s+/g, ' ');
  expect(whole).toContain('maker { name } isBright note colour watts rooms uses hasCode shape disabled source }');
  expect(whole).not.toContain('age');
});
