// Waits for what becomes of a certificate in a location.
import { setTimeout as delay } from 'node:timers/promises';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Connection } from '../platform/connect.ts';
import { deploymentOf, type Deployed, type Deployment, type LocationPlace } from './find-location.ts';

const POLL_MS = 1_000;

const isUnderWay = ({ state, askedUntil }: Deployed): boolean =>
  state === 'waiting' || state === 'pushing' || askedUntil !== undefined;

/** Once: with `waits`, until nothing of the location is under way. */
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

/** Fails when one of the certificates did not arrive. */
export const exitOf = ({ certificates }: Deployment, wanted: (held: Deployed) => boolean): ExitCode =>
  certificates.filter(wanted).some(({ state }) => state === 'failed' || state === 'notServed') ? EXIT.failed : EXIT.ok;
