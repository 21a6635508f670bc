// Invariants checked from outside, over the API, CRL and OCSP, against the responses that clients received.
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@signetry/client';
import {
  buildCertId,
  buildOcspRequest,
  indexRevoked,
  issuerHashes,
  parseCertificate,
  parseCrl,
  parseOcspResponse,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { Violation } from './check-database.ts';
import type { CrlEvidence, Evidence } from './evidence.ts';
import { sha256 } from './load.ts';

/** A node that died while fetching a CRL keeps its lease for this long. */
const UNAVAILABLE_LIMIT_MS = 5_000;
/** Concurrent API reads. */
const PARALLEL = 8;

export interface InterfaceFacts {
  readonly client: Client;
  readonly http: string;
  readonly authorityUuid: string;
  readonly evidence: Evidence;
}

export async function checkInterface(facts: InterfaceFacts): Promise<Violation[]> {
  return [
    ...(await checkDownloads(facts)),
    ...(await checkRevocations(facts)),
    ...checkCrlHistory(facts.evidence),
    ...(await checkAudit(facts)),
  ];
}

async function checkDownloads({ client, evidence }: InterfaceFacts): Promise<Violation[]> {
  return inParallel(evidence.issued, async ({ uuid, sha256: told }) => {
    const { certificateContent = '' } = await client.certificates.getCertificate({ params: { uuid } });
    const found = sha256(Buffer.from(certificateContent, 'base64'));
    return found === told
      ? []
      : [{ invariant: 'I2', what: `downloaded certificate ${uuid} differs from the acknowledged one` }];
  });
}

async function checkRevocations(facts: InterfaceFacts): Promise<Violation[]> {
  const { evidence, http, authorityUuid, client } = facts;
  if (evidence.revoked.length === 0) return [];
  const issuer = parseCertificate(await fetchBytes(`${http}/ca/${authorityUuid}.crt`));
  const crl = parseCrl(await fetchBytes(`${http}/crl/${authorityUuid}.crl`));
  evidence.crls.push({
    number: crl.crlNumber ?? 0n,
    thisUpdateMs: crl.thisUpdateMs,
    nextUpdateMs: crl.nextUpdateMs ?? 0,
  });
  const listed = indexRevoked(crl);
  const hashes = issuerHashes(issuer, { digestName: 'sha1', digest: nodeCrypto.digest });
  return inParallel(evidence.revoked, async ({ uuid, serialNumber, reason }) => {
    const violations: Violation[] = [];
    const { state } = await client.certificates.getCertificate({ params: { uuid } });
    if (state !== 'revoked')
      violations.push({ invariant: 'I5', what: `acknowledged revocation of ${uuid} is lost: state ${state}` });
    const entry = listed.get(serialNumber);
    if (!entry || (entry.reason ?? 'unspecified') !== reason)
      violations.push({ invariant: 'I5', what: `CRL does not list ${serialNumber} with reason ${reason}` });
    const certId = buildCertId(hashes, serialBytes(serialNumber));
    const answer = parseOcspResponse(
      await fetchBytes(`${http}/ocsp/${authorityUuid}`, buildOcspRequest({ certIds: [certId] })),
    );
    const single = 'basic' in answer ? answer.basic.responses[0]?.certStatus : undefined;
    if (single?.status !== 'revoked' || (single.reason ?? 'unspecified') !== reason)
      violations.push({ invariant: 'I5', what: `OCSP does not report revoked for ${serialNumber}` });
    return violations;
  });
}

function checkCrlHistory({ crls }: Evidence): Violation[] {
  return crls.slice(1).flatMap((crl, index): Violation[] => {
    const before = crls[index] as CrlEvidence; // The iteration starts at the second element.
    if (crl.number < before.number)
      return [{ invariant: 'I6', what: `CRL number decreased from ${before.number} to ${crl.number}` }];
    if (crl.thisUpdateMs < before.thisUpdateMs)
      return [{ invariant: 'I6', what: `CRL thisUpdate decreased at number ${crl.number}` }];
    if (crl.thisUpdateMs > before.nextUpdateMs)
      return [{ invariant: 'I6', what: `CRL validity has a gap before number ${crl.number}` }];
    return [];
  });
}

async function checkAudit({ client }: InterfaceFacts): Promise<Violation[]> {
  const report = await client.auditVerification.verifyAuditLog();
  return report.intact ? [] : [{ invariant: 'I7', what: `audit chain: ${JSON.stringify(report)}` }];
}

async function fetchBytes(url: string, body?: Uint8Array): Promise<Uint8Array> {
  const post = body
    ? { method: 'POST', body: Buffer.from(body), headers: { 'content-type': 'application/ocsp-request' } }
    : {};
  const until = performance.now() + UNAVAILABLE_LIMIT_MS;
  for (;;) {
    const answer = await fetch(url, post);
    if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
    if (answer.status !== 503 || performance.now() > until)
      throw new Error(`${url} returned ${answer.status}: ${await answer.text()}`);
    await delay(200);
  }
}

async function inParallel<Item>(
  items: readonly Item[],
  check: (item: Item) => Promise<Violation[]>,
): Promise<Violation[]> {
  const violations: Violation[] = [];
  const queue = items.values();
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (const item of queue) violations.push(...(await check(item)));
    }),
  );
  return violations;
}

/** Returns a hexadecimal serial number as two's complement bytes. */
function serialBytes(hex: string): Uint8Array {
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  const bytes = Buffer.from(even, 'hex');
  return (bytes[0] ?? 0) > 0x7f ? Buffer.concat([Uint8Array.of(0), bytes]) : bytes;
}
