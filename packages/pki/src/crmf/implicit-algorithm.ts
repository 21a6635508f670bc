// AlgorithmIdentifier under an IMPLICIT tag, as CRMF has it in several places.
import { readAlgorithm, type AlgorithmIdentifier } from '../algorithms.ts';
import { retagged } from '../der/members.ts';
import { TAG } from '../der/tags.ts';
import type { DerElement } from '../der/reader.ts';

/** Its `der` has the tag of a SEQUENCE, as elsewhere; the caller has checked the tag. Throws `DerError`. */
export function readImplicitAlgorithm(element: DerElement): AlgorithmIdentifier {
  return { ...readAlgorithm({ ...element, tag: TAG.sequence }), der: retagged(element, TAG.sequence) };
}
