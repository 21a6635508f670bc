// Current logging rules. They are available without a database query, because every request is subject to them. Each
// node reloads them every two seconds, so a change takes effect on all nodes within five seconds.
import type { AuditReadsSettings, LoggingSettingsDto } from '@signetry/contract';
import type { Executor } from '../../platform/database/database.ts';
import { createRounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import { createSettingsSection } from '../../platform/settings/section.ts';
import { initialRules, type LoggingRules } from './logging-rules.ts';

const PERIOD_MS = 2_000;

export type LoggingPolicy = ReturnType<typeof createLoggingPolicy>;

const { output: _output, verbose: _verbose, ...everything } = initialRules.auditLogs;
const initialLogging: LoggingSettingsDto = { auditLogs: initialRules.auditLogs, eventLogs: everything };

export function createLoggingPolicy(platform: Platform) {
  const { database, log } = platform;
  const logging = createSettingsSection<LoggingSettingsDto>(platform, { name: 'logging', initial: initialLogging });
  const reads = createSettingsSection<AuditReadsSettings>(platform, {
    name: 'auditReads',
    initial: initialRules.reads,
  });
  let rules: LoggingRules = initialRules;

  async function read(executor: Executor): Promise<LoggingRules> {
    const { auditLogs } = await logging.read(executor);
    return { auditLogs, reads: await reads.read(executor) };
  }

  async function refresh(): Promise<void> {
    rules = await read(database.executor);
  }

  const rounds = createRounds({
    log,
    what: 'reading the logging settings',
    periodMs: PERIOD_MS,
    run: () => refresh().then(() => false),
  });

  return {
    rules: (): LoggingRules => rules,
    /** Reads the rules within a transaction. */
    read,
    /** Must be called after a change has been committed. */
    refresh,
    logging,
    reads,
    async start() {
      await refresh();
      rounds.start(PERIOD_MS);
    },
    stop: () => rounds.stop(),
  };
}
