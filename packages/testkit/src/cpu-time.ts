// Processor time of this process and of every process below it, which a test file is charged with. On systems without
// /proc only this process counts.
import { readdirSync, readFileSync } from 'node:fs';

/** USER_HZ of Linux, the same on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

interface ProcessTime {
  readonly pid: number;
  readonly parent: number;
  /** Of the process itself. */
  readonly own: number;
  /** Of its children that ended, and theirs. */
  readonly ended: number;
}

/** In milliseconds, since this process began. */
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

/** None when it ended since (proc_pid_stat(5)). */
function readProcess(pid: number): ProcessTime | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name, in parentheses, may hold anything.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11);
  return { pid, parent, own: user + system, ended: endedUser + endedSystem };
}
