// Displays the progress of a test run: the number of finished files, and each failure as soon as it is known.
import type { SerializedError } from 'vitest';
import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { fileOutcome, type FileOutcome } from './outcome.ts';

/** Interval between progress lines if the output is not a terminal. */
const SECONDS_BETWEEN_LINES = 15;

export class Progress implements Reporter {
  readonly files: FileOutcome[] = [];
  strayErrors = 0;
  private readonly started = performance.now();
  private readonly terminal = process.stdout;
  private vitest: Vitest | undefined;
  private total = 0;
  private failed = 0;
  private lastLineAt = 0;
  private timer: NodeJS.Timeout | undefined;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.total = specifications.length;
    this.vitest = specifications[0]?.project.vitest;
    this.show('');
    this.timer = setInterval(() => this.show(''), SECONDS_BETWEEN_LINES * 1_000);
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state !== 'failed') return;
    this.failed += 1;
    this.tell(test.module, test.fullName, errors ?? []);
  }

  onTestModuleEnd(module: TestModule): void {
    const outcome = fileOutcome(module);
    this.files.push(outcome);
    // Errors of imports and hooks, which belong to no test.
    const errors = [module, ...module.children.allSuites()].flatMap((each) => each.errors());
    if (errors.length > 0) {
      this.failed += 1;
      this.tell(module, '', errors);
    }
    this.show(outcome.path);
  }

  onTestRunEnd(_: unknown, errors: readonly SerializedError[]): void {
    clearInterval(this.timer);
    this.clear();
    this.strayErrors = errors.length;
    for (const error of errors) this.vitest?.logger.printError(error, { fullStack: true, type: 'Unhandled error' });
  }

  private tell(module: TestModule, name: string, errors: readonly SerializedError[]): void {
    this.clear();
    console.log(`\nFAILED ${module.relativeModuleId}${name && ` > ${name}`}`);
    for (const error of errors) this.vitest?.logger.printError(error, { project: module.project });
  }

  private show(path: string): void {
    const seconds = Math.round((performance.now() - this.started) / 1_000);
    const failures = this.failed === 0 ? '' : `, ${this.failed} failed`;
    const line = `${this.files.length} of ${this.total} files${failures}, ${seconds} s`;
    if (this.terminal.isTTY) {
      this.clear();
      this.terminal.write(`${line}  ${path}`.slice(0, this.terminal.columns - 1));
    } else if (seconds - this.lastLineAt >= SECONDS_BETWEEN_LINES || this.files.length === this.total) {
      this.lastLineAt = seconds;
      console.log(line);
    }
  }

  private clear(): void {
    if (this.terminal.isTTY) this.terminal.write('\r\x1b[K');
  }
}
