/// <reference lib="dom" />

// Except for the last two, these functions are serialised and run in the page: they may not use anything else of this
// file.

export const widthOfPage = (): number => document.documentElement.scrollWidth;

/** Waits for the frame after a change of the window, and for running animations. */
export const untilDrawn = async (): Promise<void> => {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
};

/** Disables lazy rendering; through the DOM, which no Content-Security-Policy blocks. */
export function drawEverything(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { content-visibility: visible !important; }');
  document.adoptedStyleSheets = [sheet];
}

/** Tags each control with its index, since its appearance may change with the focus; returns descriptions. */
export const numberControls = (elements: Element[]): string[] =>
  elements.map((element, number) => {
    const { outerHTML } = element;
    element.setAttribute('data-audit', `${number}`);
    return outerHTML;
  });

/** Whether the focus is in a code editor. */
export const isInEditor = (): boolean => document.activeElement?.closest('.cm-editor') != null;

/** The focused element, and how its focus is shown. */
export function focusOfPage() {
  const element = document.activeElement ?? document.body;
  const number = element.getAttribute('data-audit') ?? '';
  return { number, name: element.outerHTML, outline: getComputedStyle(element).outlineStyle };
}

export const outlineOf = (element: Element): string => getComputedStyle(element).outlineStyle;

/** The text of an element, as it is broken into lines. */
export function linesOf(element: Element): string[] {
  const lines: string[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let top: number | undefined;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const [at, character] of [...(node.textContent ?? '')].entries()) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const { y } = range.getBoundingClientRect();
      if (top === undefined || y > top + 2) lines.push('');
      top = y;
      lines.push(`${lines.pop() ?? ''}${character}`);
    }
  }
  return lines;
}

/** Tags elements that are visible only by their background: without content, and neither control nor line. */
export function markPainted(): void {
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    const isPainted = backgroundImage !== 'none' || !/rgba\(.*, 0\)|transparent/.test(backgroundColor);
    const { width, height } = element.getBoundingClientRect();
    const isEmpty = element.textContent === '' && element.childElementCount === 0;
    const isControl = element.matches('button, input, textarea, select, progress, meter, svg *');
    element.toggleAttribute('data-painted', isPainted && isEmpty && !isControl && width > 3 && height > 3);
  }
}

/**
 * What forced colours hide: elements that were visible only by their background, and selected options, invalid fields
 * and primary buttons that look like the others.
 */
export function invisibleInForcedColours(): string[] {
  const marked = [
    '[aria-selected=true]',
    '[aria-current]',
    '[aria-pressed=true]',
    'input:is([type=text], [type=password])[aria-invalid=true]',
    '.primary',
  ].join(', ');
  const looksOf = (element: Element): string => {
    const {
      backgroundColor,
      color,
      borderWidth,
      borderStyle,
      borderColor,
      outlineStyle,
      fontWeight,
      textDecorationLine,
    } = getComputedStyle(element);
    return [backgroundColor, color, borderWidth, borderStyle, borderColor, outlineStyle, fontWeight, textDecorationLine]
      .concat(element.querySelectorAll('svg').length.toString())
      .join();
  };
  const hasLines = (element: Element): boolean =>
    [null, '::before', '::after'].some((part) => {
      const { borderStyle, outlineStyle } = getComputedStyle(element, part);
      return /solid|dashed|dotted/.test(`${borderStyle} ${outlineStyle}`);
    });
  const drawn = [...document.querySelectorAll('[data-painted]')].filter((element) => {
    const { forcedColorAdjust, backgroundColor } = getComputedStyle(element);
    if (forcedColorAdjust === 'none' || hasLines(element)) return false;
    return backgroundColor === getComputedStyle(document.body).backgroundColor;
  });
  const chosen = [...document.querySelectorAll(marked)].filter((element) => {
    const others = [...document.querySelectorAll(element.tagName)].filter(
      (other) =>
        other.getAttribute('role') === element.getAttribute('role') &&
        other.closest('ul, ol, tbody, [role=tablist], [role=listbox]') ===
          element.closest('ul, ol, tbody, [role=tablist], [role=listbox]') &&
        !other.matches(`${marked}, :focus, :focus-within`),
    );
    return others.some((other) => looksOf(other) === looksOf(element));
  });
  return [...drawn, ...chosen].map(({ outerHTML }) => outerHTML.slice(0, 200));
}

/** The background colour of the page, and each text's colour with its background. */
export function readColours() {
  const opaque = (colour: string): boolean => !/rgba\(.*, 0\)|transparent/.test(colour);
  const behind = (element: Element | null): string => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (opaque(backgroundColor)) return backgroundColor;
    }
    return getComputedStyle(document.body).backgroundColor;
  };
  const withText = [...document.querySelectorAll('body *')].filter((element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && (node.textContent ?? '').trim() !== ''),
  );
  return {
    ground: getComputedStyle(document.body).backgroundColor,
    texts: withText.map((element) => ({
      text: (element.textContent ?? '').trim().slice(0, 40),
      colour: getComputedStyle(element).color,
      behind: behind(element),
    })),
  };
}

/** Relative luminance of a CSS colour, 0 to 1 (WCAG 2.2). */
export function brightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio, from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [brightness(one), brightness(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
