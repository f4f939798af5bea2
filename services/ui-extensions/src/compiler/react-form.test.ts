import { runInNewContext } from 'node:vm';
import { transformSync } from '@swc/core';
import React from 'react';
import type { ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { parseFormDefinition } from '../contents/form-definition';
import type { FormDefinition } from '../contents/form-definition';
import { generateReactForm } from './react-form';

interface Props {
  readonly values: Readonly<Record<string, unknown>>;
  readonly onChange: (id: string, value: unknown) => void;
}

const ignore = (): undefined => undefined;

/** The HTML that React renders from the component generated for `definition`. */
function render(definition: object, values: Props['values'] = {}): string {
  const parsed = parseFormDefinition(JSON.stringify(definition));
  if ('error' in parsed) throw new Error(parsed.error);
  return renderToStaticMarkup(React.createElement(compile(sourceOf(parsed.definition)), { values, onChange: ignore }));
}

function sourceOf(definition: FormDefinition): string {
  const generated = generateReactForm(definition);
  if ('error' in generated) throw new Error(generated.error);
  return generated.source;
}

function compile(source: string): ComponentType<Props> {
  const { code } = transformSync(source, {
    jsc: { parser: { syntax: 'ecmascript', jsx: true }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  const module = { exports: {} as { Form?: ComponentType<Props> } };
  runInNewContext(code, { React, module, exports: module.exports });
  if (!module.exports.Form) throw new Error('The component is not exported');
  return module.exports.Form;
}

const inSection = (...fields: object[]) => ({ sections: [{ name: 'Laptop', fields }] });

test('every section and field of the definition is rendered', () => {
  const form = inSection(
    { id: 'model', type: 'text', label: 'Model', required: true, help: 'For example 14 inch' },
    { id: 'os', type: 'select', label: 'System', options: ['Linux', { value: 'mac', label: 'macOS' }] },
    { id: 'why', type: 'textarea', label: 'Why' },
    { id: 'bag', type: 'checkbox', label: 'With a bag' },
    { id: 'size', type: 'radio', label: 'Size', options: ['S', 'L'] },
  );
  expect(render(form, { os: 'mac', why: 'Old <one>', bag: true, size: 'L' })).toBe(
    '<form><fieldset><legend>Laptop</legend>' +
      '<div><label for="model">Model</label><input type="text" id="model" required="" name="model" value=""/>' +
      '<p>For example 14 inch</p></div>' +
      '<div><label for="os">System</label><select id="os" name="os"><option value=""></option>' +
      '<option value="Linux">Linux</option><option value="mac" selected="">macOS</option></select></div>' +
      '<div><label for="why">Why</label><textarea id="why" name="why">Old &lt;one&gt;</textarea></div>' +
      '<div><label for="bag">With a bag</label><input id="bag" type="checkbox" name="bag" checked=""/></div>' +
      '<div><div role="radiogroup" aria-label="Size"><label><input type="radio" name="size" value="S"/>S</label>' +
      '<label><input type="radio" name="size" checked="" value="L"/>L</label></div></div>' +
      '</fieldset></form>',
  );
});

test('a field with visible_when is there only while the other field has the value', () => {
  const form = inSection(
    { id: 'bag', type: 'checkbox', label: 'With a bag' },
    { id: 'colour', type: 'text', label: 'Colour', visible_when: { field: 'bag', equals: true } },
    { id: 'none', type: 'text', label: 'No bag', visible_when: { field: 'bag', equals: false } },
  );
  const shown = (values: Props['values']) =>
    ['Colour', 'No bag'].filter((label) => render(form, values).includes(label));
  expect(shown({ bag: true })).toEqual(['Colour']);
  expect(shown({})).toEqual(['No bag']);
});

test.each(['text', 'textarea', 'number', 'date', 'time', 'email', 'tel', 'url', 'password', 'checkbox'])(
  'a field of type %s renders',
  (type) => {
    expect(render(inSection({ id: 'a', type, label: 'A' }))).toMatch(/<(input|textarea)/);
  },
);

test('any text in the definition stays text, and the component compiles', () => {
  const nasty = '"}</legend>{alert(1)}<script>`${x}\n\u2028';
  const hostile = (type: string) => ({ id: nasty + type, type, label: nasty, help: nasty, options: [nasty] });
  const conditional = { ...hostile('text'), visible_when: { field: `${nasty}select`, equals: nasty } };
  const html = render(
    { sections: [{ name: nasty, fields: [...['select', 'radio', 'textarea'].map(hostile), conditional] }] },
    { [`${nasty}select`]: nasty },
  );
  expect(html).not.toContain('<script');
  expect(html.match(/<\w+/g)).toEqual([
    '<form',
    '<fieldset',
    '<legend',
    '<div',
    '<label',
    '<select',
    '<option',
    '<option',
    '<p',
    '<div',
    '<div',
    '<label',
    '<input',
    '<p',
    '<div',
    '<label',
    '<textarea',
    '<p',
    '<div',
    '<label',
    '<input',
    '<p',
  ]);
});

const field = { id: 'a', type: 'text', label: 'A' };

test.each([
  [{ sections: {} }, 'sections: '],
  [{ sections: [{ fields: [] }] }, 'sections.0.name: '],
  [inSection({ ...field, id: '' }), 'sections.0.fields.0.id: '],
  [inSection({ ...field, type: 'colour' }), 'sections.0.fields.0.type: '],
  [inSection({ id: 'a', type: 'text' }), 'sections.0.fields.0.label: '],
  [inSection({ ...field, options: [5] }), 'sections.0.fields.0.options.0: '],
  [inSection({ ...field, type: 'radio', options: [] }), 'sections.0.fields.0.options: there is nothing to choose'],
  [inSection(field, field), 'sections.0.fields.1.id: another field has this id'],
  [inSection({ ...field, visible_when: 'b' }), 'sections.0.fields.0.visible_when: '],
  [
    inSection({ ...field, visible_when: { field: 'b', equals: 'x' } }),
    'sections.0.fields.0.visible_when.field: there is no other field with this id',
  ],
])('%j is refused with the place', (definition, error) => {
  const refusal = parseFormDefinition(JSON.stringify(definition));
  expect(refusal).toEqual({ error: expect.stringContaining(`is not valid at ${error}`) as unknown });
});
