// Changes of many certificates: what is asked for, how far it is, and what it could not change. Everything that the
// published operations for many certificates do is a change, too. Not part of the published interface.
import { z } from 'zod';
import { objectErrors, operations } from '../operations.ts';
import { memberOfItsRaProfile, powersOfOwner, sightOf } from '../platform/second-objects.ts';
import { dateTime, int32, uuid } from '../primitives.ts';
import { BulkActionMessageDto } from '../shared/objects.ts';
import { CertificateSelection } from './certificate-search.ts';

/** Refused certificates that are named; the number tells of the rest. */
export const MAX_NAMED_REFUSALS = 100;
/** Certificates of one change. */
export const MAX_CHANGED_AT_ONCE = 100_000;

export const CertificateChangeKind = z
  .enum(['update', 'archive', 'unarchive', 'delete'])
  .meta({ id: 'CertificateChangeKind' });
export type CertificateChangeKind = z.output<typeof CertificateChangeKind>;

/** All that the search with these filters and this text finds, of which at least one is needed. */
export const CertificateChoice = CertificateSelection.omit({ sort: true }).meta({ id: 'CertificateChoice' });
export type CertificateChoice = z.output<typeof CertificateChoice>;

const chosen = { certificateUuids: z.array(z.string()).optional(), selection: CertificateChoice.optional() };

/** Those of the list or those of the selection, not both; a selection asks for the right to list, too. */
export const ChosenCertificates = z.object(chosen).meta({ id: 'ChosenCertificates' });
export type ChosenCertificates = z.output<typeof ChosenCertificates>;

/** Absent members stay unchanged; an empty text removes owner or RA profile, an empty list the groups. */
export const CertificateUpdateRequest = z
  .object({
    ...chosen,
    ownerUuid: z.string().optional(),
    groupUuids: z.array(z.string()).optional(),
    raProfileUuid: z.string().optional(),
  })
  .meta({ id: 'CertificateUpdateRequest' });
export type CertificateUpdateRequest = z.output<typeof CertificateUpdateRequest>;

/** What an update gives, by the names of the day it was asked for. */
const AssignedNames = z
  .object({
    /** Empty: the owner is removed. */
    owner: z.string().optional(),
    /** None: the groups are removed. */
    groups: z.array(z.string()).optional(),
    /** Empty: the RA profile is removed. */
    raProfile: z.string().optional(),
  })
  .meta({ id: 'AssignedNames' });
export type AssignedNames = z.output<typeof AssignedNames>;

const CertificateChange = z
  .object({
    uuid: uuid(),
    kind: CertificateChangeKind,
    /** Of an update. */
    assigned: AssignedNames.optional(),
    /** Absent where the certificates were listed. */
    selection: CertificateChoice.optional(),
    /** Certificates that it was asked for. */
    total: int32(),
    /** Done, whether or not there was anything to change. */
    changed: int32(),
    /** Not changed, each for its own reason. */
    refused: int32(),
    /** Name of the user. */
    requestedBy: z.string(),
    startedAt: dateTime(),
    /** Absent while it is under way. */
    finishedAt: dateTime().optional(),
    /** Name of the user who stopped it: the rest of its certificates stayed as they were. */
    stoppedBy: z.string().optional(),
    /** It is under way, and whoever asks may stop it. */
    stoppable: z.boolean(),
  })
  .meta({ id: 'CertificateChange' });
export type CertificateChange = z.output<typeof CertificateChange>;

export const CertificateChangeDetail = CertificateChange.extend({
  /** The refused certificates with the reasons, the first hundred. */
  refusals: z.array(BulkActionMessageDto),
}).meta({ id: 'CertificateChangeDetail' });
export type CertificateChangeDetail = z.output<typeof CertificateChangeDetail>;

const seeingAll = [
  { resource: 'certificates', action: 'detail', where: 'somebody else asked for it' },
  { resource: 'raProfiles', action: 'members', where: 'somebody else asked for it, on all of them' },
] as const;
const ofMany = { resource: 'raProfiles', action: 'detail' } as const;

/**
 * Up to 1,000 certificates are changed before the answer, more afterwards. Those that are refused do not prevent the
 * rest.
 */
export const certificateChangeOperations = operations(
  { tag: 'Certificate Changes', resource: 'certificates', module: 'certificates', errors: objectErrors },
  {
    /** Newest first; they are kept for 30 days. Those of everybody for whoever may see all certificates. */
    listCertificateChanges: {
      route: 'GET /x/v1/certificates/changes',
      summary: 'List changes of many certificates',
      answer: z.array(CertificateChange),
      access: 'authenticated',
    },
    getCertificateChange: {
      route: 'GET /x/v1/certificates/changes/{uuid}',
      summary: 'Get the progress of a change of many certificates',
      answer: CertificateChangeDetail,
      access: 'authenticated',
      also: seeingAll,
    },
    updateManyCertificates: {
      route: 'POST /x/v1/certificates/changes/update',
      summary: 'Give many certificates an owner, groups or an RA profile',
      body: CertificateUpdateRequest,
      answer: CertificateChangeDetail,
      access: { action: 'update', parent: ofMany },
      also: [
        memberOfItsRaProfile,
        { resource: 'raProfiles', action: 'members', named: 'raProfileUuid' },
        sightOf('groups', 'groupUuids'),
        sightOf('users', 'ownerUuid'),
        powersOfOwner,
      ],
      audit: 'update',
    },
    archiveManyCertificates: {
      route: 'POST /x/v1/certificates/changes/archive',
      summary: 'Take many certificates into the archive',
      body: ChosenCertificates,
      answer: CertificateChangeDetail,
      access: { action: 'archive' },
      also: [memberOfItsRaProfile],
      audit: 'archive',
    },
    unarchiveManyCertificates: {
      route: 'POST /x/v1/certificates/changes/unarchive',
      summary: 'Take many certificates out of the archive',
      body: ChosenCertificates,
      answer: CertificateChangeDetail,
      access: { action: 'archive' },
      also: [memberOfItsRaProfile],
      audit: 'unarchive',
    },
    deleteManyCertificates: {
      route: 'POST /x/v1/certificates/changes/delete',
      summary: 'Delete many certificates',
      body: ChosenCertificates,
      answer: CertificateChangeDetail,
      access: { action: 'delete', parent: ofMany },
      also: [memberOfItsRaProfile],
      audit: 'delete',
    },
    /** What was changed stays so. Nothing happens when it has ended already. */
    stopCertificateChange: {
      route: 'POST /x/v1/certificates/changes/{uuid}/stop',
      summary: 'Stop a change of many certificates',
      answer: CertificateChangeDetail,
      access: 'authenticated',
      also: [
        ...seeingAll,
        { resource: 'certificates', action: 'update', where: 'somebody else asked for it, by what it does' },
      ],
      audit: 'update',
    },
  },
);
