import './code-editor.css';
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  HighlightStyle,
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ReactNode } from 'react';

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.definitionKeyword, tags.bool, tags.null], color: 'var(--draft)' },
  { tag: [tags.string], color: 'var(--good)' },
  { tag: [tags.number, tags.integer, tags.float, tags.special(tags.name)], color: 'var(--warn)' },
  { tag: [tags.atom, tags.propertyName, tags.attributeName, tags.modifier], color: 'var(--info)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--muted)', fontStyle: 'italic' },
]);

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: 'var(--type-meta)' },
  '&.cm-focused, .cm-content:focus-visible': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--text)', padding: 'var(--space-2) 0' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: 'none' },
  '.cm-gutters.cm-gutters-after': { borderLeft: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--sunken) 60%, transparent)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-ground)',
  },
  '&.cm-focused .cm-matchingBracket, .cm-selectionMatch': { backgroundColor: 'var(--accent-ground)' },
  '&.cm-focused .cm-nonmatchingBracket': { color: 'var(--bad)', backgroundColor: 'transparent' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-ground)', outline: '1px solid var(--warn)' },
  '.cm-foldPlaceholder': {
    padding: '0 var(--space-1)',
    backgroundColor: 'var(--sunken)',
    border: '1px solid var(--line)',
    color: 'var(--muted)',
  },
  '.cm-foldGutter .cm-gutterElement': { cursor: 'pointer' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panel.cm-search': { padding: 'var(--space-2) var(--space-3)', fontFamily: 'var(--sans)' },
  '.cm-textfield': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--radius-control)',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--radius-control)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius-control)',
    boxShadow: 'var(--shadow)',
    maxWidth: 'min(32rem, 90vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '16rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px var(--space-2)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent-ground)', color: 'var(--text)' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal', marginLeft: 'var(--space-3)' },
  '.cm-completionInfo': { padding: 'var(--space-2) var(--space-3)', fontFamily: 'var(--sans)' },
  '.cm-diagnostic': { padding: 'var(--space-2) var(--space-3)', fontFamily: 'var(--sans)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnosticAction': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
    borderRadius: 'var(--radius-control)',
    padding: '2px var(--space-2)',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--warn)',
    textUnderlineOffset: '3px',
  },
});

/**
 * An editor for a text in some language. Tab indents; Esc followed by Tab moves the focus on. `text` replaces the
 * content when it differs; `extensions` are read once. `nonce` is that of the page's policy.
 */
export function CodeEditor({
  label,
  text,
  onChange,
  extensions,
  nonce,
  isReadOnly = false,
  help,
  onReady,
}: {
  readonly label: string;
  readonly text: string;
  readonly onChange?: (text: string) => void;
  readonly extensions: Extension;
  readonly nonce: string;
  readonly isReadOnly?: boolean;
  /** Shown below the editor; explains how to leave it by keyboard. */
  readonly help?: ReactNode;
  /** Called with the view when it is mounted, and with undefined when it is unmounted. */
  readonly onReady?: (view: EditorView | undefined) => void;
}): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  // Texts that were reported to the owner and have not come back as a property yet. A late one must not overwrite what
  // was typed since.
  const told = useRef<string[]>([]);
  const isReplacing = useRef(false);
  const change = useEffectEvent((next: string) => {
    if (isReplacing.current || !onChange) return;
    told.current.push(next);
    onChange(next);
  });
  const create = useEffectEvent(
    (parent: HTMLElement) =>
      new EditorView({
        parent,
        state: EditorState.create({
          doc: text,
          extensions: [
            EditorView.cspNonce.of(nonce),
            EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
            EditorView.updateListener.of((update) => {
              if (update.docChanged) change(update.state.doc.toString());
            }),
            isReadOnly ? reading : writing,
            shared,
            extensions,
          ],
        }),
      }),
  );
  const tell = useEffectEvent((next: EditorView | undefined) => onReady?.(next));
  useEffect(() => {
    if (!place.current) return;
    const made = create(place.current);
    view.current = made;
    tell(made);
    return () => {
      tell(undefined);
      view.current = undefined;
      made.destroy();
    };
  }, []);
  useEffect(() => {
    const shown = view.current;
    const index = told.current.lastIndexOf(text);
    told.current.splice(0, index + 1);
    if (!shown || index >= 0 || shown.state.doc.toString() === text) return;
    told.current = [];
    isReplacing.current = true;
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: text } });
    isReplacing.current = false;
  }, [text]);
  return (
    <div className="code-editor">
      <div className="code-editor-view" ref={place} />
      {help !== undefined && <p className="meta row spread">{help}</p>}
    </div>
  );
}

const shared: Extension = [
  look,
  syntaxHighlighting(colours),
  EditorView.lineWrapping,
  drawSelection(),
  search({ top: true }),
  highlightSelectionMatches(),
  bracketMatching(),
  codeFolding(),
];

const reading: Extension = [
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ 'aria-readonly': 'true' }),
  foldGutter(),
  keymap.of([...searchKeymap, ...foldKeymap, ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter')]),
];

const writing: Extension = [
  lineNumbers(),
  foldGutter(),
  history(),
  indentOnInput(),
  closeBrackets(),
  autocompletion(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...lintKeymap,
    // Mod-Enter belongs to the screen, which runs or saves.
    ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
    indentWithTab,
  ]),
];
