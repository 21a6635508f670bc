// Shared by the OCSP tests: a node that responds over HTTP, and its client.
import {
  buildCertId,
  buildOcspRequest,
  issuerHashes,
  parseOcspResponse,
  verifyOcspResponse,
  type Certificate,
  type DigestName,
  type OcspVerdict,
} from '@signetry/pki';
import { nodeCrypto, type KeySpec } from '@signetry/pki/node';
import { closeAfterTest, createFakeClock, testPlatform } from '@signetry/testkit/services';
import type { Database } from '../../../platform/database/database.ts';
import { createTestAuthority, type TestCertificate } from './authority.ts';
import { startTestNode, type TestNode } from './node.ts';

/** Creates an authority with its own clock and node, and a relying party that requests and verifies OCSP responses. */
export async function setUpOcsp(database: Database, facts: { readonly key?: KeySpec } = {}) {
  const clock = createFakeClock();
  const platform = testPlatform(database, { clock });
  const authority = await createTestAuthority(platform, facts);
  const node = await startTestNode(platform, authority.ports);
  closeAfterTest(node.close);

  const certIdOf = (leaf: TestCertificate, digestName: DigestName = 'sha1', issuer = authority.ca().certificate) =>
    buildCertId(issuerHashes(issuer, { digestName, digest: nodeCrypto.digest }), leaf.certificate.serialBytes);
  const post = (body: Uint8Array, at: TestNode = node, path = authority.uuid) =>
    fetch(`${at.url}/ocsp/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/ocsp-request' },
      body: Buffer.from(body),
    });
  const ask = async (
    leaf: TestCertificate,
    options: { digestName?: DigestName; nonce?: Uint8Array; at?: TestNode } = {},
  ) => {
    const { digestName, nonce, at } = options;
    const request = buildOcspRequest({ certIds: [certIdOf(leaf, digestName)], ...(nonce ? { nonce } : {}) });
    const answer = await post(request, at);
    return { answer, bytes: new Uint8Array(await answer.arrayBuffer()) };
  };
  const evaluate = (bytes: Uint8Array, leaf: TestCertificate, nonce?: Uint8Array): OcspVerdict => {
    const response = parseOcspResponse(bytes);
    if (response.status !== 'successful') throw new Error(`The answer is ${response.status}.`);
    return verifyOcspResponse(response.basic, {
      certificate: leaf.certificate,
      issuer: authority.ca().certificate,
      verify: nodeCrypto.verify,
      digest: nodeCrypto.digest,
      nowMs: clock.now().getTime(),
      ...(nonce ? { nonce } : {}),
    });
  };
  const statusOf = async (leaf: TestCertificate, at?: TestNode) => {
    const verdict = evaluate((await ask(leaf, at ? { at } : {})).bytes, leaf);
    if (!verdict.trusted) throw new Error(`The answer is refused: ${verdict.refusal}.`);
    return verdict.certStatus;
  };
  const schedule = async () => {
    await node.parts.jobs.onSchedule();
    await node.parts.jobs.idle();
  };
  const secondNode = async () => {
    const other = await startTestNode(testPlatform(database, { clock, sealer: platform.sealer }), authority.ports);
    closeAfterTest(other.close);
    return other;
  };
  const endPause = () =>
    database.query('UPDATE revocation_duty SET due_at = now() WHERE authority_uuid = $1', [authority.uuid]);
  return {
    clock,
    platform,
    authority,
    node,
    certIdOf,
    post,
    ask,
    judge: evaluate,
    statusOf,
    ocspStatus,
    responderOf,
    schedule,
    secondNode,
    endPause,
  };
}

const ocspStatus = async (answer: Response) => parseOcspResponse(new Uint8Array(await answer.arrayBuffer())).status;

const responderOf = (bytes: Uint8Array): Certificate | undefined => {
  const response = parseOcspResponse(bytes);
  return response.status === 'successful' ? response.basic.certificates[0] : undefined;
};
