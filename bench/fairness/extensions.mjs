import { asJson, workers } from './attack.mjs';

const longest = 65_000;

/** Each save has texts of its own, since a text that is known is not compiled again. */
const rules = (n) => {
  const rule = (i) => `.a${n}x${i} { color: rgb(${i % 256}, ${n % 256}, 9); &:hover { margin: ${i}px } }\n`;
  return Array.from({ length: 650 }, (_none, i) => rule(i)).join('');
};

/** Little to read and to keep, and less work than a compiler refuses. */
const computing = (n) =>
  `$x: ${n}; @for $i from 1 through 400000 { $x: ($x * 7 + $i) % 1009; } .a { width: $x * 1px; order: ${n}; }`;

const phrases = (n) => {
  const paragraph = (i) => `<p title="title ${n} ${i}">Phrase ${n} ${i}</p>\n`;
  return Array.from({ length: 1_100 }, (_none, i) => paragraph(i))
    .join('')
    .slice(0, longest)
    .replace(/<[^>]*$/, '');
};

/** An extension of its own for each of the workers, since changes of one extension exclude each other. */
const saving = (atOnce, textsOf) => async (platform) => {
  const { baseUrl, greedy, call } = platform;
  const ids = [];
  while (ids.length < atOnce) {
    const { status, text, headers } = await call(`${baseUrl}/v1/ui_extensions`, {
      method: 'POST',
      headers: asJson(greedy[0]),
      body: JSON.stringify({ name: 'Greedy', title: 'Greedy', category: 'greedy', css: '.a { color: red }' }),
    });
    if (status !== 201) throw new Error(`An extension was refused: ${status} ${text}`);
    ids.push(headers.location.split('/').at(-1));
  }
  return workers(atOnce, (n, signal) =>
    call(`${baseUrl}/v1/ui_extensions/${ids[n % atOnce]}`, {
      method: 'PATCH',
      headers: asJson(greedy[n % greedy.length]),
      body: JSON.stringify({ ...textsOf(n), activate: true }),
      signal,
    }),
  );
};

export const extensions = {
  'UI extensions of long texts, saved and activated': saving(10, (n) => ({ css: rules(n), html: phrases(n) })),
  'UI extensions whose stylesheet computes long': saving(10, (n) => ({ css: computing(n) })),
};
