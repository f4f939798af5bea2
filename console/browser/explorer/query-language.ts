import { setDiagnostics } from '@codemirror/lint';
import type { Diagnostic } from '@codemirror/lint';
import { RangeSet, StateEffect, StateField } from '@codemirror/state';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView, GutterMarker, gutter, keymap } from '@codemirror/view';
import { completion, graphqlLanguageSupport, jump, showInDocsCommand, stateExtensions } from 'cm6-graphql';
import type { GraphQLError } from 'graphql';
import type { ConnectionPrice } from '@itsm/shared/pricing/breakdown';
import { formatNumber } from '../design/formats';

/** The target of a docs look-up: a field of a type, or a type. */
export interface DocsTarget {
  readonly type: string;
  readonly field: string | undefined;
}

class PriceMarker extends GutterMarker {
  readonly requests: number;
  readonly isDearest: boolean;

  constructor(requests: number, isDearest: boolean) {
    super();
    this.requests = requests;
    this.isDearest = isDearest;
  }

  override eq(other: PriceMarker): boolean {
    return other.requests === this.requests && other.isDearest === this.isDearest;
  }

  override toDOM(): Node {
    const mark = document.createElement('span');
    mark.className = this.isDearest ? 'price-mark price-mark-dearest' : 'price-mark';
    mark.textContent = formatNumber(this.requests);
    mark.title = `${formatNumber(this.requests)} requests for what starts on this line${this.isDearest ? ', the most expensive' : ''}`;
    return mark;
  }
}

const setPrices = StateEffect.define<readonly ConnectionPrice[]>();

const prices = StateField.define<RangeSet<PriceMarker>>({
  create: () => RangeSet.empty,
  update(markers, transaction) {
    const shown = transaction.effects.find((effect) => effect.is(setPrices));
    return shown ? markersOf(transaction.state, shown.value) : markers.map(transaction.changes);
  },
});

function markersOf(state: EditorState, breakdown: readonly ConnectionPrice[]): RangeSet<PriceMarker> {
  const byLine = new Map<number, number>();
  for (const { line, requests } of breakdown) byLine.set(line, (byLine.get(line) ?? 0) + requests);
  const dearest = Math.max(0, ...byLine.values());
  const isWorthSaying = byLine.size > 1 && dearest > 1;
  return RangeSet.of(
    [...byLine]
      .filter(([line]) => line >= 1 && line <= state.doc.lines)
      .sort(([one], [other]) => one - other)
      .map(([line, requests]) =>
        new PriceMarker(requests, isWorthSaying && requests === dearest).range(state.doc.line(line).from),
      ),
  );
}

/** Shows each line's price in the gutter, and underlines errors. */
export function showJudgement(
  view: EditorView,
  breakdown: readonly ConnectionPrice[],
  errors: readonly GraphQLError[],
): void {
  view.dispatch({ effects: setPrices.of(breakdown) });
  view.dispatch(
    setDiagnostics(
      view.state,
      errors.flatMap((error) => diagnosticOf(view.state, error)),
    ),
  );
}

function diagnosticOf({ doc }: EditorState, { message, locations, extensions }: GraphQLError): Diagnostic[] {
  const place = locations?.[0];
  const line = place?.line ?? Number(extensions['line']);
  const column = place?.column ?? Number(extensions['column']);
  if (!(line >= 1 && line <= doc.lines)) return [];
  const { from, to, text } = doc.line(line);
  const start = Math.min(from + column - 1, to);
  const word = /^[\w$@]+/.exec(text.slice(start - from))?.[0].length ?? 1;
  return [{ from: Math.min(start, doc.length), to: Math.min(start + word, doc.length), severity: 'error', message }];
}

/** Moves the cursor to a line and scrolls it into view. */
export function goToLine(view: EditorView, line: number): void {
  const { from } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
  view.focus();
}

const gutterOfPrices = gutter({
  class: 'price-gutter',
  side: 'after',
  markers: (view) => view.state.field(prices),
  initialSpacer: () => new PriceMarker(100, false),
});

/** GraphQL support: completion by the schema, docs on Ctrl-click, and the price of each line. */
export const queryLanguage = (onDocs: (target: DocsTarget) => void): Extension => [
  graphqlLanguageSupport(),
  completion,
  jump,
  stateExtensions(undefined, {
    onShowInDocs: (field, type, parent) => {
      if (parent !== undefined) onDocs({ type: parent, field });
      else if (type !== undefined) onDocs({ type: type.replaceAll(/[[\]!]/g, ''), field: undefined });
    },
  }),
  prices,
  gutterOfPrices,
  keymap.of([{ key: 'F1', run: showInDocsCommand, preventDefault: true }]),
];

export { updateSchema } from 'cm6-graphql';
