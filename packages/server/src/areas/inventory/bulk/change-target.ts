// Certificates selected for a bulk change: an explicit list, or all matches of a search.
import {
  MAX_CERTIFICATES_PER_CHANGE,
  type CertificateChoice,
  type ChosenCertificates,
  type RemoveCertificateDto,
} from '@signetry/contract';
import { AppError } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';

export type ChangeTarget = { readonly uuids: readonly string[] } | { readonly selection: CertificateChoice };

/** For the published operations, which ignore an empty filter list alongside a list of certificates. */
export function targetOfFilters({ uuids = [], filters }: RemoveCertificateDto, verb: string): ChangeTarget {
  if (filters === undefined || (filters.length === 0 && uuids.length > 0)) return listedTarget(uuids);
  if (uuids.length > 0) throw rejectedField('a list of certificates and filters: specify only one of them');
  if (filters.length === 0) throw rejectedField(`filters: specify at least one to ${verb} the matching certificates`);
  return { selection: { filters } };
}

/** Requires a filter or text. Otherwise the whole inventory would match, which is never intended. */
export function targetOf({ certificateUuids = [], selection }: ChosenCertificates, verb: string): ChangeTarget {
  if (selection === undefined) {
    if (certificateUuids.length > 0) return listedTarget(certificateUuids);
    throw rejectedField(`certificateUuids or selection: specify the certificates to ${verb}`);
  }
  if (certificateUuids.length > 0) throw rejectedField('certificateUuids and selection: specify only one of them');
  const { filters = [], text = '' } = selection;
  if (filters.length === 0 && text.trim() === '')
    throw rejectedField(`selection: specify a filter or text to ${verb} the matching certificates`);
  return { selection };
}

function listedTarget(uuids: readonly string[]): ChangeTarget {
  if (uuids.length > MAX_CERTIFICATES_PER_CHANGE)
    throw rejectedField(
      `A request can list at most ${MAX_CERTIFICATES_PER_CHANGE} certificates; this one lists ${uuids.length}.`,
    );
  return { uuids };
}

export function assertIdentifiers(uuids: readonly string[]): void {
  const odd = uuids.find((uuid) => !isUuid(uuid.toLowerCase()));
  if (odd !== undefined) throw rejectedField(`${JSON.stringify(odd.slice(0, 40))} is not a certificate UUID`);
}

const rejectedField = (problem: string) => new AppError('invalid_fields', { problems: [problem] });
