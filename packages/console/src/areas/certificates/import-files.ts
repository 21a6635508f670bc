// Sends the chosen files to the import endpoint in batches and collects the results.
import {
  addFindings,
  ImportBatch,
  rejectionsOf,
  splitFile,
  type FileFinding,
  type FilePiece,
  type FileRejection,
} from '@signetry/client';
import { api } from '../../api/client.ts';

export interface ImportProgress {
  readonly imported: number;
  readonly known: number;
  readonly refusals: readonly FileRejection[];
  /** Variants of certificate files that were accepted. */
  readonly findings: readonly FileFinding[];
  /** Number of files read and sent. */
  readonly done: number;
}

const TIMEOUT_MS = 300_000;
const nothing: ImportProgress = { imported: 0, known: 0, refusals: [], findings: [], done: 0 };

/** Imports the files. Certificates that are already in the inventory are recognized, so files can be sent again. */
export async function importFiles(
  files: readonly File[],
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: ImportProgress) => void },
): Promise<ImportProgress> {
  const batch = new ImportBatch();
  let progress = nothing;
  const send = async (pieces: readonly FilePiece[]): Promise<void> => {
    if (pieces.length === 0) return;
    const body = { files: pieces.map(({ name, content }) => ({ name, content })) };
    const report = await api.certificateImport.importCertificates({ body }, { signal, timeoutMs: TIMEOUT_MS });
    const { imported, known, refusals, findings } = progress;
    progress = {
      ...progress,
      imported: imported + report.imported,
      known: known + report.known,
      refusals: [...refusals, ...rejectionsOf(report, pieces)],
      findings: addFindings(findings, report, pieces),
    };
  };
  for (const [index, file] of files.entries()) {
    const name = file.webkitRelativePath || file.name;
    for (const piece of splitFile(name, new Uint8Array(await file.arrayBuffer()))) await send(batch.add(piece));
    progress = { ...progress, done: index };
    onProgress(progress);
  }
  await send(batch.take());
  return { ...progress, done: files.length };
}
