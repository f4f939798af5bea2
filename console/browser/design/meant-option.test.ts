import { meantBy } from './meant-option';

const option = (value: string, label = value) => ({ value, label });
const events = ['request.create', 'request.update', 'request.update-note'].map((name) => option(name));
const meant = (typed: string, isLoading = false) => meantBy(typed, events, isLoading)?.value;

test('a text means the option of its name, in any case, though others contain it', () => {
  expect(meant('request.update')).toBe('request.update');
  expect(meant(' Request.Update ')).toBe('request.update');
});

test('else it means the only option that contains it', () => {
  expect(meant('note')).toBe('request.update-note');
  expect(meant('request')).toBeUndefined();
  expect(meant('problem')).toBeUndefined();
  expect(meant(' ')).toBeUndefined();
});

test('options that are still fetched count only by their names', () => {
  expect(meant('note', true)).toBeUndefined();
  expect(meant('request.create', true)).toBe('request.create');
});

test('a name that two have means neither', () => {
  const same = [option('1', 'Grace'), option('2', 'Grace')];
  expect(meantBy('grace', same, false)).toBeUndefined();
  expect(meantBy('2', same, false)?.value).toBe('2');
});
