// Sets, removes and probes the endpoint of a location, and reports the deployment of its certificates.
import type { LocationDeployment, LocationProbe, ServedNow } from '@signetry/contract';
import { formatName, readCertificate } from '@signetry/pki';
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { HeldCertificates } from '../inventory/index.ts';
import type { Contents } from './contents.ts';
import { endpointOf, fingerprintOf, isExpected, leafOf, notServedReason } from './served-certificate.ts';
import type { LocationPath, LocationService } from './locations.ts';
import type { ProbeEndpoint, ObservedChain } from './ports.ts';
import { presentDeployment } from './present.ts';
import { entities, findHeld, locations } from './store.ts';
import { endAllProbing, findProbe, storeProbe, markServed, removeProbe } from './store-probes.ts';
import { findOperation } from './store-operations.ts';
import type { HeldState } from './tables.ts';

export interface ProbeParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly contents: Contents;
  readonly certificates: HeldCertificates;
  readonly locations: Pick<LocationService, 'require'>;
  readonly look: ProbeEndpoint;
}

export type Probes = ReturnType<typeof createProbes>;

export const createProbes = (parts: ProbeParts) => ({
  deployment: (path: LocationPath) => deployment(parts, path),
  set: (path: LocationPath, probe: LocationProbe, context: RequestContext) => set(parts, path, probe, context),
  remove: (path: LocationPath, context: RequestContext) => remove(parts, path, context),
  lookNow: (path: LocationPath, context: RequestContext) => probeNow(parts, path, context),
});

async function deployment(parts: ProbeParts, path: LocationPath): Promise<LocationDeployment> {
  const { platform, certificates } = parts;
  const { executor } = platform.database;
  const location = await parts.locations.require(path);
  const held = await findHeld(executor, [location.uuid]);
  const known = await certificates.find(
    executor,
    held.map(({ certificate_uuid: of }) => of),
  );
  const probe = await findProbe(executor, location.uuid);
  const operation = await findOperation(executor, location.uuid);
  return presentDeployment(location, { probe, held, known, operation, now: platform.clock.now() });
}

async function set(
  parts: ProbeParts,
  path: LocationPath,
  probe: LocationProbe,
  context: RequestContext,
): Promise<LocationDeployment> {
  const { uuid } = await parts.locations.require(path);
  await parts.platform.database.transaction(async (tx) => {
    const row = await locations.lock(tx, uuid);
    await storeProbe(tx, {
      location_uuid: uuid,
      host: probe.host,
      port: probe.port,
      server_name: probe.serverName || null,
      start_tls: probe.startTls ?? null,
      timeout_s: probe.timeoutSeconds,
      restore_previous: probe.restorePrevious,
    });
    const data = { probe: { host: probe.host, port: probe.port } };
    await parts.audit.append(tx, context, { objects: [row], data });
  });
  return deployment(parts, path);
}

async function remove(parts: ProbeParts, path: LocationPath, context: RequestContext): Promise<void> {
  const { platform, audit, contents } = parts;
  const { uuid } = await parts.locations.require(path);
  await platform.database.transaction(async (tx) => {
    const row = await locations.lock(tx, uuid);
    await removeProbe(tx, uuid);
    const asked = await endAllProbing(tx, uuid);
    const { connector_uuid: connectorUuid } = await entities.require(tx, row.entity_uuid);
    const gone = asked.flatMap(({ replaces_uuid: before }) => (before === null ? [] : [before]));
    await contents.unlink(tx, { locationUuid: uuid, connectorUuid, gone });
    await audit.append(tx, context, { objects: [row] });
  });
}

/** A certificate that was not served in time may be served by now; a replaced certificate is not expected to be. */
const MAY_BE_THERE: ReadonlySet<HeldState> = new Set(['installed', 'served', 'not_served']);

async function probeNow(parts: ProbeParts, path: LocationPath, { signal }: RequestContext): Promise<ServedNow> {
  const { platform, certificates, look } = parts;
  const { executor } = platform.database;
  const { uuid, name } = await parts.locations.require(path);
  const probe = await findProbe(executor, uuid);
  if (!probe) throw rejected(`Location ${name} has no endpoint. Specify one first.`);
  const held = (await findHeld(executor, [uuid])).filter(({ state }) => MAY_BE_THERE.has(state));
  const known = await certificates.find(
    executor,
    held.map(({ certificate_uuid: of }) => of),
  );
  const expected = new Set(known.flatMap(({ fingerprint }) => fingerprint ?? []));
  const endpoint = endpointOf(probe);
  const seen = await look(endpoint, { signal: signal ?? new AbortController().signal });
  const leaves = new Set(seen.served.flatMap((at) => leafOf(at) ?? []).map(fingerprintOf));
  for (const { uuid: certificateUuid, fingerprint } of known)
    if (fingerprint !== null && leaves.has(fingerprint))
      await markServed(executor, { location_uuid: uuid, certificate_uuid: certificateUuid }, platform.clock.now());
  const inventory = await certificates.identify(seen.served.flatMap(({ chain }) => chain.map(fingerprintOf)));
  return {
    asExpected: notServedReason(seen, { endpoint, expected }) === undefined,
    addresses: seen.served.map((at) => ({
      address: at.address,
      protocol: at.protocol,
      chain: at.chain.flatMap((der) => presentServed(der, inventory)),
      asExpected: isExpected(at, expected),
    })),
    problems: [...seen.failures],
  };
}

/** Omits certificates that cannot be read. */
function presentServed(
  der: ObservedChain['chain'][number],
  inventory: ReadonlyMap<string, string>,
): ServedNow['addresses'][number]['chain'] {
  const fingerprint = fingerprintOf(der);
  const certificateUuid = inventory.get(fingerprint);
  try {
    const { subject, notAfterMs } = readCertificate(der);
    return [
      {
        fingerprint,
        subject: formatName(subject),
        notAfter: new Date(notAfterMs).toISOString(),
        ...(certificateUuid === undefined ? {} : { certificateUuid }),
      },
    ];
  } catch {
    return [];
  }
}
