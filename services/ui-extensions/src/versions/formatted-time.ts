/** A moment for a reader who prefers `languages`, the best first; an empty text for none. An unknown time zone is UTC. */
export function formatTime(time: Date | null, languages: readonly string[], timeZone: string): string {
  if (!time) return '';
  return formatOf(languages, timeZone).format(time);
}

function formatOf(languages: readonly string[], timeZone: string): Intl.DateTimeFormat {
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
  try {
    return new Intl.DateTimeFormat([...languages], { ...style, timeZone });
  } catch {
    return new Intl.DateTimeFormat([...languages], { ...style, timeZone: 'UTC' });
  }
}
