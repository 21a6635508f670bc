// Serves certificates with their chains (RFC 8555 §7.4.2): the default chain at the certificate URL, and each alternate
// chain at its own URL, to which every response links.
import { createHash } from 'node:crypto';
import { parseCertificate, writePem } from '@signetry/pki';
import type { CertificateChains } from '../../../areas/inventory/index.ts';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { linkTo } from '../../../platform/http/header-url.ts';
import type { Platform } from '../../../platform/platform.ts';
import { unknownObject } from '../model/problems.ts';
import { assertNoPayload } from '../requests/authenticate.ts';
import type { AccountCall, AcmeReply } from '../requests/call.ts';
import { createReadCertificate, type DownloadedCertificate } from './store.ts';

const PEM_CHAIN = 'application/pem-certificate-chain';
const ISSUER_TTL_MS = 60_000;

/**
 * Maximum number of paths offered; each is offered with and without its root. Clients that choose between chains fetch
 * every chain first.
 */
const MAX_PATHS = 4;
/** Separates the certificate from the chain identifier in the URL of an alternate chain. */
const ALTERNATE = '.chain-';
/** Number of hex digits of the digest that identifies a certificate's chain. */
const ID_LENGTH = 16;

/** Issuer certificates included in a certificate download. */
interface IssuerChain {
  /**
   * Derived from the content, so that a URL always returns the same chain, even if other chains are added or removed.
   */
  readonly id: string;
  readonly pem: string;
}

/** The first chain is the default. */
type IssuerChains = readonly IssuerChain[];

interface IssuerFacts {
  /** Chains built from the issuer's best path. */
  readonly chains: IssuerChains;
  /** True if the issuer may be cross-signed, so that alternate chains must be determined for each certificate. */
  readonly mayHaveSeveral: boolean;
}

export type DownloadParts = Pick<CertificateChains, 'chainOf' | 'mayHaveSeveralChains' | 'validChainsOf'>;

export function createDownload(platform: Platform, parts: DownloadParts): (call: AccountCall) => Promise<AcmeReply> {
  const { database, clock } = platform;
  const { chainOf, mayHaveSeveralChains, validChainsOf } = parts;
  const read = createReadCertificate(database);
  const issuers = createExpiringCache({
    clock,
    ttlMs: ISSUER_TTL_MS,
    load: async (issuerUuid: string): Promise<IssuerFacts> => {
      const above = await chainOf(issuerUuid);
      const [issuer] = above;
      return {
        chains: chainVariantsOf([above]),
        mayHaveSeveral: issuer !== undefined && (await mayHaveSeveralChains(issuer)),
      };
    },
  });

  async function chainsAbove({ uuid, der, issuer_certificate_uuid }: DownloadedCertificate): Promise<IssuerChains> {
    if (issuer_certificate_uuid === null) return chainVariantsOf([[]]);
    const { chains, mayHaveSeveral } = await issuers.get(issuer_certificate_uuid);
    if (!mayHaveSeveral) return chains;
    const valid = await validChainsOf({ uuid, der, issuerUuid: issuer_certificate_uuid }, MAX_PATHS);
    // If no path is valid, the best invalid one is served.
    return valid.length === 0 ? chains : chainVariantsOf(valid);
  }

  return async function downloadCertificate(call) {
    assertNoPayload(call);
    const [uuid = '', id] = call.id.split(ALTERNATE, 2);
    if (!isUuid(uuid)) throw unknownObject('certificate');
    const found = await read(call, { uuid });
    if (!found) throw unknownObject('certificate');
    const chains = await chainsAbove(found);
    const shown = id === undefined ? chains[0] : chains.slice(1).find((chain) => chain.id === id);
    if (!shown) throw unknownObject('alternate chain');
    const links = chains.flatMap((chain, index) => {
      if (chain === shown) return [];
      const address = call.urls.certificate(index === 0 ? uuid : `${uuid}${ALTERNATE}${chain.id}`);
      return [linkTo(address, 'alternate')];
    });
    return {
      status: 200,
      media: PEM_CHAIN,
      body: writePem('CERTIFICATE', found.der) + shown.pem,
      ...(links.length === 0 ? {} : { headers: { link: links } }),
    };
  };
}

/**
 * Returns each path without its root, since clients either already have the root or do not trust it, and then each path
 * with its root. Some clients reject a response without any CA certificate, so a root that is the direct issuer is
 * included.
 */
function chainVariantsOf(paths: readonly (readonly Uint8Array[])[]): IssuerChains {
  const chains = new Map([...paths.map(omitRoot), ...paths].map(chainOfIssuers).map((chain) => [chain.id, chain]));
  return [...chains.values()];
}

function omitRoot(issuers: readonly Uint8Array[]): readonly Uint8Array[] {
  const top = issuers.at(-1);
  return top && issuers.length > 1 && parseCertificate(top).isSelfIssued ? issuers.slice(0, -1) : issuers;
}

function chainOfIssuers(issuers: readonly Uint8Array[]): IssuerChain {
  const pem = issuers.map((der) => writePem('CERTIFICATE', der)).join('');
  return { id: createHash('sha256').update(pem).digest('hex').slice(0, ID_LENGTH), pem };
}
