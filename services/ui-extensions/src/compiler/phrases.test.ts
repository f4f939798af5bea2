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

test.each([
  ['<p translate="no">Brand</p><p>Text', ['Text']],
  ['<p translate=NO title="Tip">Brand <b>new</b></p>Text', ['Text']],
  ['<div translate="no">A<p translate="yes" title="Tip">B<p>C</div>D', ['Tip', 'B', 'D']],
  ['<div translate="no">A<i translate>B</i>C</div>', ['B']],
  ['<p translate="maybe">Text</p>', ['Text']],
  ['<p translate="no">Brand<p>Text', ['Text']],
  ['<ul><li translate="no">Brand<li>Text</ul>', ['Text']],
  ['<table translate="no"><tr><td>Brand<tr><td>Brand</table>Text', ['Text']],
  ['<table><tr><td translate="no">Brand<td>Text<tr><td>More</table>', ['Text', 'More']],
  ['<select><option translate="no" label="Brand">Brand<option>Text</select>', ['Text']],
  ['<img translate="no" alt="Brand"><img alt="A laptop"><br translate="no">Text', ['A laptop', 'Text']],
  ['<svg translate="no"><path/><text>Brand</text></svg>Text', ['Text']],
  ['<svg><path translate="no"/><text>Text</text></svg>', ['Text']],
  ['<p translate="no">Brand<b></p>Text</b></i>More', ['Text', 'More']],
  ['<textarea translate="no">Brand</textarea>Text', ['Text']],
])('translate in %s is respected', (html, phrases) => {
  expect(findPhrases(html)).toEqual(phrases);
});

test.each(['submit', 'reset', 'button', 'SUBMIT'])('the label of an input of type %s is a phrase', (type) => {
  expect(findPhrases(`<input type="${type}" value="Send it" title="Tip" name="send">`)).toEqual(['Send it', 'Tip']);
});

test.each(['text', 'hidden', 'checkbox', 'radio', 'number', 'image', ''])(
  'the value of an input of type %j is none',
  (type) => {
    expect(findPhrases(`<input type="${type}" value="Secret"><input value="Secret">`)).toEqual([]);
  },
);

test('many elements without end tags in deeply nested ones are read', () => {
  expect(findPhrases(`<p><button>${'<b>'.repeat(8_000)}${'<p></x>'.repeat(4_000)}Text`)).toEqual(['Text']);
});
