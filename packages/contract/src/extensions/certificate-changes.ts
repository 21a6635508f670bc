// Bulk certificate changes: the request, its progress, and the certificates that could not be changed. The published
// bulk operations also create such changes. Not part of the published interface.
import { z } from 'zod';
import { objectErrors, operations } from '../operations.ts';
import { raProfileMembership, privilegesOfOwner, sightOf } from '../platform/referenced-objects.ts';
import { dateTime, int32, uuid } from '../primitives.ts';
import { BulkActionMessageDto } from '../shared/objects.ts';
import { CertificateSelection } from './certificate-search.ts';

/**
 * Maximum number of rejected certificates that are listed individually; the count includes all rejected certificates.
 */
export const MAX_LISTED_REJECTIONS = 100;
/** Maximum number of certificates in one change. */
export const MAX_CERTIFICATES_PER_CHANGE = 100_000;

export const CertificateChangeKind = z
  .enum(['update', 'archive', 'unarchive', 'delete'])
  .meta({ id: 'CertificateChangeKind' });
export type CertificateChangeKind = z.output<typeof CertificateChangeKind>;

/** All certificates that match these filters and this text; at least one of the two is required. */
export const CertificateChoice = CertificateSelection.omit({ sort: true }).meta({ id: 'CertificateChoice' });
export type CertificateChoice = z.output<typeof CertificateChoice>;

const chosen = { certificateUuids: z.array(z.string()).optional(), selection: CertificateChoice.optional() };

/**
 * Either the listed certificates or the selection, not both. A selection also requires the permission to list
 * certificates.
 */
export const ChosenCertificates = z.object(chosen).meta({ id: 'ChosenCertificates' });
export type ChosenCertificates = z.output<typeof ChosenCertificates>;

/**
 * Absent members stay unchanged. An empty string removes the owner or RA profile; an empty array removes the groups.
 */
export const CertificateUpdateRequest = z
  .object({
    ...chosen,
    ownerUuid: z.string().optional(),
    groupUuids: z.array(z.string()).optional(),
    raProfileUuid: z.string().optional(),
  })
  .meta({ id: 'CertificateUpdateRequest' });
export type CertificateUpdateRequest = z.output<typeof CertificateUpdateRequest>;

/** Objects assigned by an update, with their names at the time of the request. */
const AssignedNames = z
  .object({
    /** Empty if the owner is removed. */
    owner: z.string().optional(),
    /** Empty if the groups are removed. */
    groups: z.array(z.string()).optional(),
    /** Empty if the RA profile is removed. */
    raProfile: z.string().optional(),
  })
  .meta({ id: 'AssignedNames' });
export type AssignedNames = z.output<typeof AssignedNames>;

const CertificateChange = z
  .object({
    uuid: uuid(),
    kind: CertificateChangeKind,
    /** Present for updates only. */
    assigned: AssignedNames.optional(),
    /** Absent if the certificates were listed individually. */
    selection: CertificateChoice.optional(),
    /** Number of certificates in the request. */
    total: int32(),
    /** Number of certificates that were processed, including those that needed no change. */
    changed: int32(),
    /** Number of rejected certificates; each can have a different reason. */
    refused: int32(),
    /** Name of the user who requested the change. */
    requestedBy: z.string(),
    startedAt: dateTime(),
    /** Absent while the change is in progress. */
    finishedAt: dateTime().optional(),
    /** Name of the user who stopped the change. The remaining certificates were left unchanged. */
    stoppedBy: z.string().optional(),
    /** Whether the change is in progress and the caller can stop it. */
    stoppable: z.boolean(),
  })
  .meta({ id: 'CertificateChange' });
export type CertificateChange = z.output<typeof CertificateChange>;

export const CertificateChangeDetail = CertificateChange.extend({
  /** The first 100 rejected certificates, with the reasons. */
  refusals: z.array(BulkActionMessageDto),
}).meta({ id: 'CertificateChangeDetail' });
export type CertificateChangeDetail = z.output<typeof CertificateChangeDetail>;

const seeingAll = [
  { resource: 'certificates', action: 'detail', where: 'another user requested the change' },
  { resource: 'raProfiles', action: 'members', where: 'another user requested the change, on all RA profiles' },
] as const;
const ofMany = { resource: 'raProfiles', action: 'detail' } as const;

/**
 * Up to 1,000 certificates are changed before the response is sent; larger changes run in the background. Rejected
 * certificates do not affect the others.
 */
export const certificateChangeOperations = operations(
  { tag: 'Certificate Changes', resource: 'certificates', module: 'certificates', errors: objectErrors },
  {
    /**
     * Newest first; changes are retained for 30 days. Callers who can see all certificates also see other users'
     * changes.
     */
    listCertificateChanges: {
      route: 'GET /x/v1/certificates/changes',
      summary: 'List bulk changes of certificates',
      answer: z.array(CertificateChange),
      access: 'authenticated',
    },
    getCertificateChange: {
      route: 'GET /x/v1/certificates/changes/{uuid}',
      summary: 'Get the progress of a bulk change of certificates',
      answer: CertificateChangeDetail,
      access: 'authenticated',
      also: seeingAll,
    },
    updateManyCertificates: {
      route: 'POST /x/v1/certificates/changes/update',
      summary: 'Assign an owner, groups or an RA profile to multiple certificates',
      body: CertificateUpdateRequest,
      answer: CertificateChangeDetail,
      access: { action: 'update', parent: ofMany },
      also: [
        raProfileMembership,
        { resource: 'raProfiles', action: 'members', named: 'raProfileUuid' },
        sightOf('groups', 'groupUuids'),
        sightOf('users', 'ownerUuid'),
        privilegesOfOwner,
      ],
      audit: 'update',
    },
    archiveManyCertificates: {
      route: 'POST /x/v1/certificates/changes/archive',
      summary: 'Archive multiple certificates',
      body: ChosenCertificates,
      answer: CertificateChangeDetail,
      access: { action: 'archive' },
      also: [raProfileMembership],
      audit: 'archive',
    },
    unarchiveManyCertificates: {
      route: 'POST /x/v1/certificates/changes/unarchive',
      summary: 'Unarchive multiple certificates',
      body: ChosenCertificates,
      answer: CertificateChangeDetail,
      access: { action: 'archive' },
      also: [raProfileMembership],
      audit: 'unarchive',
    },
    deleteManyCertificates: {
      route: 'POST /x/v1/certificates/changes/delete',
      summary: 'Delete multiple certificates',
      body: ChosenCertificates,
      answer: CertificateChangeDetail,
      access: { action: 'delete', parent: ofMany },
      also: [raProfileMembership],
      audit: 'delete',
    },
    /**
     * Certificates that have already been changed are not reverted. Has no effect if the change has already finished.
     */
    stopCertificateChange: {
      route: 'POST /x/v1/certificates/changes/{uuid}/stop',
      summary: 'Stop a bulk change of certificates',
      answer: CertificateChangeDetail,
      access: 'authenticated',
      also: [
        ...seeingAll,
        {
          resource: 'certificates',
          action: 'update',
          where: 'another user requested the change; the action depends on the kind of change',
        },
      ],
      audit: 'update',
    },
  },
);
