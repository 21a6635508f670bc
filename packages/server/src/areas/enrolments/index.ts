// Requests for certificates that come over protocols without accounts: CMP, SCEP and EST.
// Owns: enrolment, enrolment_secret. Invariants: a transaction names its certificate before anything is asked for, so a
// repeated message gets that one; a one-time secret begins one transaction; what is refused is told in words.
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

/** What the servers of the protocols use. */
export interface Enrolments {
  /** Begins the transaction and waits shortly for its certificate, or finds the transaction that is known. */
  enrol(request: EnrolmentRequest, context: RequestContext): Promise<BegunEnrolment>;
  /** How a transaction stands now, also after a restart and on another node. */
  find(key: TransactionKey): Promise<Enrolment | undefined>;
  /** False where the transaction is in none of the states that are named. */
  settle(uuid: string, settlement: Settlement): Promise<boolean>;
  noteRefusal(refusal: Refusal): Promise<void>;
  /** Every check of a secret or password goes through this, so that nobody guesses them fast. */
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
