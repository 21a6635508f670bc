// tls-alpn-01 (RFC 8737, for addresses RFC 8738 §6): a TLS server under the name speaks the protocol acme-tls/1 and
// shows a certificate made for this challenge.
import { isIP } from 'node:net';
import { parseIpAddress } from '@signetry/pki';
import { checkChallengeCertificate } from './challenge-certificate.ts';
import { ValidationFailure, type ChallengeToValidate } from './challenge.ts';
import { closeTls, connectTls } from './tls-connection.ts';
import type { Attempt } from './attempt.ts';

const PROTOCOL = 'acme-tls/1';

/** Throws `ValidationFailure` unless the certificate of the challenge is shown. */
export async function validateTlsAlpn01(challenge: ChallengeToValidate, attempt: Attempt): Promise<void> {
  const host = challenge.identifier.value;
  const port = attempt.rules.tlsAlpn01Port;
  const serverName = isIP(host) === 0 ? host : reverseName(host);
  const socket = await connectTls({ host, port, shownAs: host }, { attempt, serverName, protocols: [PROTOCOL] });
  try {
    if (socket.alpnProtocol !== PROTOCOL) {
      const detail = `${host}, port ${port}: the TLS server does not speak ${PROTOCOL} (RFC 8737 §3).`;
      // Like a 404: the responder of the challenge is not there yet.
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

/** A server name must not be an address, so its name in the reverse tree stands for it (RFC 8738 §6, RFC 3596 §2.5). */
function reverseName(address: string): string {
  const octets = parseIpAddress(address) ?? new Uint8Array();
  if (octets.length === 4) return `${octets.toReversed().join('.')}.in-addr.arpa`;
  return `${[...octets.toHex()].toReversed().join('.')}.ip6.arpa`;
}
