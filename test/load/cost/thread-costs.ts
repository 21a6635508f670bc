// CPU time and context switches of a platform's threads by purpose, from /proc.
import { readdirSync, readFileSync } from 'node:fs';
import { processTree } from '../server-process.ts';

export interface ThreadCost {
  readonly group: string;
  readonly cpuMs: number;
  /** Voluntary and involuntary context switches. */
  readonly waits: number;
  readonly losses: number;
}

interface ThreadReading extends ThreadCost {
  readonly thread: number;
}

export function readThreads(pid: number): readonly ThreadReading[] {
  return processTree(pid).flatMap((process) => {
    try {
      return readdirSync(`/proc/${process}/task`).map((thread) => readThread(pid, process, Number(thread)));
    } catch {
      return []; // The process exited in the meantime.
    }
  });
}

/** Returns the cost by group. A thread started in between counts in full; one that ended in between does not count. */
export function spentBetween(before: readonly ThreadReading[], after: readonly ThreadReading[]): readonly ThreadCost[] {
  const known = new Map(before.map((reading) => [reading.thread, reading]));
  const groups = new Map<string, ThreadCost>();
  for (const { thread, group, cpuMs, waits, losses } of after) {
    const was = known.get(thread);
    const sum = groups.get(group) ?? { group, cpuMs: 0, waits: 0, losses: 0 };
    groups.set(group, {
      group,
      cpuMs: sum.cpuMs + cpuMs - (was?.cpuMs ?? 0),
      waits: sum.waits + waits - (was?.waits ?? 0),
      losses: sum.losses + losses - (was?.losses ?? 0),
    });
  }
  return [...groups.values()].toSorted((one, other) => other.cpuMs - one.cpuMs);
}

function readThread(server: number, process: number, thread: number): ThreadReading {
  const of = `/proc/${process}/task/${thread}`;
  const status = readFileSync(`${of}/status`, 'utf8');
  const count = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return {
    thread,
    group: groupOf({ server, process, thread, name: readFileSync(`${of}/comm`, 'utf8').trim() }),
    // `schedstat` has nanosecond resolution; `stat` has only hundredths of a second.
    cpuMs: Number(readFileSync(`${of}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    waits: count('voluntary_ctxt_switches'),
    losses: count('nonvoluntary_ctxt_switches'),
  };
}

function groupOf(of: {
  readonly server: number;
  readonly process: number;
  readonly thread: number;
  readonly name: string;
}) {
  if (of.process === of.server) return of.thread === of.server ? 'server: main thread' : `server: ${of.name}`;
  const title = readFileSync(`/proc/${of.process}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  if (of.name !== 'postgres') return of.name;
  // PostgreSQL shows the role of each process in its title.
  const [, work = 'main'] = /^postgres: (?:\S+: )?(.*)$/.exec(title) ?? [];
  return `database: ${/\[local\]|\d+\.\d+/.test(work) ? 'connections' : work}`;
}
