// Certificate requests over protocols that have no accounts: CMP, SCEP and EST. Owns: enrolment, enrolment_secret.
// Invariants: a transaction reserves its certificate before it requests anything, so a repeated message gets the same
// certificate; a one-time secret can start only one transaction; every rejection has an error message.
import type { RequestContext } from '../../kernel/actor.ts';
import type { Area, Platform, RetentionPolicy } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { IssuingArea } from '../issuing/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import { createCredentialChecks, type CheckCredential } from './credential-checks.ts';
import { enrol, findEnrolment, type BegunEnrolment, type Enrolment, type EnrolmentRequest } from './enrol.ts';
import { createRefusalNotes, type Refusal } from './refusals.ts';
import { enrolmentRoutes } from './routes.ts';
import { createSecretManagement } from './secrets/manage-secrets.ts';
import { secretColumn } from './secrets/sealed-secret.ts';
import { removeOldSecrets } from './secrets/store.ts';
import { createEnrolmentSecrets, type EnrolmentSecrets } from './secrets/use-secrets.ts';
import { createEnrolmentStatements, removeOld, type Settlement, type TransactionKey } from './store.ts';

export type { BegunEnrolment, Enrolment, EnrolmentRequest } from './enrol.ts';
export { namesBeyond, namesLeftOut, namesOfCertificate, type BoundNames } from './bound-names.ts';
export type { EnrolmentSecrets } from './secrets/use-secrets.ts';

/** Functions for the protocol servers. */
export interface Enrolments {
  /** Starts the transaction and waits briefly for its certificate, or finds the existing transaction. */
  enrol(request: EnrolmentRequest, context: RequestContext): Promise<BegunEnrolment>;
  /** Returns the current state of a transaction, even after a restart or on a different node. */
  find(key: TransactionKey): Promise<Enrolment | undefined>;
  /** Returns false if the transaction is not in any of the specified states. */
  settle(uuid: string, settlement: Settlement): Promise<boolean>;
  noteRefusal(refusal: Refusal): Promise<void>;
  /** All checks of secrets and passwords must use this function, which limits the rate of guesses. */
  readonly checkCredential: CheckCredential;
  readonly secrets: EnrolmentSecrets;
}

export function createEnrolmentsArea(
  platform: Platform,
  areas: {
    readonly audit: AuditTrail;
    readonly raProfiles: RaProfiles;
    readonly issuing: Pick<IssuingArea, 'protocols'>;
  },
): Area & Enrolments {
  const { database, clock } = platform;
  const statements = createEnrolmentStatements(database);
  const parts = { platform, statements, certificates: areas.issuing.protocols };
  return {
    routes: enrolmentRoutes(platform, createSecretManagement(platform, areas)),
    sealedColumns: () => [secretColumn],
    retentionPolicies,
    enrol: (request, context) => enrol(parts, request, context),
    find: (key) => findEnrolment(parts, key),
    settle: (uuid, settlement) => statements.settle({ ...settlement, uuid, at: clock.now() }),
    noteRefusal: createRefusalNotes({ clock, statements }),
    checkCredential: createCredentialChecks(platform),
    secrets: createEnrolmentSecrets(platform),
  };
}

const retentionPolicies: readonly RetentionPolicy[] = [
  { setting: 'requestsKeptDays', what: 'CMP, SCEP and EST requests', tables: ['enrolment'], remove: removeOld },
  {
    setting: 'requestsKeptDays',
    what: 'expired one-time secrets',
    tables: ['enrolment_secret'],
    remove: removeOldSecrets,
  },
];
