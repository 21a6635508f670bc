// SCEP clients and the commands to set them up.
import { command, joinLines, quoteWord } from '../acme/clients/setup.ts';
import type { ScepProfile } from '../../queries/protocols.ts';
import type { SecretStep, TryClient } from '../protocols/try-it/client.ts';

const PLAIN = 'SCEP messages are themselves encrypted and signed, so plain HTTP is sufficient.';

const sscep: TryClient = {
  id: 'sscep',
  label: 'sscep',
  trust: 'itself',
  untried: true,
  snippets: ({ url, host }) => [
    {
      title: 'Generate a key and a CSR',
      place: 'Shell',
      text: joinLines(
        `printf '[req]\\nprompt=no\\ndistinguished_name=dn\\nattributes=at\\n[dn]\\nCN=${host}\\n[at]\\nchallengePassword=CHALLENGE\\n' > request.cnf`,
        'openssl req -new -newkey rsa:2048 -nodes -config request.cnf -keyout device.key -out device.csr',
      ),
    },
    { title: 'Get the RA certificate', place: 'Shell', text: `sscep getca -u ${url} -c ca.pem` },
    {
      title: 'Get the certificate',
      before: 'If ca.pem-0, ca.pem-1 and so on were written, specify the file with the RA certificate in -c.',
      place: 'Shell',
      text: command(
        `sscep enroll -u ${url}`,
        '-c ca.pem -k device.key -r device.csr',
        '-E aes -S sha256 -l device.pem',
      ),
    },
  ],
  remark: `sscep supports plain HTTP only. ${PLAIN}`,
};

const scepclient: TryClient = {
  id: 'scepclient',
  label: 'scepclient',
  trust: 'itself',
  snippets: ({ url, host }) => [
    {
      title: 'Get the certificate',
      before: 'Client of the micromdm project (Debian package: scep). It generates the key device.key.',
      place: 'Shell',
      text: joinLines(
        `curl -s '${url}?operation=GetCACert' -o ca.p7`,
        `openssl pkcs7 -inform DER -in ca.p7 -print_certs | openssl x509 -outform DER -out ca.der`,
        command(
          `scepclient -server-url ${url}`,
          '-ca-fingerprint "$(sha256sum ca.der | cut -c1-64)"',
          `-cn ${quoteWord(host)} -challenge CHALLENGE`,
          '-private-key device.key -certificate device.pem',
        ),
      ),
    },
  ],
  remark:
    'scepclient supports only DES and SHA-1: allow weak algorithms in the profile. Run it again with the same files to renew.',
};

const strongswan: TryClient = {
  id: 'strongswan',
  label: 'strongSwan',
  trust: 'itself',
  snippets: ({ url, host }) => [
    {
      title: 'Get the CA and RA certificates',
      place: 'Shell',
      text: `pki --scepca --url ${url} --caout ca.der --raout ra.der`,
    },
    {
      title: 'Get the certificate',
      place: 'Shell',
      text: joinLines(
        'pki --gen --type rsa --size 2048 --outform pem > device.key',
        command(
          `pki --scep --url ${url}`,
          `--in device.key --dn ${quoteWord(`CN=${host}`)} --san ${quoteWord(host)}`,
          '--password CHALLENGE --cacert-enc ra.der --cacert-sig ra.der --cacert ca.der',
          '--outform pem > device.pem',
        ),
      ),
    },
  ],
  remark: `strongSwan 5.9.8 or later, with the curl plugin. To renew, replace --password with --cert device.pem --key device.key, and specify a new key in --in. ${PLAIN}`,
};

const certmonger: TryClient = {
  id: 'certmonger',
  label: 'certmonger',
  trust: 'itself',
  snippets: ({ url, host, profile }) => [
    {
      title: 'Get the certificate',
      before: 'certmonger generates the key, and renews the certificate automatically before it expires.',
      place: 'Shell, as root',
      text: joinLines(
        `getcert add-scep-ca -c ${profile} -u ${url}`,
        command(
          `getcert request -w -c ${profile} -I device`,
          `-k /etc/ssl/private/device.key -f /etc/ssl/certs/device.pem -N ${quoteWord(`CN=${host}`)} -D ${quoteWord(host)} -L CHALLENGE`,
        ),
        'getcert list -i device',
      ),
    },
  ],
  remark: `For HTTPS, specify the root certificate with -R, and also add it to the trust store of the system. ${PLAIN}`,
};

const cisco: TryClient = {
  id: 'cisco',
  label: 'Cisco IOS',
  trust: 'itself',
  untried: true,
  snippets: ({ url, host, profile }) => [
    {
      title: 'Set up a trustpoint',
      place: 'IOS, configuration mode',
      text: joinLines(
        `crypto key generate rsa general-keys label ${profile} modulus 2048`,
        `crypto pki trustpoint ${profile}`,
        ` enrollment url ${url}`,
        ` subject-name CN=${host}`,
        ` fqdn ${host}`,
        ` rsakeypair ${profile}`,
        ' password CHALLENGE',
        ' hash sha256',
        ' auto-enroll 80',
        ' exit',
      ),
    },
    {
      title: 'Get the certificate',
      before: 'The first command shows the fingerprint of the CA certificate; verify it.',
      place: 'IOS, configuration mode',
      text: joinLines(`crypto pki authenticate ${profile}`, `crypto pki enroll ${profile}`),
    },
  ],
  remark: `With auto-enroll, the router renews after 80% of the validity period. ${PLAIN}`,
};

const juniper: TryClient = {
  id: 'juniper',
  label: 'Juniper Junos',
  trust: 'itself',
  untried: true,
  snippets: ({ url, host, profile }) => [
    {
      title: 'Set the URL',
      place: 'Junos, configuration mode',
      text: joinLines(
        `set security pki ca-profile ${profile} ca-identity ${profile}`,
        `set security pki ca-profile ${profile} enrollment url ${url}`,
        'commit',
      ),
    },
    {
      title: 'Get the certificate',
      place: 'Junos, operational mode',
      text: joinLines(
        `request security pki ca-certificate enroll ca-profile ${profile}`,
        'request security pki generate-key-pair certificate-id device size 2048 type rsa',
        `request security pki local-certificate enroll scep ca-profile ${profile} certificate-id device challenge-password CHALLENGE domain-name ${host} subject CN=${host}`,
      ),
    },
  ],
  remark: PLAIN,
};

const mikrotik: TryClient = {
  id: 'mikrotik',
  label: 'MikroTik',
  trust: 'itself',
  untried: true,
  snippets: ({ url, host }) => [
    {
      title: 'Get the certificate',
      place: 'RouterOS terminal',
      text: joinLines(
        `/certificate add name=device common-name=${host} key-size=2048`,
        `/certificate add-scep template=device scep-url="${url}" challenge-password=CHALLENGE`,
        '/certificate print detail',
      ),
    },
  ],
  remark: `RouterOS renews automatically. Old versions support only 3DES and SHA-1: allow weak algorithms in the profile. ${PLAIN}`,
};

const windows: TryClient = {
  id: 'windows',
  label: 'Windows and device managers',
  trust: 'itself',
  untried: true,
  snippets: ({ url, host }) => [
    {
      title: 'Enter these settings in the SCEP profile of the device manager',
      before: 'Windows, Apple and Android devices get SCEP certificates through their device manager.',
      place: 'SCEP profile',
      text: joinLines(
        `URL: ${url}`,
        `Subject: CN=${host}`,
        'Challenge: CHALLENGE',
        'Key size: 2048',
        'Key usage: digital signature, key encipherment',
        'Hash: SHA-2',
      ),
    },
  ],
  remark: 'Devices also need the root certificate of the CA in the same profile.',
};

export const scepClients = [sscep, scepclient, strongswan, certmonger, cisco, juniper, mikrotik, windows] as const;

export function scepSecretStep(
  profile: Pick<ScepProfile, 'oneTimeChallenges' | 'hasChallengePassword' | 'challengeWebhookUrl'>,
): SecretStep {
  const takesOneTime = profile.oneTimeChallenges === true;
  const title = 'Get a challenge password';
  if (takesOneTime) return { title, takesOneTime, text: 'Replace CHALLENGE with a one-time challenge password.' };
  if (profile.hasChallengePassword)
    return { title, takesOneTime, text: 'Replace CHALLENGE with the challenge password of the profile.' };
  if (profile.challengeWebhookUrl)
    return {
      title,
      takesOneTime,
      text: 'Replace CHALLENGE with a challenge password that your validation server accepts.',
    };
  return {
    title,
    takesOneTime,
    text: 'This profile does not use a challenge password; omit CHALLENGE and its option.',
  };
}
