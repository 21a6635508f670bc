// Serves certificates with their chains (RFC 8555 §7.4.2).
import { parseCertificate, writePem } from '@signetry/pki';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { linkTo } from '../../../platform/http/header-url.ts';
import type { Platform } from '../../../platform/platform.ts';
import { unknownObject } from '../model/problems.ts';
import { assertNoPayload } from '../requests/authenticate.ts';
import type { AccountCall, AcmeReply } from '../requests/call.ts';
import { createReadCertificate } from './store.ts';

const PEM_CHAIN = 'application/pem-certificate-chain';
const ISSUER_TTL_MS = 60_000;

/** Marks the address of the alternate chain. */
const ALTERNATE = '.alternate';

/** The two chains above a certificate, as PEM text. */
interface IssuerChains {
  /** Up to the last certificate that a client may lack: without the root, unless the root issued it. */
  readonly usual: string;
  /** With the root where the usual one lacks it; undefined where there is no other chain. */
  readonly alternate: string | undefined;
}

export interface DownloadParts {
  /** A certificate and its issuers, leaf first, in DER. */
  readonly chainOf: (certificateUuid: string) => Promise<readonly Uint8Array[]>;
}

export function createDownload(
  platform: Platform,
  { chainOf }: DownloadParts,
): (call: AccountCall) => Promise<AcmeReply> {
  const { database, clock } = platform;
  const read = createReadCertificate(database);
  const issuers = createExpiringCache({
    clock,
    ttlMs: ISSUER_TTL_MS,
    load: async (issuerUuid: string): Promise<IssuerChains> => chainsOf(await chainOf(issuerUuid)),
  });

  return async function downloadCertificate(call) {
    assertNoPayload(call);
    const wantsAlternate = call.id.endsWith(ALTERNATE);
    const uuid = wantsAlternate ? call.id.slice(0, -ALTERNATE.length) : call.id;
    if (!isUuid(uuid)) throw unknownObject('certificate');
    const found = await read(call, { uuid });
    if (!found) throw unknownObject('certificate');
    const chains =
      found.issuer_certificate_uuid === null ? undefined : await issuers.get(found.issuer_certificate_uuid);
    const other = wantsAlternate ? call.urls.certificate(uuid) : `${call.urls.certificate(uuid)}${ALTERNATE}`;
    if (wantsAlternate && chains?.alternate === undefined) throw unknownObject('alternate chain');
    const chain = wantsAlternate ? chains?.alternate : chains?.usual;
    return {
      status: 200,
      media: PEM_CHAIN,
      body: writePem('CERTIFICATE', found.der) + (chain ?? ''),
      ...(chains?.alternate === undefined ? {} : { headers: { link: [linkTo(other, 'alternate')] } }),
    };
  };
}

/**
 * Some clients refuse an answer without any CA certificate, so a root that issues directly is part of the usual chain.
 */
function chainsOf(issuers: readonly Uint8Array[]): IssuerChains {
  const top = issuers.at(-1);
  const pem = (list: readonly Uint8Array[]) => list.map((der) => writePem('CERTIFICATE', der)).join('');
  if (!top || issuers.length === 1 || !parseCertificate(top).isSelfIssued)
    return { usual: pem(issuers), alternate: undefined };
  return { usual: pem(issuers.slice(0, -1)), alternate: pem(issuers) };
}
