// tls-alpn-01 (RFC 8737; for IP addresses, RFC 8738 §6): a TLS server at the identifier negotiates acme-tls/1 and
// presents a certificate created for this challenge.
import { isIP } from 'node:net';
import { parseIpAddress } from '@signetry/pki';
import { checkChallengeCertificate } from './challenge-certificate.ts';
import { ValidationFailure, type ChallengeToValidate } from './challenge.ts';
import { closeTls, connectTls } from './tls-connection.ts';
import type { Attempt } from './attempt.ts';

const PROTOCOL = 'acme-tls/1';

/** Throws `ValidationFailure` unless the server presents the challenge certificate. */
export async function validateTlsAlpn01(challenge: ChallengeToValidate, attempt: Attempt): Promise<void> {
  const host = challenge.identifier.value;
  const port = attempt.rules.tlsAlpn01Port;
  const serverName = isIP(host) === 0 ? host : reverseName(host);
  const socket = await connectTls({ host, port, shownAs: host }, { attempt, serverName, protocols: [PROTOCOL] });
  try {
    if (socket.alpnProtocol !== PROTOCOL) {
      const detail = `${host}, port ${port}: the TLS server does not support ${PROTOCOL} (RFC 8737 §3).`;
      // Comparable to a 404: the challenge responder is not set up yet.
      throw new ValidationFailure({ type: 'tls', detail, mayChange: true });
    }
    const problem = checkChallengeCertificate(socket.getPeerX509Certificate()?.raw, challenge);
    if (problem === undefined) return;
    const detail = `${host}, port ${port}: ${problem}.`;
    throw new ValidationFailure({ type: 'incorrectResponse', detail, mayChange: false });
  } finally {
    closeTls(socket);
  }
}

/**
 * Returns an IP address's reverse DNS name, because a server name cannot be an address (RFC 8738 §6, RFC 3596 §2.5).
 */
function reverseName(address: string): string {
  const octets = parseIpAddress(address) ?? new Uint8Array();
  if (octets.length === 4) return `${octets.toReversed().join('.')}.in-addr.arpa`;
  return `${[...octets.toHex()].toReversed().join('.')}.ip6.arpa`;
}
