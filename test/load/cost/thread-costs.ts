// Processor time and switches of the threads of a platform, by what they do, from /proc.
import { readdirSync, readFileSync } from 'node:fs';
import { processTree } from '../server-process.ts';

export interface ThreadCost {
  readonly group: string;
  readonly cpuMs: number;
  /** Times that a thread gave the core up to wait, and that it was taken away. */
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
      return []; // ended meanwhile
    }
  });
}

/** By group; a thread that began meanwhile counts whole, one that ended meanwhile not at all. */
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
    // In nanoseconds, where `stat` counts hundredths of a second.
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
  if (of.process === of.server) return of.thread === of.server ? 'server: own thread' : `server: ${of.name}`;
  const title = readFileSync(`/proc/${of.process}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  if (of.name !== 'postgres') return of.name;
  // PostgreSQL names the work of each of its processes.
  const [, work = 'main'] = /^postgres: (?:\S+: )?(.*)$/.exec(title) ?? [];
  return `database: ${/\[local\]|\d+\.\d+/.test(work) ? 'connections' : work}`;
}
