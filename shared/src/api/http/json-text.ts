import { badRequest } from '../../base/errors/app-error';
import { checkTexts } from '../../base/texts/check-texts';
import { decodeText } from '../../base/texts/decode-text';

/** The value of a JSON body, an empty object when it is empty; 400 for wrong JSON, wrong UTF-8 or a refused text. */
export function readJsonText(bytes: Uint8Array): unknown {
  const text = decodeText(bytes);
  if (text === '') return {};
  const value = parseText(text);
  // Only an escape can bring in what is refused: UTF-8 has no surrogates, and JSON no bare control characters.
  if (/\\[ubf]/.test(text)) checkTexts(value);
  return value;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('Invalid JSON');
  }
}
