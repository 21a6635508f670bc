// Writes check results. The result, the object's status and the event are written in one transaction.
import { isAppError } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { CheckedCertificates } from '../inventory/index.ts';
import type { CheckedKeys } from '../keys/index.ts';
import type { CheckObjects, CheckResult } from './check.ts';
import type { CheckedObject } from './checked-object.ts';
import { storeResults } from './store-results.ts';

export interface RecorderParts {
  readonly platform: Platform;
  readonly check: CheckObjects;
  readonly certificates: Pick<CheckedCertificates, 'setStatus'>;
  readonly keys: Pick<CheckedKeys, 'setStatus'>;
}

export type ResultRecorder = ReturnType<typeof createResultRecorder>;

export function createResultRecorder({ platform, check, certificates, keys }: RecorderParts) {
  const { database, clock, events, log } = platform;

  /** An object whose own check fails is `failed`, with the reason; the others keep their results. */
  async function evaluate(objects: readonly CheckedObject[], signal?: AbortSignal): Promise<readonly CheckResult[]> {
    try {
      return await check(objects, signal);
    } catch (error) {
      if (signal?.aborted || isAppError(error, 'unavailable')) throw error;
      const [only] = objects;
      if (objects.length > 1 || !only) {
        const verdicts: CheckResult[] = [];
        for (const object of objects) verdicts.push(...(await evaluate([object], signal)));
        return verdicts;
      }
      log.error({ error, subject: only.subject, object: only.uuid }, 'a compliance check failed');
      const message = isAppError(error)
        ? error.message
        : 'The check failed because of an internal error; see the platform log.';
      return [{ object: only, status: 'failed', message, rules: [] }];
    }
  }

  async function record(tx: Executor, verdicts: readonly CheckResult[]): Promise<void> {
    const at = clock.now();
    const results = verdicts.map(({ object, status, message = null, rules }) => ({
      subject: object.subject,
      objectUuid: object.uuid,
      status,
      message,
      rules,
    }));
    for (const same of Map.groupBy(results, ({ subject, status }) => `${subject} ${status}`).values()) {
      const [first] = same;
      const uuids = same.map(({ objectUuid }) => objectUuid);
      if (first?.subject === 'keys') await keys.setStatus(tx, uuids, first.status);
      else if (first) await certificates.setStatus(tx, first.subject, uuids, first.status);
    }
    const changed = await storeResults(tx, results, at);
    const bad = verdicts.flatMap(({ object, status }) =>
      status === 'nok' && object.subject === 'certificates' && changed.has(object.uuid)
        ? [{ certificateUuid: object.uuid }]
        : [],
    );
    await events.appendAll(tx, 'certificate_not_compliant', bad);
  }

  return {
    judge: evaluate,
    keep: record,
    /** Checks a few objects and stores the results. */
    async checkNow(objects: readonly CheckedObject[], signal?: AbortSignal): Promise<readonly CheckResult[]> {
      const verdicts = await evaluate(objects, signal);
      await database.transaction((tx) => record(tx, verdicts));
      return verdicts;
    },
  };
}
