// `signetry certificate request`: creates a key and a CSR, and obtains the certificate. The key never leaves this
// machine. It is written before the platform is called, and removed only if it is certain that no certificate was
// issued for it.
import { resolve } from 'node:path';
import type { RequestAttributeDto } from '@signetry/contract';
import { describeCertificate, equalBytes, parseCertificate, toBase64 } from '@signetry/pki';
import { KEY_SPECS, type KeySpec } from '@signetry/pki/node';
import { customValues, readCustomFlags } from '../attributes/custom-values.ts';
import { awaitCertificate, outcomeOfError, type Outcome } from '../certificates/await-certificate.ts';
import { readPemChain, type PemChain } from '../certificates/chain.ts';
import {
  assertAbsent,
  certificateFiles,
  removeKeyFile,
  shownPath,
  writeCertificateFile,
  writeKeyFile,
  type CertificateFiles,
} from '../certificates/files.ts';
import { fileNameOf, readRequestedName } from '../certificates/names.ts';
import { findProfile, type ProfilePath } from '../certificates/profile.ts';
import { titleOf } from '../certificates/title.ts';
import { createSigningRequest, readSigningRequest, type SigningRequest } from '../certificates/signing-request.ts';
import { parseWholeNumber } from '../command-line/flag-values.ts';
import type { Input } from '../command-line/command.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { CliFailure, describeFailure, usageError } from '../failures.ts';
import { renderFacts } from '../output/table.ts';
import { describeTime, isoTime } from '../output/times.ts';
import { connect, type Connection } from '../platform/connect.ts';
import type { requestFlags } from './request-flags.ts';

type RequestInput = Input<typeof requestFlags>;

export async function requestCertificate(input: RequestInput, context: Context): Promise<ExitCode> {
  const plan = readPlan(input, context);
  const { files, csrFile } = plan;
  await assertAbsent(csrFile === undefined ? [files.key, files.certificate] : [files.certificate]);
  const connection = await connect(input.flags, context);
  const profile = await findProfile(connection, input.flags.profile);
  const customAttributes = await customValues(connection, plan.custom, 'certificates');
  const request = await prepareRequest(plan);
  const keyFile = csrFile === undefined ? files.key : undefined;
  const outcome = await issue({
    request,
    profile,
    customAttributes,
    keyFile,
    connection,
    context,
    waitMs: plan.waitMs,
  });
  await report({ outcome, files, keyFile, request, connection, context, json: input.json });
  return EXIT.ok;
}

/** Maximum wait that can be specified: one day. */
const MAX_WAIT_S = 86_400;

interface Plan {
  readonly names: ReturnType<typeof readRequestedName>[];
  readonly files: CertificateFiles;
  readonly keySpec: KeySpec;
  readonly csrFile: string | undefined;
  readonly waitMs: number;
  readonly custom: ReturnType<typeof readCustomFlags>;
}

function readPlan({ args, flags }: RequestInput, { cwd }: Context): Plan {
  const folder = resolve(cwd, flags.out ?? '.');
  const wait = parseWholeNumber('--wait', { text: flags.wait, min: 0, max: MAX_WAIT_S });
  const csrFile = flags.csr === undefined ? undefined : resolve(cwd, flags.csr);
  if (csrFile !== undefined && flags['key-type'] !== undefined)
    throw usageError('--key-type and --csr are mutually exclusive: the CSR contains its own key.');
  if (csrFile !== undefined && args.length > 1)
    throw usageError(
      'With --csr, only one NAME is accepted. It names the file; the names in the certificate come from the CSR.',
    );
  // If a CSR is specified, the name serves only as a file name.
  const names = csrFile === undefined ? args.map(readRequestedName) : [];
  const [first = ''] = args;
  return {
    names,
    files: certificateFiles(folder, fileNameOf(names[0]?.text ?? first)),
    keySpec: KEY_SPECS.find((spec) => spec === flags['key-type']) ?? 'P-256',
    csrFile,
    waitMs: wait * 1000,
    custom: readCustomFlags(flags.custom),
  };
}

async function prepareRequest({ names, files, keySpec, csrFile }: Plan): Promise<SigningRequest> {
  if (csrFile !== undefined) return readSigningRequest(csrFile);
  const request = await createSigningRequest(names, keySpec);
  await writeKeyFile(files.key, request.keyPem);
  return request;
}

interface IssueParts {
  readonly request: SigningRequest;
  readonly profile: ProfilePath;
  readonly customAttributes: readonly RequestAttributeDto[];
  /** Path of the key file that was created for this request. */
  readonly keyFile: string | undefined;
  readonly connection: Connection;
  readonly context: Context;
  readonly waitMs: number;
}

type IssuedOutcome = Extract<Outcome, { kind: 'issued' }>;

/** Requests the certificate and waits for it. On failure, the error states what happened to the key. */
async function issue(issuing: IssueParts): Promise<IssuedOutcome> {
  const { request, profile, customAttributes, keyFile, connection } = issuing;
  const { client, options } = connection;
  const custom = customAttributes.length === 0 ? {} : { customAttributes: [...customAttributes] };
  const body = { request: toBase64(request.der), format: 'pkcs10' as const, attributes: [], ...custom };
  let outcome: Outcome;
  let cause: unknown;
  try {
    const answer = await client.clientOperations.issueCertificate({ params: profile, body }, options);
    outcome = await awaitCertificate(answer, issuing).catch((error: unknown) => {
      cause = error;
      return { kind: 'undecided' as const, uuid: answer.uuid, reason: describeFailure(error).message };
    });
  } catch (error) {
    cause = error;
    outcome = await outcomeOfError(error, connection);
  }
  if (outcome.kind === 'issued') return outcome;
  if (outcome.kind === 'notIssued' && keyFile !== undefined) await removeKeyFile(keyFile);
  throw notIssuedError(outcome, { keyFile, cause });
}

function notIssuedError(
  outcome: Exclude<Outcome, IssuedOutcome>,
  { keyFile, cause }: { keyFile: string | undefined; cause: unknown },
): CliFailure {
  const known = cause === undefined ? undefined : describeFailure(cause);
  const later =
    outcome.uuid === undefined
      ? '`signetry certificates list` shows whether the certificate was issued.'
      : `\`signetry certificates show ${outcome.uuid}\` shows its state; with --pem, it prints the certificate once it is issued.`;
  const key =
    keyFile === undefined
      ? []
      : outcome.kind === 'notIssued'
        ? ['No certificate was issued, so the new key was removed.']
        : [`The private key remains in ${keyFile}.`];
  return new CliFailure(known?.message ?? `No certificate obtained: ${outcome.reason}.`, {
    exitCode: known?.exitCode ?? EXIT.failed,
    help: [...(known?.help ?? []), ...key, ...(outcome.kind === 'undecided' ? [later] : [])],
    cause,
  });
}

interface ReportParts {
  readonly outcome: IssuedOutcome;
  readonly files: CertificateFiles;
  readonly keyFile: string | undefined;
  readonly request: SigningRequest;
  readonly connection: Connection;
  readonly context: Context;
  readonly json: boolean;
}

/**
 * Writes the certificate and reports it. The certificate already exists at this point, so every error states how to
 * retrieve it.
 */
async function report(facts: ReportParts): Promise<void> {
  const { outcome, files, keyFile, context, json } = facts;
  const chain = await writeCertificate(facts).catch((error: unknown) => {
    const { message, help } = describeFailure(error);
    const kept = keyFile === undefined ? [] : [`The private key remains in ${keyFile}.`];
    const again = `The certificate was issued. Retrieve it with \`signetry certificates show ${outcome.uuid} --pem\`.`;
    throw new CliFailure(message, { help: [...help, ...kept, again], cause: error });
  });
  if (!chain.complete)
    context.err('signetry: warning: the platform does not know the complete chain of the certificate.');
  if (json) {
    const written = { ...(keyFile === undefined ? {} : { key: keyFile }), certificate: files.certificate };
    printJson(context, { uuid: outcome.uuid, certificateData: toBase64(outcome.der), files: written });
    return;
  }
  const { subjectName, issuerName, serialNumber, notAfterMs } = namesOf(outcome.der);
  const count = chain.count === 1 ? '1 certificate' : `${chain.count} certificates`;
  context.out(
    renderFacts(
      [
        ['Certificate', subjectName],
        ['Issuer', issuerName],
        ['Serial number', serialNumber],
        ['Valid until', describeTime(isoTime(notAfterMs), context.now())],
        ['UUID', outcome.uuid],
        ['Private key', keyFile && shownPath(keyFile, context.cwd)],
        ['Chain', `${shownPath(files.certificate, context.cwd)} (${count})`],
      ],
      context,
    ),
  );
}

async function writeCertificate({ outcome, files, request, connection }: ReportParts): Promise<PemChain> {
  if (!equalBytes(parseCertificate(outcome.der).spki, request.spki))
    throw new CliFailure('The issued certificate contains a different public key than the CSR.');
  const chain = await readPemChain(connection, outcome);
  await writeCertificateFile(files.certificate, chain.pem);
  return chain;
}

function namesOf(der: Uint8Array) {
  const facts = describeCertificate(parseCertificate(der));
  return {
    subjectName: titleOf(facts),
    issuerName: facts.issuerCommonName ?? facts.issuerDn,
    serialNumber: facts.serialNumber,
    notAfterMs: facts.notAfterMs,
  };
}
