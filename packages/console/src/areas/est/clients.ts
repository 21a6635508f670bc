// EST clients, with their commands.
import { command, joinLines, ROOT_FILE, quoteWord } from '../acme/clients/setup.ts';
import type { EstProfile } from '../../queries/protocols.ts';
import { hostOf, type SecretStep, type TryClient } from '../protocols/try-it/client.ts';

/**
 * Requests repeat the common name as a SAN, because some authorities add it and a renewal must have the same names as
 * the previous certificate.
 */
const namesOf = (host: string): string =>
  `-subj ${quoteWord(`/CN=${host}`)} -addext ${quoteWord(`subjectAltName=DNS:${host}`)}`;

const requestCommand = (host: string): string =>
  command(
    'openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes',
    `${namesOf(host)} -keyout device.key -outform DER -out device.der`,
  );

const sendCommand = (url: string, how: string, request: string, into: string): string =>
  joinLines(
    command(
      `curl --fail-with-body --cacert ${ROOT_FILE} ${how}`,
      "-H 'Content-Type: application/pkcs10'",
      `--data-binary @${request} -o answer.b64`,
      url,
    ),
    `openssl base64 -d -in answer.b64 | openssl pkcs7 -inform DER -print_certs -out ${into}`,
  );

const curl: TryClient = {
  id: 'curl',
  label: 'curl',
  trust: 'file',
  snippets: ({ url, host }) => [
    { title: 'Generate a key and a CSR', place: 'Shell', text: requestCommand(host) },
    {
      title: 'Get the certificate',
      place: 'Shell',
      text: sendCommand(`${url}/simpleenroll`, '-u USER:PASSWORD', 'device.der', 'device.crt'),
    },
    {
      title: 'Renew the certificate',
      before: 'The client authenticates with the certificate being renewed. The key can be kept or replaced.',
      place: 'Shell',
      text: joinLines(
        `openssl req -new -key device.key ${namesOf(host)} -outform DER -out next.der`,
        sendCommand(`${url}/simplereenroll`, '--cert device.crt --key device.key', 'next.der', 'next.crt'),
      ),
    },
  ],
  remark: 'If the response is 202, the request is pending: send the same request again later.',
};

const strongswan: TryClient = {
  id: 'strongswan',
  label: 'strongSwan',
  trust: 'file',
  snippets: ({ url, host, profile }) => [
    {
      title: 'Get the certificate',
      before: 'Version 5.9.8 does not support --label: omit the option, and make the profile the default.',
      place: 'Shell',
      text: joinLines(
        'pki --gen --type ecdsa --size 256 --outform pem > device.key',
        `pki --req --in device.key --type ecdsa --dn ${quoteWord(`CN=${host}`)} --san ${quoteWord(host)} --outform pem > device.csr`,
        command(
          `pki --est --url https://${hostOf(url)} --label ${profile}`,
          `--in device.csr --cacert ${ROOT_FILE}`,
          '--userpass USER:PASSWORD --outform pem > device.crt',
        ),
      ),
    },
  ],
  remark: 'To renew, replace --userpass with --cert device.crt --key device.key.',
};

const cisco: TryClient = {
  id: 'cisco',
  label: 'Cisco IOS XE',
  trust: 'itself',
  untried: true,
  snippets: ({ url, host, profile }) => [
    {
      title: 'Set up a trustpoint',
      before: 'Import the root certificate of the platform as a trustpoint first, so that the router trusts the URL.',
      place: 'IOS XE, configuration mode',
      text: joinLines(
        `crypto pki profile enrollment ${profile}`,
        ' method-est',
        ` enrollment url ${url}`,
        ' exit',
        `crypto pki trustpoint ${profile}`,
        ` enrollment profile ${profile}`,
        ` subject-name CN=${host}`,
        ' auto-enroll 80',
        ' exit',
      ),
    },
    {
      title: 'Get the certificate',
      place: 'IOS XE, configuration mode',
      text: joinLines(`crypto pki authenticate ${profile}`, `crypto pki enroll ${profile}`),
    },
  ],
  remark: 'Routers authenticate with their manufacturer certificate: add Cisco’s CA to the trusted authorities.',
};

const windows: TryClient = {
  id: 'windows',
  label: 'Windows',
  trust: 'windows',
  untried: true,
  snippets: ({ url, host }) => [
    {
      title: 'Generate a key and a CSR',
      place: 'request.inf',
      text: joinLines(
        '[NewRequest]',
        `Subject = "CN=${host}"`,
        'KeyLength = 2048',
        'MachineKeySet = TRUE',
        'RequestType = PKCS10',
      ),
    },
    {
      title: 'Get the certificate',
      place: 'Command prompt, as administrator',
      text: joinLines(
        'certreq -new request.inf request.csr',
        `curl --fail-with-body -u USER:PASSWORD -H "Content-Type: application/pkcs10" --data-binary @request.csr -o answer.p7b ${url}/simpleenroll`,
        'certreq -accept answer.p7b',
      ),
    },
  ],
  remark: 'The key stays in the machine store.',
};

export const estClients = [curl, strongswan, cisco, windows] as const;

export function estSecretStep({ oneTimePasswords }: Pick<EstProfile, 'oneTimePasswords'>): SecretStep {
  return {
    title: 'Get a password',
    text: oneTimePasswords
      ? 'Replace USER and PASSWORD with the credentials of a one-time password, or of a user of the profile.'
      : 'Replace USER and PASSWORD with the credentials of a user of the profile.',
    takesOneTime: oneTimePasswords,
  };
}
