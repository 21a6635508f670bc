// Assembles the parts that call authorities, and those that complete their work after a fault.
import { coreContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { Approvals } from '../approvals/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Connectors } from '../connectors/index.ts';
import type { Keys } from '../keys/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import { createAwaitApproval } from './approving/await-approval.ts';
import { createApprovalSubject } from './approving/subject.ts';
import {
  findProfilesOfCaKey,
  NO_WEAK_KEYS,
  type CompliancePort,
  type Issuers,
  type LocationsPort,
  type NameSource,
  type Users,
  type WeakKeyLists,
} from '../certificates/index.ts';
import { carryOut as carryOutIssuing } from './issuance/carry-out.ts';
import { createIssuance } from './issuance/issuance.ts';
import { createRecorder } from './issuance/record.ts';
import { createCertificateRenewer } from './issuance/renew.ts';
import { createFailureSettler } from './issuance/settle-failure.ts';
import { createReservationWriter } from './issuance/write-reservations.ts';
import { createCallAttributes } from './operations/call-attributes.ts';
import { createInFlight } from './operations/in-flight.ts';
import { createLeases } from './operations/leases.ts';
import { usableProfile, type ProfilePath } from './operations/preconditions.ts';
import type { IssuingWork, RevokingWork } from './operations/work.ts';
import { carryOut as carryOutRevoking } from './revoking/carry-out.ts';
import { createCertificateRevoker } from './revoking/revoke.ts';
import { createRequestBuilder } from './requesting/request-with-key.ts';
import { createAppearanceSettler } from './settling/by-appearance.ts';
import { createPersonSettler } from './settling/by-person.ts';
import { createReconciler } from './settling/reconcile.ts';
import { resume } from './settling/resume.ts';

export interface IssuingParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
  readonly raProfiles: RaProfiles;
  readonly keys: Keys;
  readonly approvals: Pick<Approvals, 'request' | 'registerSubject' | 'listOfObject'>;
  readonly users: Pick<Users, 'forgetCertificates'>;
  readonly issuers: Issuers;
  readonly names: NameSource;
  readonly compliance: CompliancePort;
  readonly locations: Pick<LocationsPort, 'replacing'>;
  readonly issueWaitMs: number;
  /** Keys that are never certified; none by default. */
  readonly weakKeys?: WeakKeyLists | undefined;
}

export type Issuing = ReturnType<typeof createIssuing>;

export function createIssuing(platform: Platform, areas: IssuingParts) {
  const { raProfiles, weakKeys = NO_WEAK_KEYS } = areas;
  const { database } = platform;
  const { executor } = database;
  const leases = createLeases(platform);
  const awaitApproval = createAwaitApproval(platform, areas.approvals);
  const parts = {
    ...areas,
    platform,
    executor,
    sealer: platform.sealer,
    waitMs: areas.issueWaitMs,
    weakKeys,
    awaitApproval,
    issueAttributes: createCallAttributes('issue', areas),
    revokeAttributes: createCallAttributes('revoke', areas),
    inFlight: createInFlight({
      leases,
      onError: (error) =>
        platform.log.error({ error }, 'work on a certificate failed after its caller had stopped waiting'),
    }),
    record: createRecorder({ ...areas, platform }),
    settle: createFailureSettler({ ...areas, platform }),
    onCaIssued: async (publicKeyFingerprint: string): Promise<void> => {
      for (const uuid of await findProfilesOfCaKey(executor, publicKeyFingerprint))
        await raProfiles.learnCaCertificates(uuid, coreContext(newUuid()));
    },
  };
  const carryOut = (work: IssuingWork) => carryOutIssuing(parts, work);
  const carryOutRevocation = (work: RevokingWork) => carryOutRevoking(parts, work);
  const issuance = createIssuance({
    ...parts,
    carryOut,
    writeReservation: createReservationWriter({ ...parts, database }),
  });
  const reconciler = createReconciler({
    ...parts,
    leases,
    resume: (operation) => resume({ ...parts, carryOut, carryOutRevocation }, operation),
  });
  areas.approvals.registerSubject(createApprovalSubject({ ...parts, reconciler }));
  return {
    weakKeys,
    requests: createRequestBuilder(parts),
    issuance,
    renewer: createCertificateRenewer({ ...parts, issuance }),
    revoker: createCertificateRevoker({ ...parts, carryOut: carryOutRevocation }),
    issueAttributes: parts.issueAttributes,
    revokeAttributes: parts.revokeAttributes,
    usableProfile: (path: ProfilePath) => usableProfile(raProfiles, path),
    settleByAppearance: createAppearanceSettler(parts),
    declareNotIssued: createPersonSettler(parts),
    start: async () => {
      leases.start();
      reconciler.start();
    },
    stop: async () => {
      await Promise.all([reconciler.stop(), parts.inFlight.drain()]);
      await leases.stop();
    },
  };
}
