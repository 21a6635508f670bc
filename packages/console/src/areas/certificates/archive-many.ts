// Takes selected certificates into the archive and out of it, some at a time.
import { api } from '../../api/client.ts';
import type { ListedCertificate } from './shapes.ts';

/** Those of one request are done before its answer. */
const MAX_AT_ONCE = 1_000;

export async function archiveEach(selected: readonly ListedCertificate[], archived: boolean): Promise<void> {
  const { bulkArchiveCertificate, bulkUnarchiveCertificate } = api.certificates;
  for (let from = 0; from < selected.length; from += MAX_AT_ONCE) {
    const body = selected.slice(from, from + MAX_AT_ONCE).map(({ uuid }) => uuid);
    await (archived ? bulkArchiveCertificate({ body }) : bulkUnarchiveCertificate({ body }));
  }
}
