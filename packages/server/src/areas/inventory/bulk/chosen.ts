// Certificates selected for a bulk change: an explicit list, or all matches of a search.
import {
  MAX_CHANGED_AT_ONCE,
  type CertificateChoice,
  type ChosenCertificates,
  type RemoveCertificateDto,
} from '@signetry/contract';
import { AppError } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';

export type Chosen = { readonly uuids: readonly string[] } | { readonly selection: CertificateChoice };

/** For the published operations, which ignore an empty filter list alongside a list of certificates. */
export function chosenByFilters({ uuids = [], filters }: RemoveCertificateDto, verb: string): Chosen {
  if (filters === undefined || (filters.length === 0 && uuids.length > 0)) return listed(uuids);
  if (uuids.length > 0) throw refusedField('a list of certificates and filters: specify only one of them');
  if (filters.length === 0) throw refusedField(`filters: specify at least one to ${verb} the matching certificates`);
  return { selection: { filters } };
}

/** Requires a filter or text. Otherwise the whole inventory would match, which is never intended. */
export function chosenIn({ certificateUuids = [], selection }: ChosenCertificates, verb: string): Chosen {
  if (selection === undefined) {
    if (certificateUuids.length > 0) return listed(certificateUuids);
    throw refusedField(`certificateUuids or selection: specify the certificates to ${verb}`);
  }
  if (certificateUuids.length > 0) throw refusedField('certificateUuids and selection: specify only one of them');
  const { filters = [], text = '' } = selection;
  if (filters.length === 0 && text.trim() === '')
    throw refusedField(`selection: specify a filter or text to ${verb} the matching certificates`);
  return { selection };
}

function listed(uuids: readonly string[]): Chosen {
  if (uuids.length > MAX_CHANGED_AT_ONCE)
    throw refusedField(
      `A request can list at most ${MAX_CHANGED_AT_ONCE} certificates; this one lists ${uuids.length}.`,
    );
  return { uuids };
}

export function assertIdentifiers(uuids: readonly string[]): void {
  const odd = uuids.find((uuid) => !isUuid(uuid.toLowerCase()));
  if (odd !== undefined) throw refusedField(`${JSON.stringify(odd.slice(0, 40))} is not a certificate UUID`);
}

const refusedField = (problem: string) => new AppError('invalid_fields', { problems: [problem] });
