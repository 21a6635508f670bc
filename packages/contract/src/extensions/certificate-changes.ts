// Changes of many certificates: how far they are, and what they could not change. Not part of the published interface.
import { z } from 'zod';
import { objectErrors, operations } from '../operations.ts';
import { dateTime, int32, uuid } from '../primitives.ts';
import { BulkActionMessageDto } from '../shared/objects.ts';

/** Refused certificates that are named; the number tells of the rest. */
export const MAX_NAMED_REFUSALS = 100;

export const CertificateChangeKind = z.enum(['update', 'archive', 'unarchive']).meta({ id: 'CertificateChangeKind' });
export type CertificateChangeKind = z.output<typeof CertificateChangeKind>;

const CertificateChange = z
  .object({
    uuid: uuid(),
    kind: CertificateChangeKind,
    /** Certificates that it was asked for. */
    total: int32(),
    /** Done, whether or not there was anything to change. */
    changed: int32(),
    /** Not changed, each for its own reason. */
    refused: int32(),
    startedAt: dateTime(),
    /** Absent while it is under way. */
    finishedAt: dateTime().optional(),
  })
  .meta({ id: 'CertificateChange' });
export type CertificateChange = z.output<typeof CertificateChange>;

export const CertificateChangeDetail = CertificateChange.extend({
  /** The refused certificates with the reasons, the first hundred. */
  refusals: z.array(BulkActionMessageDto),
}).meta({ id: 'CertificateChangeDetail' });
export type CertificateChangeDetail = z.output<typeof CertificateChangeDetail>;

export const certificateChangeOperations = operations(
  { tag: 'Certificate Changes', resource: 'certificates', module: 'certificates', errors: objectErrors },
  {
    /** Newest first; they are kept for 30 days. */
    listCertificateChanges: {
      route: 'GET /x/v1/certificates/changes',
      summary: 'List own changes of many certificates',
      answer: z.array(CertificateChange),
      access: 'authenticated',
    },
    getCertificateChange: {
      route: 'GET /x/v1/certificates/changes/{uuid}',
      summary: 'Get the progress of a change of many certificates',
      answer: CertificateChangeDetail,
      access: 'authenticated',
      also: [
        { resource: 'certificates', action: 'detail', where: 'somebody else asked for it' },
        { resource: 'raProfiles', action: 'members', where: 'somebody else asked for it, on all of them' },
      ],
    },
  },
);
