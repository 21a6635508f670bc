// Serves certificates with their chains (RFC 8555 §7.4.2): the usual one at the address of the certificate, each other
// one at an address of its own, which every answer links to.
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

/** Paths to choose from; each is offered with and without its root. Clients that choose fetch them all. */
const MAX_PATHS = 4;
/** Marks the address of a chain that is not the usual one; what identifies the chain follows. */
const ALTERNATE = '.chain-';
/** Hexadecimal digits of the digest that identify a chain among those of one certificate. */
const ID_LENGTH = 16;

/** What stands above a certificate in one of its downloads. */
interface IssuerChain {
  /** From its content, so that an address keeps its chain whichever others come and go. */
  readonly id: string;
  readonly pem: string;
}

/** The usual chain first. */
type IssuerChains = readonly IssuerChain[];

interface IssuerFacts {
  /** Of the best path of the issuer. */
  readonly chains: IssuerChains;
  /** Authorities have twins, so each certificate is to be looked at. */
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
      return { chains: formsOf([above]), mayHaveSeveral: issuer !== undefined && (await mayHaveSeveralChains(issuer)) };
    },
  });

  async function chainsAbove({ uuid, der, issuer_certificate_uuid }: DownloadedCertificate): Promise<IssuerChains> {
    if (issuer_certificate_uuid === null) return formsOf([[]]);
    const { chains, mayHaveSeveral } = await issuers.get(issuer_certificate_uuid);
    if (!mayHaveSeveral) return chains;
    const valid = await validChainsOf({ uuid, der, issuerUuid: issuer_certificate_uuid }, MAX_PATHS);
    // Without a valid path, the best of those that are not.
    return valid.length === 0 ? chains : formsOf(valid);
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
 * Each path without its root, which clients have or do not trust, then each with it. Some clients refuse an answer
 * without any CA certificate, so a root that issues directly stays.
 */
function formsOf(paths: readonly (readonly Uint8Array[])[]): IssuerChains {
  const chains = new Map([...paths.map(withoutRoot), ...paths].map(chainOfIssuers).map((chain) => [chain.id, chain]));
  return [...chains.values()];
}

function withoutRoot(issuers: readonly Uint8Array[]): readonly Uint8Array[] {
  const top = issuers.at(-1);
  return top && issuers.length > 1 && parseCertificate(top).isSelfIssued ? issuers.slice(0, -1) : issuers;
}

function chainOfIssuers(issuers: readonly Uint8Array[]): IssuerChain {
  const pem = issuers.map((der) => writePem('CERTIFICATE', der)).join('');
  return { id: createHash('sha256').update(pem).digest('hex').slice(0, ID_LENGTH), pem };
}
