import { readCompiledTexts } from './compiled-texts';
import { uiExtension } from './demo-data';
import { laptopForm } from './story/laptop-form';

test('the build has compiled each text of the demo that needs compilation', () => {
  const { css = {}, html = {}, formDefinition = {} } = readCompiledTexts();
  const versions: readonly { readonly css?: string; readonly html?: string }[] = [
    uiExtension,
    ...uiExtension.activations,
  ];
  const given = (texts: readonly (string | undefined)[]) => texts.filter((text) => text !== undefined);
  expect(Object.keys(css)).toEqual(given(versions.map((version) => version.css)));
  expect(Object.keys(html)).toEqual(given(versions.map((version) => version.html)));
  expect(Object.keys(formDefinition)).toEqual([laptopForm]);
});
