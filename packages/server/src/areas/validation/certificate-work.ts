// Potentially expensive work on untrusted certificates: parsing uploaded files and building paths. Small input is
// processed immediately; input that is large or proves to be expensive is passed to a worker thread.
import {
  createBudget,
  indexEntries,
  isPkiError,
  parseCertificate,
  parseCrl,
  type Budget,
  type CrlIndexTables,
  type NameCodes,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { AppError } from '../../kernel/errors.ts';
import { createWorkerPool } from '../../platform/threads/worker-pool.ts';
import { findPaths, findValidPaths, type PathMember } from './find-paths.ts';
import {
  readBounded,
  readUpload,
  rejectLongUpload,
  type NameSource,
  type ReadCertificate,
} from '../certificates/index.ts';

/** Parsing this much takes about 10 ms. */
const MAX_READ_AT_ONCE = 16 * 1024;
/** This takes about 12 ms of path building, or 40 ms before the code is warm. Typical paths need a tenth of this. */
const STEPS_AT_ONCE = 60_000;
/**
 * Input for a thread is copied. If the total size of the certificates exceeds this limit, the input is unusual or
 * hostile.
 */
const MAX_PATHS_AT_ONCE = 1024 * 1024;

export type WorkTask =
  | { readonly kind: 'upload'; readonly text: string; readonly codes: NameCodes }
  | { readonly kind: 'certificate'; readonly der: Uint8Array; readonly codes: NameCodes }
  | { readonly kind: 'crl'; readonly der: Uint8Array }
  | ({ readonly kind: 'paths' } & EncodedQuery)
  | ({ readonly kind: 'validPaths'; readonly limit: number } & EncodedQuery);

export type TaskResponse =
  | { readonly kind: 'certificates'; readonly certificates: readonly EncodedCertificate[] }
  | { readonly kind: 'crl'; readonly tables: CrlIndexTables }
  | { readonly kind: 'paths'; readonly paths: FoundPaths }
  | { readonly kind: 'validPaths'; readonly paths: string[][] };

/** Certificate in the form in which it is passed between threads. */
type EncodedMember = Omit<PathMember, 'certificate'> & { readonly der: Uint8Array };
interface EncodedQuery {
  readonly target: EncodedMember;
  readonly pool: readonly EncodedMember[];
  readonly isCut: boolean;
  readonly nowMs: number;
}
interface EncodedCertificate {
  readonly der: Uint8Array;
  readonly facts: ReadCertificate['facts'];
  readonly forms?: ReadCertificate['forms'];
}

export interface CertificateWork {
  /** See `readUpload`. */
  readUpload(text: string): Promise<ReadCertificate[]>;
  /** See `readBounded`. */
  readBounded(der: Uint8Array): Promise<ReadCertificate>;
  /** See `indexEntries`; rejects a malformed CRL. */
  indexCrl(der: Uint8Array): Promise<CrlIndexTables>;
  /** See `findPaths`. Uses the full budget for one path. */
  findPaths(question: PathsQuery): Promise<FoundPaths>;
  /**
   * Finds paths synchronously and deducts the work from the given budget. Returns undefined if this would require too
   * much work.
   */
  findPathsIfCheap(question: PathsQuery, budget?: Budget): FoundPaths | undefined;
  /** See `findValidPaths`. Uses the full budget for one path. */
  findValidPaths(question: PathsQuery & { readonly limit: number }): Promise<string[][]>;
  stop(): Promise<void>;
}

export type FoundPaths = ReturnType<typeof findPaths>;

export interface PathsQuery {
  readonly target: PathMember;
  readonly pool: readonly PathMember[];
  readonly isCut: boolean;
  readonly nowMs: number;
}

/** Names are formatted with the current attribute type codes. */
export function createCertificateWork(names: NameSource): CertificateWork {
  const workers = createWorkerPool<WorkTask, TaskResponse>({
    file: new URL('./certificate-work-thread.ts', import.meta.url),
    what: 'large certificates',
  });

  async function read(task: WorkTask): Promise<ReadCertificate[]> {
    const answer = await workers.run(task);
    if (answer.kind !== 'certificates') throw new Error('The worker must return certificates.');
    return answer.certificates.map(({ der, ...read }) => ({ certificate: parseCertificate(der), ...read }));
  }

  return {
    async readUpload(text) {
      rejectLongUpload(text);
      const { codes } = await names();
      return text.length <= MAX_READ_AT_ONCE ? readUpload(text, codes) : read({ kind: 'upload', text, codes });
    },
    async readBounded(der) {
      const { codes } = await names();
      if (der.length <= MAX_READ_AT_ONCE) return readBounded(der, codes);
      const [certificate] = await read({ kind: 'certificate', der, codes });
      if (!certificate) throw new Error('The worker must return the certificate.');
      return certificate;
    },
    async indexCrl(der) {
      if (der.length <= MAX_READ_AT_ONCE) return indexBounded(der);
      const answer = await workers.run({ kind: 'crl', der });
      if (answer.kind !== 'crl') throw new Error('The worker must return index tables.');
      return answer.tables;
    },
    async findPaths(question) {
      const found = findPathsIfCheap(question);
      if (found) return found;
      const answer = await workers.run({ kind: 'paths', ...encodeQuery(question) });
      if (answer.kind !== 'paths') throw new Error('The worker must return paths.');
      return answer.paths;
    },
    findPathsIfCheap,
    async findValidPaths({ limit, ...question }) {
      const found = runIfCheap(question, (budget) => findValidPaths({ ...question, limit, budget }, nodeCrypto.verify));
      if (found) return found;
      const answer = await workers.run({ kind: 'validPaths', limit, ...encodeQuery(question) });
      if (answer.kind !== 'validPaths') throw new Error('The worker must return valid paths.');
      return answer.paths;
    },
    stop: () => workers.stop(),
  };
}

const findPathsIfCheap = (question: PathsQuery, whole?: Budget): FoundPaths | undefined =>
  runIfCheap(question, (budget) => findPaths({ ...question, budget }, nodeCrypto.verify), whole);

/** Returns undefined if the work would block the event loop for too long. */
function runIfCheap<Found>(
  { target, pool }: PathsQuery,
  find: (budget: Budget) => Found,
  whole?: Budget,
): Found | undefined {
  const octets = [target, ...pool].reduce((sum, { certificate }) => sum + certificate.der.length, 0);
  if (octets > MAX_PATHS_AT_ONCE) return undefined;
  const budget = createBudget(STEPS_AT_ONCE, whole);
  const found = find(budget);
  return budget.isExhausted ? undefined : found;
}

const encodeMember = ({ certificate, ...facts }: PathMember): EncodedMember => ({ ...facts, der: certificate.der });
const encodeQuery = ({ target, pool, ...facts }: PathsQuery): EncodedQuery => ({
  ...facts,
  target: encodeMember(target),
  pool: pool.map(encodeMember),
});

const decodeMember = ({ der, ...facts }: EncodedMember): PathMember => ({
  ...facts,
  certificate: parseCertificate(der),
});
const decodeQuery = ({ target, pool, ...facts }: EncodedQuery): PathsQuery & { readonly budget: Budget } => ({
  ...facts,
  target: decodeMember(target),
  pool: pool.map(decodeMember),
  budget: createBudget(),
});

/** Performs a task in the worker thread. */
export function performTask(task: WorkTask): TaskResponse {
  switch (task.kind) {
    case 'upload':
      return { kind: 'certificates', certificates: readUpload(task.text, task.codes).map(encodeCertificate) };
    case 'certificate':
      return { kind: 'certificates', certificates: [encodeCertificate(readBounded(task.der, task.codes))] };
    case 'crl':
      return { kind: 'crl', tables: indexBounded(task.der) };
    case 'paths':
      return { kind: 'paths', paths: findPaths(decodeQuery(task), nodeCrypto.verify) };
    case 'validPaths': {
      const { limit } = task;
      return { kind: 'validPaths', paths: findValidPaths({ ...decodeQuery(task), limit }, nodeCrypto.verify) };
    }
  }
}

function indexBounded(der: Uint8Array): CrlIndexTables {
  try {
    return indexEntries(parseCrl(der));
  } catch (error) {
    if (isPkiError(error)) throw new AppError('invalid_fields', { problems: [error.message] });
    throw error;
  }
}

/** Transfers only the bytes of the certificate itself, not those of the whole file. */
const encodeCertificate = ({ certificate, ...read }: ReadCertificate): EncodedCertificate => ({
  der: certificate.der.slice(),
  ...read,
});
