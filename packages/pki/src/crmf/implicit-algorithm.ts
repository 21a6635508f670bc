// AlgorithmIdentifier with an IMPLICIT tag, used in multiple CRMF fields.
import { readAlgorithm, type AlgorithmIdentifier } from '../algorithms.ts';
import { retagElement } from '../der/members.ts';
import { TAG } from '../der/tags.ts';
import type { DerElement } from '../der/reader.ts';

/**
 * Reads the AlgorithmIdentifier; its `der` has the usual SEQUENCE tag. The caller must check the element's tag. Throws
 * `DerError`.
 */
export function readImplicitAlgorithm(element: DerElement): AlgorithmIdentifier {
  return { ...readAlgorithm({ ...element, tag: TAG.sequence }), der: retagElement(element, TAG.sequence) };
}
