// `signetry certificate request`, and commands for a single certificate: show, renew, revoke.
import { CertificateRevocationReason, revocationReasonCode } from '@signetry/contract';
import { command, type Argument, type Flags } from '../command-line/command.ts';
import { findNearest } from '@signetry/server/nearest';
import { parseWholeNumber } from '../command-line/flag-values.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CliFailure, usageError } from '../failures.ts';
import type { CertificateDetail } from '../certificates/responses.ts';
import { findCertificate } from '../certificates/find-certificate.ts';
import { profileOf } from '../certificates/profile.ts';
import { titleOf } from '../certificates/title.ts';
import { certificateFacts } from '../output/certificate-facts.ts';
import { parsedCertificate } from '../output/parsed-certificate.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';
import { requestFlags } from './request-flags.ts';

const selector: Argument = {
  name: 'CERTIFICATE',
  about: 'common name, first SAN, UUID, serial number or SHA-256 fingerprint of a certificate',
};

export const requestCertificate = command({
  name: 'certificate request',
  about: 'Create a key and obtain a certificate for it, as PEM files in the current directory',
  arguments: [
    { name: 'NAME', about: 'host name, IP address or e-mail address; the first one also names the files', many: true },
  ],
  flags: requestFlags,
  details: [
    'Writes NAME.key.pem (the private key, readable only by you) and NAME.pem (the certificate and its chain). Existing files are never overwritten. If no certificate is issued, the new key is removed; if the outcome is unknown, the key is kept.',
  ],
  examples: [
    'signetry certificate request web.example www.web.example 192.0.2.10',
    'signetry certificate request web.example --key-type RSA-3072 --out /etc/nginx/tls',
    'signetry certificate request web.example --csr web.csr',
    'signetry certificate request web.example --custom costCentre=4711 --custom team=web',
  ],
  async run(input, context) {
    const { requestCertificate: request } = await import('./request-certificate.ts');
    return request(input, context);
  },
});

export const showCertificate = command({
  name: 'certificates show',
  about: 'Show a certificate',
  arguments: [selector],
  flags: {
    pem: { about: 'Print the certificate and its chain as PEM' },
    parsed: { about: 'Print the full parsed certificate, including all extensions' },
    ...connectionFlags,
  },
  examples: [
    'signetry certificates show web.example',
    'signetry certificates show web.example --parsed',
    'signetry certificates show 4f:2a:…',
    'signetry certificates show UUID --pem > web.example.pem',
  ],
  async run({ args: [given = ''], flags, json }, context) {
    if (flags.pem && flags.parsed)
      throw usageError('--pem and --parsed are mutually exclusive.', 'Specify one of them.');
    const connection = await connect(flags, context);
    const certificate = await findCertificate(connection, given);
    if (flags.pem) context.out((await pemOf(certificate, connection)).trimEnd());
    else if (flags.parsed) await printParsed(certificate, { connection, context, json });
    else if (json) printJson(context, certificate);
    else context.out(certificateFacts(certificate, context));
    return EXIT.ok;
  },
});

async function printParsed(
  { uuid }: CertificateDetail,
  { connection, context, json }: { connection: Connection; context: Context; json: boolean },
): Promise<void> {
  const { client, options } = connection;
  const parsed = await client.certificateParsing.getParsedCertificate({ params: { uuid } }, options);
  if (json) printJson(context, parsed);
  else context.out(parsedCertificate(parsed, context));
}

async function pemOf(certificate: CertificateDetail, connection: Connection): Promise<string> {
  const { contentOf, readPemChain } = await import('../certificates/chain.ts');
  const { uuid, state } = certificate;
  const [der] = contentOf(certificate);
  if (der === undefined)
    throw new CliFailure(`Cannot print ${titleOf(certificate)} (${uuid}) as PEM: it has no content (state ${state}).`);
  return (await readPemChain(connection, { uuid, der })).pem;
}

const MAX_WAIT_S = 86_400;

export const renewCertificate = command({
  name: 'certificates renew',
  about: 'Renew a certificate with the same key and names',
  arguments: [selector],
  flags: { wait: requestFlags.wait, ...connectionFlags } as const satisfies Flags,
  async run({ args: [given = ''], flags, json }, context) {
    const waitMs = 1000 * parseWholeNumber('--wait', { text: flags.wait, min: 0, max: MAX_WAIT_S });
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const certificate = await findCertificate(connection, given);
    const params = { ...profileOf(certificate), certificateUuid: certificate.uuid };
    const answer = await client.clientOperations.renewCertificate({ params, body: {} }, options);
    const { awaitCertificate } = await import('../certificates/await-certificate.ts');
    const outcome = await awaitCertificate(answer, { connection, context, waitMs });
    if (outcome.kind !== 'issued')
      throw new CliFailure(`No certificate obtained: ${outcome.reason}.`, {
        help: outcome.uuid === undefined ? [] : [`\`signetry certificates show ${outcome.uuid}\` shows its state.`],
      });
    const renewed = await findCertificate(connection, outcome.uuid);
    if (json) printJson(context, { uuid: outcome.uuid, certificateData: renewed.certificateContent ?? '' });
    else context.out(certificateFacts(renewed, context));
    return EXIT.ok;
  },
});

export const declareNotIssued = command({
  name: 'certificates not-issued',
  about: 'Mark a certificate whose issuance outcome is unknown as not issued',
  arguments: [selector],
  flags: {
    reason: {
      value: 'TEXT',
      required: true,
      about: "How this was determined; recorded in the certificate's history and in the audit log",
    },
    ...connectionFlags,
  } as const satisfies Flags,
  details: [
    'For a certificate that remains pending_issue because its authority never reported whether it signed the certificate. If the authority did issue it, upload the certificate instead; this also resolves the pending state.',
  ],
  examples: ['signetry certificates not-issued UUID --reason "not in the CA database, checked on Monday"'],
  async run({ args: [given = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { uuid } = await findCertificate(connection, given);
    const body = { reason: flags.reason };
    await client.certificateSettlement.declareCertificateNotIssued({ params: { uuid }, body }, options);
    const settled = await findCertificate(connection, uuid);
    if (json) printJson(context, settled);
    else context.out(certificateFacts(settled, context));
    return EXIT.ok;
  },
});

const reasons = CertificateRevocationReason.options;

export const revokeCertificate = command({
  name: 'certificates revoke',
  about: 'Revoke a certificate without confirmation',
  arguments: [selector],
  flags: {
    reason: {
      value: 'REASON',
      initial: 'unspecified',
      about: `Reason, by name or number: ${reasons.map((reason) => `${reason} ${revocationReasonCode[reason]}`).join(', ')}`,
    },
    ...connectionFlags,
  } as const satisfies Flags,
  details: [
    'A certificate revoked with the reason certificateHold can be released with `signetry certificates release`; all other reasons are final.',
  ],
  examples: ['signetry certificates revoke 4f:2a:… --reason keyCompromise'],
  async run({ args: [given = ''], flags, json }, context) {
    const reason = readReason(flags.reason);
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const certificate = await findCertificate(connection, given);
    const params = { ...profileOf(certificate), certificateUuid: certificate.uuid };
    await client.clientOperations.revokeCertificate({ params, body: { reason, attributes: [] } }, options);
    const revoked = await findCertificate(connection, certificate.uuid);
    if (json) printJson(context, revoked);
    else context.out(revocationText(revoked, { reason, context }));
    return EXIT.ok;
  },
});

export const releaseCertificate = command({
  name: 'certificates release',
  about: 'Release a certificate from hold, so that it is valid again',
  arguments: [selector],
  flags: connectionFlags,
  details: ['Applies only to certificates revoked with the reason certificateHold; all other reasons are final.'],
  examples: ['signetry certificates release 4f:2a:…'],
  async run({ args: [given = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { uuid } = await findCertificate(connection, given);
    await client.certificateHold.releaseCertificate({ params: { uuid } }, options);
    const released = await findCertificate(connection, uuid);
    if (json) printJson(context, released);
    else
      context.out(
        `${released.state === 'issued' ? 'Released.' : 'The release was accepted.'}\n\n${certificateFacts(released, context)}`,
      );
    return EXIT.ok;
  },
});

function readReason(text: string): (typeof reasons)[number] {
  const reason = reasons.find(
    (name) => name.toLowerCase() === text.toLowerCase() || String(revocationReasonCode[name]) === text,
  );
  if (reason !== undefined) return reason;
  const guess = findNearest(text, reasons);
  throw usageError(
    `--reason does not accept "${text}".`,
    `${guess === undefined ? '' : `Did you mean ${guess}? `}Allowed values: ${reasons.join(', ')}.`,
  );
}

/** Some platforms accept a revocation and perform it later; the state shows whether it is complete. */
function revocationText(
  certificate: CertificateDetail,
  { reason, context }: { reason: string; context: Context },
): string {
  const accepted = certificate.state === 'revoked' ? `Revoked (${reason}).` : 'The revocation was accepted.';
  return `${accepted}\n\n${certificateFacts(certificate, context)}`;
}
