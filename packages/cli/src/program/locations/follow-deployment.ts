// Waits for the deployment of a certificate to a location.
import { setTimeout as delay } from 'node:timers/promises';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Connection } from '../platform/connect.ts';
import { deploymentOf, type Deployed, type Deployment, type LocationPlace } from './find-location.ts';

const POLL_MS = 1_000;

const isUnderWay = ({ state, askedUntil }: Deployed): boolean =>
  state === 'waiting' || state === 'pushing' || askedUntil !== undefined;

/** Returns the deployment state. If `waits` is set, polls until nothing is in progress at the location. */
export async function followDeployment(
  connection: Connection,
  place: LocationPlace,
  waits: boolean,
): Promise<Deployment> {
  for (;;) {
    const deployment = await deploymentOf(connection, place);
    if (!waits || !deployment.certificates.some(isUnderWay)) return deployment;
    await delay(POLL_MS);
  }
}

/** Returns the exit code, which indicates failure if any of the wanted certificates could not be deployed. */
export const exitOf = ({ certificates }: Deployment, wanted: (held: Deployed) => boolean): ExitCode =>
  certificates.filter(wanted).some(({ state }) => state === 'failed' || state === 'notServed') ? EXIT.failed : EXIT.ok;
