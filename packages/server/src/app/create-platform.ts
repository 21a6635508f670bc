// Services that every area receives: database, jobs, events, sealing, limits, egress gate, metrics.
import { systemClock } from '../kernel/clock.ts';
import { killingFaultPoints, noFaults } from '../kernel/fault-points.ts';
import { Events } from '../platform/events/outbox.ts';
import { Jobs } from '../platform/jobs/jobs.ts';
import { createRateLimits, type LimitName, type Rate } from '../platform/limits/rate-limits.ts';
import type { Logger } from '../platform/logging/logger.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import { createEgressGate } from '../platform/net/egress.ts';
import type { Platform } from '../platform/platform.ts';
import { publicUrlOf, revocationUrlOf, type OpenListeners } from './public-urls.ts';
import type { Settings } from './settings.ts';
import { readNodeId, type DataDirectory } from './data-directory.ts';
import { isOwnListener } from './own-listeners.ts';

export interface PlatformParts {
  readonly values: Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: DataDirectory;
  readonly listeners: Readonly<OpenListeners>;
  readonly database: Platform['database'];
  readonly sealer: Platform['sealer'];
  readonly log: Logger;
  /** Fires when calls to remote parties must be aborted. */
  readonly giveUp: AbortSignal;
}

export async function createPlatform(parts: PlatformParts): Promise<Platform> {
  const { values, environment, directory, listeners, database, sealer, log, giveUp } = parts;
  const jobs = new Jobs({ database, log });
  const metrics = createMetrics();
  const fault = environment['SIGNETRY_FAULT_POINT'];
  return {
    database,
    jobs,
    events: new Events({ database, jobs, log }),
    sealer,
    limits: createRateLimits({ database, sealer, rates: ratesOf(values) }),
    clock: systemClock,
    log,
    metrics,
    egress: createEgressGate({
      allowLoopback: false,
      allowedHosts: values.egressAllowedHosts,
      onlyHosts: values.egressOnlyHosts,
      onRejected: (reason) => metrics.egressRefusals.inc({ reason }),
      isOwnListener: (address, port) =>
        isOwnListener([listeners.http, listeners.https, listeners.scepHttps, ...listeners.side], { address, port }),
    }),
    nodeId: await readNodeId(directory),
    publicUrl: () => publicUrlOf(values, listeners),
    revocationUrl: () => revocationUrlOf(values, listeners),
    giveUp,
    faultPoint: fault === undefined ? noFaults : killingFaultPoints(fault),
  };
}

/** Returns the effective limits from their settings. */
const ratesOf = (values: Settings): Readonly<Record<LimitName, Rate | undefined>> => ({
  failedSignIns: values.limitFailedSignIns,
  failedSignInsOfUser: values.limitFailedSignInsOfUser,
  failedEnrollments: values.limitFailedEnrollments,
  failedEnrollmentsOfProfile: values.limitFailedEnrollmentsOfProfile,
  passkeyChallenges: values.limitPasskeyChallenges,
  newCredentials: values.limitNewCredentials,
  refusedChanges: values.limitRefusedChanges,
  connectorRegistrations: values.limitConnectorRegistrations,
  acmeAccounts: values.limitAcmeAccounts,
  acmeOrders: values.limitAcmeOrders,
  acmeFailedValidations: values.limitAcmeFailedValidations,
});
