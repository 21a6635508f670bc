// CPU time of this process and its descendants, which is attributed to a test file. On systems without /proc, only this
// process counts.
import { readdirSync, readFileSync } from 'node:fs';

/** USER_HZ on Linux, the same on every architecture that Node supports. */
const TICKS_PER_SECOND = 100;

interface ProcessTime {
  readonly pid: number;
  readonly parent: number;
  /** CPU time of the process itself. */
  readonly own: number;
  /** CPU time of its terminated children and their descendants. */
  readonly ended: number;
}

/** Returns the CPU time in milliseconds since this process started. */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + descendantsMs();
}

function descendantsMs(): number {
  const processes = readProcesses();
  const children = Map.groupBy(processes, ({ parent }) => parent);
  let ticks = processes.find(({ pid }) => pid === process.pid)?.ended ?? 0;
  const open = [process.pid];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const child of children.get(pid) ?? []) {
      ticks += child.own + child.ended;
      open.push(child.pid);
    }
  }
  return (ticks * 1_000) / TICKS_PER_SECOND;
}

function readProcesses(): ProcessTime[] {
  let names: readonly string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names.filter((name) => /^\d+$/.test(name)).flatMap((pid) => readProcess(Number(pid)) ?? []);
}

/** Returns undefined if the process has ended in the meantime (proc_pid_stat(5)). */
function readProcess(pid: number): ProcessTime | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name, in parentheses, can contain any character.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11);
  return { pid, parent, own: user + system, ended: endedUser + endedSystem };
}
