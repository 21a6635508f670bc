// Deletes selected certificates: by their identifiers where these are known, so that exactly what was selected is
// deleted, else by the filters that they match.
import type { BulkOperationResponse } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { formatCount } from '../../format/names.ts';
import type { ListedCertificate } from './shapes.ts';
import type { Beyond } from './use-selection.ts';

/** Identifiers of one request. */
const MAX_DELETIONS = 1_000;

export interface Deletion {
  readonly failed: number;
  readonly message: string;
}

export async function deleteMatching({ filters }: Beyond): Promise<Deletion> {
  return outcomeOf(await api.certificates.bulkDeleteCertificate({ body: { filters: [...filters] } }));
}

export async function deleteEach(selected: readonly ListedCertificate[]): Promise<Deletion> {
  const answers: Deletion[] = [];
  for (let from = 0; from < selected.length; from += MAX_DELETIONS) {
    const uuids = selected.slice(from, from + MAX_DELETIONS).map(({ uuid }) => uuid);
    answers.push(outcomeOf(await api.certificates.bulkDeleteCertificate({ body: { uuids } })));
  }
  const [only] = answers;
  if (answers.length === 1 && only) return only;
  const failed = answers.reduce((sum, answer) => sum + answer.failed, 0);
  const reasons = answers.flatMap((answer) => (answer.failed > 0 ? [answer.message] : []));
  return {
    failed,
    message: [`${formatCount(selected.length - failed)} certificates were deleted.`, ...reasons].join(' '),
  };
}

const outcomeOf = ({ failedItem, message }: BulkOperationResponse): Deletion => ({ failed: failedItem, message });
