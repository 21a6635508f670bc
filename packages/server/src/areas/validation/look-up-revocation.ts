// A certificate's revocation status from external CRLs and OCSP responders at the URLs that it names.
import {
  createPathRevocation,
  equalNames,
  isPkiError,
  isSignedByAsync,
  normalizeName,
  toHex,
  unlessMalformed,
  type Certificate,
  type CertificateList,
  type IndexedCrl,
  type PathCandidate,
  type VerifySignature,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { Clock } from '../../kernel/clock.ts';
import { issuerKeyOf, type Issuers } from '../certificates/index.ts';
import { gatherIssuers } from './gather-issuers.ts';
import { namedUrls, withFindings } from './named-urls.ts';
import type { LookUpRevocation } from './revocation-check.ts';
import type { RevocationCheck } from './verdict.ts';
import type { CrlOutcome, CrlSource, CachedCrl } from './crl-source.ts';
import type { OcspSource } from './ocsp-source.ts';

export interface LookUpParts {
  readonly clock: Clock;
  readonly issuers: Pick<Issuers, 'named' | 'crlIssuers'>;
  readonly crls: CrlSource;
  readonly ocsp: OcspSource;
}

export const createLookUpRevocation =
  ({ ocsp, ...parts }: LookUpParts): LookUpRevocation =>
  async (subject) => {
    const issuer = subject.issuers[0];
    if (!issuer) return undefined;
    const [byOcsp, byCrl] = await Promise.all([
      ocsp.statusOf({ certificate: subject.certificate, issuer, maxAgeMs: subject.maxAgeMs }),
      statusByCrls(subject, parts),
    ]);
    return withFindings({ ocsp: byOcsp, crl: byCrl }, subject.certificate);
  };

async function statusByCrls(
  { certificate, issuers, maxAgeMs }: Parameters<LookUpRevocation>[0],
  parts: Omit<LookUpParts, 'ocsp'>,
): Promise<RevocationCheck> {
  const { crls: urls, withoutCrls } = namedUrls(certificate);
  if (urls.length === 0) return { status: 'not_checked', message: withoutCrls };
  const outcomes = await Promise.all(urls.map((url) => parts.crls.at(url, maxAgeMs)));
  const lists = outcomes.flatMap((outcome) => ('list' in outcome ? [outcome.list] : []));
  const problems = outcomes.flatMap((outcome) => ('problem' in outcome ? [outcome.problem] : []));
  if (lists.length === 0) return { status: 'failed', message: problems.join(' ') };
  const candidates = await signersOf(lists, { certificate, issuers }, parts);
  const crls = lists.map(({ crl, find, unknownCritical }): IndexedCrl => ({ crl, find, unknownCritical }));
  await verifyLists(lists, [...issuers, ...candidates.map((each) => each.certificate)]);
  const revocation = createPathRevocation({
    crlsFor: (asked) => (asked === certificate ? crls : []),
    candidates,
    nowMs: parts.clock.now().getTime(),
    verify: createKnownVerifier(lists),
  });
  const sourceOf = (crl: CertificateList): string =>
    `CRL ${urls.find((_, index) => isListOf(outcomes[index], crl)) ?? ''}`.trim();
  return outcomeOf(() => revocation.statusOf([certificate, ...issuers]), { problems, sourceOf });
}

const isListOf = (outcome: CrlOutcome | undefined, crl: CertificateList): boolean =>
  outcome !== undefined && 'list' in outcome && outcome.list.crl === crl;

export interface OutcomeFacts {
  readonly problems?: readonly string[];
  readonly sourceOf?: (crl: CertificateList) => string;
}

export function outcomeOf(
  statusOf: () => ReturnType<ReturnType<typeof createPathRevocation>['statusOf']>,
  { problems = [], sourceOf = () => 'CRL' }: OutcomeFacts = {},
): RevocationCheck {
  try {
    const verdict = statusOf();
    if (verdict.status === 'undetermined')
      return { status: 'failed', message: [verdict.problem, ...problems].join(' ') };
    const { crl, thisUpdateMs: statedAtMs, nextUpdateMs } = verdict.statement;
    const statement = { source: sourceOf(crl), statedAtMs, nextUpdateMs };
    if (verdict.status === 'good') return { status: 'valid', message: "Not listed in the issuer's CRLs.", statement };
    const { revocationMs: atMs, reason = 'unspecified' } = verdict.entry;
    const message = `Revoked at ${new Date(atMs).toISOString()}, reason ${reason}.`;
    return { status: 'revoked', message, statement: { ...statement, revoked: { atMs, reason } } };
  } catch (error) {
    if (!isPkiError(error)) throw error;
    return { status: 'failed', message: `The CRL is malformed: ${error.message}.` };
  }
}

/**
 * Returns certificates that may have signed CRLs not signed by the issuer itself, along with the certificates above
 * them.
 */
async function signersOf(
  lists: readonly CachedCrl[],
  { certificate, issuers }: Pick<Parameters<LookUpRevocation>[0], 'certificate' | 'issuers'>,
  parts: Pick<LookUpParts, 'issuers'>,
): Promise<PathCandidate[]> {
  const anchor = issuers.at(-1);
  const found = new Map<Certificate, PathCandidate>();
  const add = (each: Certificate): void => void found.set(each, { certificate: each, isAnchor: each === anchor });
  for (const each of issuers) add(each);
  for (const { crl } of lists) {
    if (equalNames(crl.issuer, certificate.issuer) && lists.length === 1 && !crl.issuingDistributionPoint?.indirectCrl)
      if (issuers[0] && isOwnKey(issuerKeyOf(crl), issuers[0])) continue;
    const named = await parts.issuers.named(normalizeName(crl.issuer), issuerKeyOf(crl));
    const authorities = named.flatMap((issuer) => (issuer.row.state === 'revoked' ? [] : [issuer.certificate]));
    const others = crl.issuingDistributionPoint?.indirectCrl ? await parts.issuers.crlIssuers(crl.issuer) : [];
    for (const signer of [...authorities, ...others]) {
      add(signer);
      for (const above of (await gatherIssuers(signer, parts.issuers)).issuers)
        if (above.row.state !== 'revoked' && !isKnown(found, above.certificate)) add(above.certificate);
    }
  }
  return [...found.values()];
}

const isKnown = (found: ReadonlyMap<Certificate, unknown>, { der }: Certificate): boolean =>
  [...found.keys()].some((each) => toHex(each.der) === toHex(der));

function isOwnKey(keyIdentifier: Uint8Array | undefined, signer: Certificate): boolean {
  const own = unlessMalformed(() => signer.subjectKeyIdentifier);
  return keyIdentifier !== undefined && own !== undefined && toHex(keyIdentifier) === toHex(own);
}

/** CRLs can be megabytes in size, so their signatures are verified on the thread pool, once with each candidate key. */
async function verifyLists(lists: readonly CachedCrl[], signers: readonly Certificate[]): Promise<void> {
  for (const { crl, signatures } of lists)
    for (const signer of signers) {
      if (!equalNames(signer.subject, crl.issuer) || signatures.has(toHex(signer.spki))) continue;
      signatures.set(
        toHex(signer.spki),
        await isSignedByAsync(crl, { issuerSpki: signer.spki, verify: nodeCrypto.verifyAsync }),
      );
    }
}

/** Returns a verifier that uses the known results for these CRLs. */
function createKnownVerifier(lists: readonly CachedCrl[]): VerifySignature {
  const byOctets = new Map(lists.map(({ crl, signatures }) => [crl.tbs, signatures]));
  return (spki, signed) => byOctets.get(signed.data)?.get(toHex(spki)) ?? nodeCrypto.verify(spki, signed);
}
