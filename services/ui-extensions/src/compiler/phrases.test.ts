import { findPhrases as find } from './phrases';

const findPhrases = (html: string) => find(html).phrases;

test('phrases are the visible texts and labels in document order, each once', () => {
  const html = `<!-- Comment --><h1 title="Heading help">Order  a
    laptop</h1><img alt="A laptop"><input placeholder="14 inch" aria-label="Model" value="Secret" name="model">
    <select><optgroup label="Colours"><option label="Red one">Red</option></optgroup></select><p>Order a laptop</p>
    <script>var text = "Script";</script><style>.a { content: "Style" }</style><template><b>Inside</b></template>
    <noscript>Without scripts</noscript><p>42</p><p>3.50 %</p><p> &nbsp; </p><p>&eacute;t&eacute;</p><textarea>Typed</textarea>`;
  expect(findPhrases(html)).toEqual([
    'Heading help',
    'Order a laptop',
    'A laptop',
    '14 inch',
    'Model',
    'Colours',
    'Red one',
    'Red',
    'Inside',
    'Without scripts',
    'été',
    'Typed',
  ]);
});

test('nesting as deep as the limit on texts allows is read', () => {
  expect(findPhrases(`${'<b>'.repeat(20_000)}Deep`)).toEqual(['Deep']);
});

test.each(['', '<', '<<>>', '<p', '&', '\u0000', '</p></p>'])('broken markup such as %j has no phrases', (html) => {
  expect(findPhrases(html)).toEqual([]);
});

test.each([
  ['<textarea>One <b> two</textarea>Three', ['One <b> two', 'Three']],
  ['<svg><title>A laptop</title><style/><script/><text>Model</text></svg><p>Price', ['A laptop', 'Model', 'Price']],
  ['<svg><style>.a { b: c }</style></svg>Text', ['Text']],
  ['<svg><![CDATA[Inside]]></svg><![CDATA[Comment]]>', ['Inside']],
  ['<script>if (a < b) "</p>"</script>After<iframe title="Frame">No</iframe>', ['After']],
  ['<p title="First" title="Second">Text', ['First', 'Text']],
  ['<table>Before<tr><td>Cell</table>', ['Before', 'Cell']],
  ['<div/>Text<svg/><title>Title</title>', ['Text', 'Title']],
  ['<plaintext>A</plaintext>', ['A</plaintext>']],
  ['A<!-- b -->C &amp; D<!doctype html>', ['A', 'C & D']],
])('%s has its texts as a browser reads them', (html, phrases) => {
  expect(findPhrases(html)).toEqual(phrases);
});
