// Returns certificate chains, and certificates and chains as downloads.
import type {
  CertificateChainDownloadResponseDto,
  CertificateChainResponseDto,
  CertificateDownloadResponseDto,
  CertificateFormat,
  CertificateFormatEncoding,
} from '@signetry/contract';
import { parseCertificate, writePem, writePemChain, writePkcs7 } from '@signetry/pki';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, notFound, rejected } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { CertificateDetails } from './detail.ts';
import {
  buildChain,
  buildValidChains,
  mayHaveMultipleChains,
  type CertificateWork,
  type Chain,
  type IssuedEnd,
} from '../../validation/index.ts';
import type { Issuers } from '../../certificates/index.ts';
import { findDetail, type DetailRow } from './store.ts';

export interface FileForm {
  readonly format: CertificateFormat;
  readonly encoding: CertificateFormatEncoding;
}

export type Downloads = ReturnType<typeof createDownloads>;

export function createDownloads(options: {
  readonly platform: Platform;
  readonly issuers: Issuers;
  readonly work: CertificateWork;
  readonly details: CertificateDetails;
}) {
  const { platform, issuers, work, details } = options;

  /** Returns the chain that starts with the certificate or with its issuer; empty if the certificate is not issued. */
  async function chain(
    uuid: string,
    { withEndCertificate, context }: { withEndCertificate: boolean; context: RequestContext },
  ): Promise<CertificateChainResponseDto> {
    const row = await rowOf(uuid);
    if (row.der === null) return { completeChain: false, certificates: [] };
    const { members, isComplete } = await chainOf(row);
    const shown = members.slice(withEndCertificate ? 0 : 1).map((member) => member.uuid);
    return { completeChain: isComplete, certificates: await details.describe(shown, context) };
  }

  async function download(uuid: string, form: FileForm): Promise<CertificateDownloadResponseDto> {
    const der = contentOf(await rowOf(uuid));
    return { ...form, content: asFile([der], form).toString('base64') };
  }

  async function downloadChain(
    uuid: string,
    { withEndCertificate, ...form }: FileForm & { withEndCertificate: boolean },
  ): Promise<CertificateChainDownloadResponseDto> {
    if (form.format === 'raw' && form.encoding === 'der')
      throw rejected(
        'encoding: a DER file can contain only one certificate; choose PEM, or the format pkcs7 for a chain in DER',
      );
    const row = await rowOf(uuid);
    contentOf(row);
    const { members, isComplete } = await chainOf(row);
    const ders = members.slice(withEndCertificate ? 0 : 1).map((member) => member.certificate.der);
    return { ...form, completeChain: isComplete, content: asFile(ders, form).toString('base64') };
  }

  /** Returns the certificate and its issuers, leaf first; empty if it is not issued. */
  async function chainDer(uuid: string): Promise<readonly Uint8Array[]> {
    const row = await rowOf(uuid);
    if (row.der === null) return [];
    return (await chainOf(row)).members.map(({ certificate }) => certificate.der);
  }

  async function rowOf(uuid: string): Promise<DetailRow> {
    const row = await findDetail(platform.database.executor, uuid);
    if (!row) throw notFound('Certificate', uuid);
    return row;
  }

  const chainOf = (row: DetailRow): Promise<Chain> =>
    buildChain(
      { uuid: row.uuid, der: contentOf(row), trustedCa: row.trusted_ca },
      { issuers, work, now: platform.clock.now() },
    );

  return {
    chain,
    chainDer,
    download,
    downloadChain,
    mayHaveSeveralChains: (caDer: Uint8Array): Promise<boolean> =>
      mayHaveMultipleChains(parseCertificate(caDer), { issuers }),
    /** Returns chains in DER, without the certificate itself. */
    async validChains(end: IssuedEnd, limit: number): Promise<readonly (readonly Uint8Array[])[]> {
      const chains = await buildValidChains(end, { issuers, work, now: platform.clock.now(), limit });
      return chains.map((above) => above.map(({ der }) => der));
    },
  };
}

/**
 * Returns the content for a download. A certificate that failed validation on receipt is stored as evidence and shown
 * in its details, but cannot be downloaded.
 */
function contentOf(row: DetailRow): Buffer {
  if (row.der !== null && row.state !== 'failed') return row.der;
  throw notIssued(row);
}

export const notIssued = (row: DetailRow): AppError =>
  new AppError('invalid_state', {
    what: 'Certificate',
    name: row.common_name || row.uuid,
    state: `${row.state}, not issued`,
    needed: 'an issued certificate',
  });

/** Returns the bytes of the file; a raw DER file contains a single certificate. */
function asFile(ders: readonly Uint8Array[], { format, encoding }: FileForm): Buffer {
  if (format === 'pkcs7') {
    const pkcs7 = writePkcs7(ders);
    return encoding === 'pem' ? Buffer.from(writePem('PKCS7', pkcs7), 'latin1') : Buffer.from(pkcs7);
  }
  return encoding === 'pem' ? Buffer.from(writePemChain(ders), 'latin1') : Buffer.concat(ders);
}
