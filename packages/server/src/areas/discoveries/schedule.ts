// Discoveries scheduled with a cron expression. A scheduled job creates a discovery, named after the request and the
// time, and ends when the discovery ends.
import { discoveryOperations, DiscoveryDto, MAX_NAME_LENGTH, type ScheduleDiscoveryDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { isAppError, rejected } from '../../kernel/errors.ts';
import { maskSecrets } from '../attributes/index.ts';
import type { JobRun, Scheduler } from '../scheduler/index.ts';
import { nameAt, TIME_LENGTH } from './run-rules.ts';
import type { DiscoveryService } from './service.ts';

/** Job type known to API clients. */
const JOB_TYPE = 'DiscoveryCertificateTask';

export interface SchedulingParts {
  readonly scheduler: Scheduler;
  readonly service: Pick<DiscoveryService, 'accept' | 'create'>;
}

export type ScheduleDiscovery = ReturnType<typeof createScheduling>;

export function createScheduling({ scheduler, service }: SchedulingParts) {
  scheduler.register({ jobType: JOB_TYPE, runsAgain: true, run: (run) => begin(service, run) });

  return async function schedule(asked: ScheduleDiscoveryDto, context: RequestContext): Promise<string> {
    const { jobName: name, cronExpression, oneTime, request } = asked;
    if (request.name.length + TIME_LENGTH > MAX_NAME_LENGTH)
      throw rejected(
        `The discovery name must not be longer than ${MAX_NAME_LENGTH - TIME_LENGTH} characters, because a timestamp is appended.`,
      );
    const { accepted } = await service.accept(request, context);
    const { customAttributes = [], ...others } = request;
    const shown = {
      ...others,
      attributes: maskSecrets(accepted, 'discoveries'),
      customAttributes: maskSecrets(customAttributes, 'discoveries'),
    };
    return scheduler.create({ name, jobType: JOB_TYPE, cronExpression, oneTime, request, shown }, context);
  };
}

/** Permissions on the objects in the request are checked again, because the user may have lost them. */
async function begin(service: SchedulingParts['service'], run: JobRun): Promise<undefined> {
  const asked = DiscoveryDto.parse(run.request);
  await run.assertMay(discoveryOperations.createDiscovery, asked);
  const context = { ...run.context, audit: discoveryOperations.createDiscovery.audit };
  const create = (name: string) =>
    service.create({ ...asked, name }, context, (tx, uuid) =>
      run.handOver(tx, { resource: 'discoveries', uuids: [uuid] }),
    );
  const name = nameAt(asked.name, run.startedAt);
  try {
    await create(name);
  } catch (error) {
    if (!isAppError(error, 'already_exists')) throw error;
    // A different job with the same discovery name started in the same second.
    await create(`${asked.name}_${run.startedAt.toISOString()}`);
  }
}
