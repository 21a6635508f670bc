// Members with which the platform creates a certificate request using its own keys, as an alternative to sending one.
import { z } from 'zod';
import { uuid } from '../primitives.ts';
import { RequestAttributeDto } from './attributes.ts';

const attributes = z.array(RequestAttributeDto).optional();

/** Keys for a certificate request; the alternative ones are for hybrid certificates. */
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
