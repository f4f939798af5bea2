const points = (count) => `${count.toLocaleString('en')} ${count === 1 ? 'point' : 'points'}`;
const timeOf = (seconds) => new Date(seconds * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

/** What the last call cost and what is left of both windows. */
export function LimitsBar({ limits }) {
  if (!limits) return <p className="limits">What a call costs shows here.</p>;
  const { cost, remaining, limit, reset, requests, requestLimit } = limits;
  return (
    <p className="limits" role="status">
      <span>
        Last call: <strong>{points(cost)}</strong>
      </span>
      <meter min="0" max={limit} low={limit / 10} optimum={limit} value={remaining} aria-label="Points left" />
      <span>
        {remaining.toLocaleString('en')} of {points(limit)} left until {timeOf(reset)}
      </span>
      {requests !== undefined && (
        <span>
          {requests.toLocaleString('en')} of {requestLimit.toLocaleString('en')} requests left
        </span>
      )}
    </p>
  );
}
