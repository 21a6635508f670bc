// Members to have the platform create a certificate request with its keys, instead of sending one.
import { z } from 'zod';
import { uuid } from '../primitives.ts';
import { RequestAttributeDto } from './attributes.ts';

const attributes = z.array(RequestAttributeDto).optional();

/** Keys to request a certificate with; the alternative ones are for hybrid certificates. */
export const requestingKeys = {
  keyUuid: uuid().optional(),
  tokenProfileUuid: uuid().optional(),
  altKeyUuid: uuid().optional(),
  altTokenProfileUuid: uuid().optional(),
  signatureAttributes: attributes,
  altSignatureAttributes: attributes,
};

/** Subject and keys of a request that the platform creates. */
export const requestSource = { csrAttributes: attributes, ...requestingKeys };
