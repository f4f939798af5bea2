import type { GraphQLError } from 'graphql';
import type { ReactNode } from 'react';
import type { ConnectionPrice } from '@itsm/shared/pricing/breakdown';
import { limits } from '@itsm/shared/pricing/limits';
import { useBudget } from '../api/budget';
import { formatNumber } from '../design/formats';
import { relativeTime, useNow } from '../design/time';
import { Button } from '../design/button';
import type { Fix } from './fixes';
import type { Judgement } from './question';
import { headingOf } from './texts';

/** The price of the call, or the limit that it exceeds, and the fix. */
export function PricePanel({
  judgement,
  fix,
  onFix,
  onLine,
}: {
  readonly judgement: Judgement;
  readonly fix: Fix | undefined;
  readonly onFix: (fix: Fix) => void;
  readonly onLine: (line: number) => void;
}): ReactNode {
  switch (judgement.kind) {
    case 'empty':
      return (
        <section className="price" aria-label="Price">
          <p className="muted">Nothing to run yet. Write a query or pick an example.</p>
        </section>
      );
    case 'variables':
      return (
        <section className="price price-refused" aria-label="Price">
          <p>
            <strong>The variables are not valid</strong>
          </p>
          <p>{judgement.message}</p>
        </section>
      );
    default:
      return judgement.answer.kind === 'priced' ? (
        <Priced price={judgement.answer.price} breakdown={judgement.answer.breakdown} onLine={onLine} />
      ) : (
        <Refused errors={judgement.answer.errors} fix={fix} onFix={onFix} onLine={onLine} />
      );
  }
}

function Priced({
  price: { cost, nodes, depth, requests },
  breakdown,
  onLine,
}: {
  readonly price: { readonly cost: number; readonly nodes: number; readonly depth: number; readonly requests: number };
  readonly breakdown: readonly ConnectionPrice[];
  readonly onLine: (line: number) => void;
}): ReactNode {
  const { points } = useBudget();
  const now = useNow(30_000);
  const [dearest, second] = [...breakdown].sort((one, other) => other.requests - one.requests);
  const isTooDear = points !== undefined && cost > points.remaining;
  return (
    <section className={isTooDear ? 'price price-refused' : 'price'} aria-label="Price">
      <dl className="price-figures number">
        <div>
          <dt>{cost === 1 ? 'point' : 'points'}</dt>
          <dd>{formatNumber(cost)}</dd>
          <dd className="meta">{points ? `of ${formatNumber(points.remaining)} left` : 'at least one'}</dd>
        </div>
        <Figure name="nodes" value={nodes} limit={limits.nodes} />
        <Figure name="levels" value={depth} limit={limits.depth} />
      </dl>
      {isTooDear && (
        <p>
          <strong>Too expensive right now.</strong> {formatNumber(points.remaining)} points left; all are back{' '}
          {relativeTime(new Date(points.resetAt * 1_000), now)}.
        </p>
      )}
      {dearest && second && dearest.requests > 1 && (
        <p className="meta">
          Most expensive:{' '}
          <LineLink line={dearest.line} onLine={onLine} text={`${dearest.path} on line ${dearest.line}`} />,{' '}
          {formatNumber(dearest.requests)} of {formatNumber(requests)} requests.
        </p>
      )}
    </section>
  );
}

function Figure({
  name,
  value,
  limit,
}: {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
}): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{formatNumber(value)}</dd>
      <dd className="meta">
        of {formatNumber(limit)}
        <meter
          min={0}
          max={limit}
          value={value}
          aria-label={`${name}: ${formatNumber(value)} of ${formatNumber(limit)}`}
        />
      </dd>
    </div>
  );
}

const mostErrors = 3;

function Refused({
  errors,
  fix,
  onFix,
  onLine,
}: {
  readonly errors: readonly GraphQLError[];
  readonly fix: Fix | undefined;
  readonly onFix: (fix: Fix) => void;
  readonly onLine: (line: number) => void;
}): ReactNode {
  const code = errors[0]?.extensions['code'];
  return (
    <section className="price price-refused" aria-label="Price">
      <div className="row spread">
        <p>
          <strong>{headingOf(String(code))}</strong>
        </p>
        {fix && (
          <Button kind="primary" onPress={() => onFix(fix)}>
            {fix.verb}
          </Button>
        )}
      </div>
      <ul>
        {errors.slice(0, mostErrors).map((error, index) => (
          <li key={index}>
            <Lead error={error} onLine={onLine} /> {error.message}
            <Asked error={error} />
          </li>
        ))}
      </ul>
      {errors.length > mostErrors && <p className="meta">And {errors.length - mostErrors} more, underlined.</p>}
    </section>
  );
}

function Lead({ error, onLine }: { readonly error: GraphQLError; readonly onLine: (line: number) => void }): ReactNode {
  const line = error.locations?.[0]?.line;
  return line !== undefined && <LineLink line={line} onLine={onLine} text={`Line ${line}:`} />;
}

/** The requested value, for a limit whose message does not mention it. */
function Asked({ error: { extensions } }: { readonly error: GraphQLError }): ReactNode {
  const { code, value } = extensions;
  return code === 'NODE_LIMIT_EXCEEDED' && typeof value === 'number' && ` This query asks for ${formatNumber(value)}.`;
}

/** A link to a line of the editor. */
export function LineLink({
  line,
  onLine,
  text,
}: {
  readonly line: number;
  readonly onLine: (line: number) => void;
  readonly text: string;
}): ReactNode {
  return (
    <button type="button" className="link-button" onClick={() => onLine(line)}>
      {text}
    </button>
  );
}
