// Certificate requests over protocols that have no accounts: CMP, SCEP and EST. Owns: enrollment, enrollment_secret.
// Invariants: a transaction reserves its certificate before it requests anything, so a repeated message gets the same
// certificate; a one-time secret can start only one transaction; every rejection has an error message.
import type { RequestContext } from '../../kernel/actor.ts';
import type { Area, Platform, RetentionPolicy } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { IssuingArea } from '../issuing/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import { createCredentialChecks, type CheckCredential } from './credential-checks.ts';
import { enroll, findEnrollment, type BegunEnrollment, type Enrollment, type EnrollmentRequest } from './enroll.ts';
import { createRejectionNotes, type Rejection } from './rejections.ts';
import { enrollmentRoutes } from './routes.ts';
import { createSecretManagement } from './secrets/manage-secrets.ts';
import { secretColumn } from './secrets/sealed-secret.ts';
import { removeOldSecrets } from './secrets/store.ts';
import { createEnrollmentSecrets, type EnrollmentSecrets } from './secrets/use-secrets.ts';
import { createEnrollmentStatements, removeOld, type Settlement, type TransactionKey } from './store.ts';

export type { BegunEnrollment, Enrollment, EnrollmentRequest } from './enroll.ts';
export { describeExcessNames, describeMissingNames, namesOfCertificate, type BoundNames } from './bound-names.ts';
export type { EnrollmentSecrets } from './secrets/use-secrets.ts';

/** Functions for the protocol servers. */
export interface Enrollments {
  /** Starts the transaction and waits briefly for its certificate, or finds the existing transaction. */
  enroll(request: EnrollmentRequest, context: RequestContext): Promise<BegunEnrollment>;
  /** Returns the current state of a transaction, even after a restart or on a different node. */
  find(key: TransactionKey): Promise<Enrollment | undefined>;
  /** Returns false if the transaction is not in any of the specified states. */
  settle(uuid: string, settlement: Settlement): Promise<boolean>;
  recordRejection(refusal: Rejection): Promise<void>;
  /** All checks of secrets and passwords must use this function, which limits the rate of guesses. */
  readonly checkCredential: CheckCredential;
  readonly secrets: EnrollmentSecrets;
}

export function createEnrollmentsArea(
  platform: Platform,
  areas: {
    readonly audit: AuditTrail;
    readonly raProfiles: RaProfiles;
    readonly issuing: Pick<IssuingArea, 'protocols'>;
  },
): Area & Enrollments {
  const { database, clock } = platform;
  const statements = createEnrollmentStatements(database);
  const parts = { platform, statements, certificates: areas.issuing.protocols };
  return {
    routes: enrollmentRoutes(platform, createSecretManagement(platform, areas)),
    sealedColumns: () => [secretColumn],
    retentionPolicies,
    enroll: (request, context) => enroll(parts, request, context),
    find: (key) => findEnrollment(parts, key),
    settle: (uuid, settlement) => statements.settle({ ...settlement, uuid, at: clock.now() }),
    recordRejection: createRejectionNotes({ clock, statements }),
    checkCredential: createCredentialChecks(platform),
    secrets: createEnrollmentSecrets(platform),
  };
}

const retentionPolicies: readonly RetentionPolicy[] = [
  { setting: 'requestsKeptDays', what: 'CMP, SCEP and EST requests', tables: ['enrollment'], remove: removeOld },
  {
    setting: 'requestsKeptDays',
    what: 'expired one-time secrets',
    tables: ['enrollment_secret'],
    remove: removeOldSecrets,
  },
];
