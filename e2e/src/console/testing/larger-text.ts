/// <reference lib="dom" />

// These functions are serialised and run in the page: they may not use anything else of this file.

/**
 * Sets the text spacing that must not lose content (WCAG 2.2, 1.4.12); through the DOM, which no
 * Content-Security-Policy blocks.
 */
export function spaceText(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
    p { margin-bottom: 2em !important; }`,
  );
  document.adoptedStyleSheets.push(sheet);
}

/** Takes back what `spaceText` set. */
export function unspaceText(): void {
  document.adoptedStyleSheets.pop();
}

/** Elements whose text is clipped without an ellipsis. */
export function cutTexts(): string[] {
  const isCut = (element: Element): boolean => {
    const { overflowX, overflowY, textOverflow, webkitLineClamp, clipPath } = getComputedStyle(element);
    const hides = (overflow: string): boolean => overflow === 'hidden' || overflow === 'clip';
    // Visually hidden text for screen readers.
    if (clipPath !== 'none' || element.clientWidth < 2) return false;
    // An ellipsis says that there is more; of several lines it is at the end of the last one.
    if (webkitLineClamp !== 'none') return false;
    return (
      (hides(overflowX) && textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth + 1) ||
      (hides(overflowY) && element.scrollHeight > element.clientHeight + 1)
    );
  };
  return [...document.querySelectorAll('#root *')]
    .filter((element) => (element.textContent ?? '').trim() !== '' && isCut(element))
    .map(({ outerHTML }) => outerHTML.slice(0, 200));
}
