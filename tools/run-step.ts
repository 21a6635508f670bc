// Runs one step of a check as a child process and reports it in one line; output is shown only if it fails.
import { spawn } from 'node:child_process';
import { ROOT } from './source-files.ts';

export interface StepResult {
  readonly name: string;
  readonly ok: boolean;
  readonly output: string;
  readonly seconds: number;
}

export function runCommand(name: string, command: readonly [string, ...string[]]): Promise<StepResult> {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), {
      cwd: ROOT,
      env: { ...process.env, FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => resolve({ name, ok: false, output: error.message, seconds: 0 }));
    child.on('close', (code) =>
      resolve({ name, ok: code === 0, output, seconds: (performance.now() - started) / 1000 }),
    );
  });
}

export async function runInProcess(
  name: string,
  work: () => Promise<readonly string[]> | readonly string[],
): Promise<StepResult> {
  const started = performance.now();
  const problems = await work();
  return {
    name,
    ok: problems.length === 0,
    output: problems.join('\n'),
    seconds: (performance.now() - started) / 1000,
  };
}

/** Prints the results and returns whether all steps succeeded. */
export function report(results: readonly StepResult[]): boolean {
  for (const { name, ok, seconds } of results) console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} (${seconds.toFixed(1)} s)`);
  for (const { name, ok, output } of results) if (!ok) console.log(`\n--- ${name}\n${output.trim()}`);
  return results.every(({ ok }) => ok);
}
