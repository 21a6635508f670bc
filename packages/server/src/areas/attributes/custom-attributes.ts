// Custom attributes of objects. None is defined yet, so each that is sent is unknown: refused rather than lost.
import type { RequestAttributeDto } from '@signetry/contract';
import { rejected } from '../../kernel/errors.ts';
import { unknownAttribute } from './check-values.ts';

/** Throws `rejected_by_rules` (422) with a problem for each custom attribute that a request carries. */
export function refuseCustomAttributes(requested: readonly RequestAttributeDto[] | undefined): void {
  if (requested && requested.length > 0) throw rejected(...requested.map(({ name }) => unknownAttribute(name)));
}
