// Waits for the deployment of a certificate to a location.
import { setTimeout as delay } from 'node:timers/promises';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Connection } from '../platform/connect.ts';
import { deploymentOf, type DeployedCertificate, type Deployment, type LocationPath } from './find-location.ts';

const POLL_MS = 1_000;

const isInProgress = ({ state, askedUntil }: DeployedCertificate): boolean =>
  state === 'waiting' || state === 'pushing' || askedUntil !== undefined;

/** Returns the deployment state. If `waits` is set, polls until nothing is in progress at the location. */
export async function followDeployment(
  connection: Connection,
  place: LocationPath,
  waits: boolean,
): Promise<Deployment> {
  for (;;) {
    const deployment = await deploymentOf(connection, place);
    if (!waits || !deployment.certificates.some(isInProgress)) return deployment;
    await delay(POLL_MS);
  }
}

/** Returns the exit code, which indicates failure if any of the wanted certificates could not be deployed. */
export const exitOf = ({ certificates }: Deployment, wanted: (held: DeployedCertificate) => boolean): ExitCode =>
  certificates.filter(wanted).some(({ state }) => state === 'failed' || state === 'notServed') ? EXIT.failed : EXIT.ok;
