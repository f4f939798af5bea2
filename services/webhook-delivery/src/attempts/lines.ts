import { lineOf, parseLine } from '../deliveries/delivery';
import type { Lane } from '../deliveries/delivery';

/** The lines that this process knows of, with the time from which something in them is due. */
export interface Lines {
  /** Something in the line is due at `dueAt`, perhaps something else earlier. */
  note(line: string, dueAt: number): void;
  /** How often the line was noted; taken before the store is asked, for `correct`. */
  notes(line: string): number;
  /** What the store says about the line, asked when it had `notes`; undefined: nothing waits in it. */
  correct(line: string, dueAt: number | undefined, notes: number): void;
  /** The lines of `lane` that are due, the one that was served longest ago first. */
  due(lane: Lane, now: number): readonly string[];
  /** Puts the line behind the others. */
  serve(line: string): void;
  /** Records whether the line had nothing more that was due, the last time it was served. */
  servedToEnd(line: string, toEnd: boolean): void;
  isDue(destination: string, now: number): boolean;
  /** Whether new deliveries have to wait behind those that are due. */
  isBehind(destination: string, now: number): boolean;
  /** The earliest due time of all. */
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
      // Something came while the store was asked: it may not have seen it.
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
