import { lineOf, parseLine } from '../deliveries/delivery';
import type { Lane } from '../deliveries/delivery';

/**
 * In-memory index of the lines that this process knows, each with its earliest due time. A line is the queue of one
 * lane and one destination; `line` in a delivery names it.
 */
export interface Lines {
  /** Records that something in the line is due at `dueAt`; an earlier known time stays. */
  note(line: string, dueAt: number): void;
  /** The version of the line, for `correct`: read it before querying the store. */
  notes(line: string): number;
  /**
   * Sets the line's due time as read from the store; undefined removes the empty line. Ignored unless the version is
   * still `notes`: what arrived during the query may be missing from its result.
   */
  correct(line: string, dueAt: number | undefined, notes: number): void;
  /** The due lines of `lane`, least recently served first (round robin). */
  due(lane: Lane, now: number): readonly string[];
  /** Moves the line to the end of the round. */
  serve(line: string): void;
  /** Records whether the last serving drained the line of due deliveries. */
  servedToEnd(line: string, toEnd: boolean): void;
  isDue(destination: string, now: number): boolean;
  /** Whether new deliveries must wait behind due ones in the store (first in, first out). */
  isBehind(destination: string, now: number): boolean;
  /** The earliest due time of all lines, in milliseconds since the epoch. */
  earliest(): number | undefined;
}

interface Known {
  readonly dueAt: number;
  readonly notes: number;
  readonly behind: boolean;
}

export function createLines(): Lines {
  const lanes = { first: new Map<string, Known>(), retry: new Map<string, Known>() };
  const laneOf = (line: string): Map<string, Known> => lanes[parseLine(line).lane];
  let notesOfAll = 0;
  const dueOnes = (destination: string, now: number): Known[] =>
    (['first', 'retry'] as const).flatMap((lane) => {
      const known = lanes[lane].get(lineOf(lane, destination));
      return known && known.dueAt <= now ? [known] : [];
    });

  return {
    note(line, dueAt) {
      const lane = laneOf(line);
      notesOfAll += 1;
      const { dueAt: before = Infinity, behind = true } = lane.get(line) ?? {};
      lane.set(line, { dueAt: Math.min(before, dueAt), notes: notesOfAll, behind });
    },
    notes: (line) => laneOf(line).get(line)?.notes ?? 0,
    correct(line, dueAt, notes) {
      const lane = laneOf(line);
      // A delivery arrived during the query, so the result may be stale.
      if ((lane.get(line)?.notes ?? 0) !== notes) return;
      if (dueAt === undefined) lane.delete(line);
      else lane.set(line, { dueAt, notes, behind: true });
    },
    due: (lane, now) => [...lanes[lane]].filter(([, { dueAt }]) => dueAt <= now).map(([line]) => line),
    serve(line) {
      const lane = laneOf(line);
      const known = lane.get(line);
      if (!known) return;
      lane.delete(line);
      lane.set(line, known);
    },
    servedToEnd(line, toEnd) {
      const lane = laneOf(line);
      const known = lane.get(line);
      if (known) lane.set(line, { ...known, behind: !toEnd });
    },
    isDue: (destination, now) => dueOnes(destination, now).length > 0,
    isBehind: (destination, now) => dueOnes(destination, now).some(({ behind }) => behind),
    earliest() {
      const times = [...lanes.first.values(), ...lanes.retry.values()].map(({ dueAt }) => dueAt);
      return times.length === 0 ? undefined : times.reduce((least, time) => Math.min(least, time));
    },
  };
}
