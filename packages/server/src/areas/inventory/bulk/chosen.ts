// Which certificates a change is asked for: those of a list, or all that a search finds.
import {
  MAX_CHANGED_AT_ONCE,
  type CertificateChoice,
  type ChosenCertificates,
  type RemoveCertificateDto,
} from '@signetry/contract';
import { AppError } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';

export type Chosen = { readonly uuids: readonly string[] } | { readonly selection: CertificateChoice };

/** In the form of the published operations: an empty list of filters beside certificates is none. */
export function chosenByFilters({ uuids = [], filters }: RemoveCertificateDto, verb: string): Chosen {
  if (filters === undefined || (filters.length === 0 && uuids.length > 0)) return listed(uuids);
  if (uuids.length > 0) throw refusedField('a list of certificates and filters: give one of them, not both');
  if (filters.length === 0) throw refusedField(`filters: at least one is needed to ${verb} what matches`);
  return { selection: { filters } };
}

/** Without filter and text the whole inventory would match, which nobody means. */
export function chosenIn({ certificateUuids = [], selection }: ChosenCertificates, verb: string): Chosen {
  if (selection === undefined) {
    if (certificateUuids.length > 0) return listed(certificateUuids);
    throw refusedField(`certificateUuids or selection: say which certificates to ${verb}`);
  }
  if (certificateUuids.length > 0) throw refusedField('certificateUuids and selection: give one of them, not both');
  const { filters = [], text = '' } = selection;
  if (filters.length === 0 && text.trim() === '')
    throw refusedField(`selection: a filter or a text is needed to ${verb} what matches`);
  return { selection };
}

function listed(uuids: readonly string[]): Chosen {
  if (uuids.length > MAX_CHANGED_AT_ONCE)
    throw refusedField(`A request lists at most ${MAX_CHANGED_AT_ONCE} certificates; these are ${uuids.length}.`);
  return { uuids };
}

export function assertIdentifiers(uuids: readonly string[]): void {
  const odd = uuids.find((uuid) => !isUuid(uuid.toLowerCase()));
  if (odd !== undefined)
    throw refusedField(`${JSON.stringify(odd.slice(0, 40))} is not the identifier of a certificate`);
}

const refusedField = (problem: string) => new AppError('invalid_fields', { problems: [problem] });
