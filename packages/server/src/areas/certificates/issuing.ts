// Puts together the part of the area that asks authorities, and runs what finishes their work after a fault.
import { coreContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Connectors } from '../connectors/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import { createIssuingWorker } from './issuing/carry-out.ts';
import { createInFlight } from './operations/in-flight.ts';
import { createCallAttributes } from './operations/call-attributes.ts';
import { createCertificateIssuer } from './issuing/issue.ts';
import { createIssuers } from './core/issuers.ts';
import { createLeases } from './operations/leases.ts';
import type { Users } from './core/ports.ts';
import { createReconciler } from './settling/reconcile.ts';
import { createCertificateRenewer } from './issuing/renew.ts';
import { createCertificateRevoker } from './revoking/revoke.ts';
import { createFailureSettler } from './issuing/settle-failure.ts';
import { findProfilesOfCaKey } from './core/store-ca.ts';

export interface IssuingParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
  readonly raProfiles: RaProfiles;
  readonly users: Pick<Users, 'forgetCertificates'>;
  readonly issueWaitMs: number;
}

export type Issuing = ReturnType<typeof createIssuing>;

export function createIssuing(platform: Platform, parts: IssuingParts) {
  const { audit, attributes, connectors, raProfiles, users, issueWaitMs: waitMs } = parts;
  const { executor } = platform.database;
  const issuers = createIssuers({ executor, clock: platform.clock });
  const leases = createLeases(platform);
  const inFlight = createInFlight({
    leases,
    onError: (error) => platform.log.error({ error }, 'work on a certificate failed after its caller had left'),
  });
  const issueAttributes = createCallAttributes('issue', { attributes, raProfiles });
  const revokeAttributes = createCallAttributes('revoke', { attributes, raProfiles });
  const onCaIssued = async (publicKeyFingerprint: string): Promise<void> => {
    for (const uuid of await findProfilesOfCaKey(executor, publicKeyFingerprint))
      await raProfiles.learnCaCertificates(uuid, coreContext(newUuid()));
  };
  const carryOut = createIssuingWorker({ platform, audit, attributes, connectors, issuers, onCaIssued });
  const issuer = createCertificateIssuer({
    platform,
    audit,
    attributes,
    raProfiles,
    issueAttributes,
    carryOut,
    issuers,
    inFlight,
    waitMs,
  });
  const renewer = createCertificateRenewer({ executor, issuer });
  const revoker = createCertificateRevoker({
    platform,
    audit,
    attributes,
    connectors,
    issuer,
    issuers,
    users,
    revokeAttributes,
    inFlight,
    waitMs,
  });
  const settle = createFailureSettler({ platform, audit });
  const reconciler = createReconciler({
    platform,
    raProfiles,
    issueAttributes,
    revokeAttributes,
    carryOut,
    renewer,
    revoker,
    settle,
    leases,
  });
  return {
    issuers,
    issuer,
    renewer,
    revoker,
    reconciler,
    issueAttributes,
    revokeAttributes,
    start: async () => {
      leases.start();
      reconciler.start();
    },
    stop: async () => {
      await Promise.all([reconciler.stop(), inFlight.drain()]);
      await leases.stop();
    },
  };
}
