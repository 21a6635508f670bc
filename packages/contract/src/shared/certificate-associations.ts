// The owner, groups and custom attributes that a protocol profile assigns to certificates requested over its protocol.
import { z } from 'zod';
import { uuid } from '../primitives.ts';
import { RequestAttributeDto, ResponseAttributeDto } from './attributes.ts';

const associations = {
  /** A user. If absent, the certificates have no owner. */
  ownerUuid: uuid().optional(),
  groupUuids: z.array(uuid()).optional(),
};

export const ProtocolCertificateAssociationsDto = z
  .object({ ...associations, customAttributes: z.array(ResponseAttributeDto).optional() })
  .meta({ id: 'ProtocolCertificateAssociationsDto' });
export type ProtocolCertificateAssociationsDto = z.output<typeof ProtocolCertificateAssociationsDto>;

export const ProtocolCertificateAssociationsRequestDto = z
  .object({ ...associations, customAttributes: z.array(RequestAttributeDto).optional() })
  .meta({ id: 'ProtocolCertificateAssociationsRequestDto' });
export type ProtocolCertificateAssociationsRequestDto = z.output<typeof ProtocolCertificateAssociationsRequestDto>;
