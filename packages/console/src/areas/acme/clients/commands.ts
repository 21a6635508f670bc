// Command-line clients: certbot, acme.sh, lego, win-acme.
import { command, joinLines, ROOT_FILE, quoteWord, type AcmeClient, type ExternalKey } from './setup.ts';

export const certbotFlags = ({ keyId, macKey }: ExternalKey): readonly string[] => [
  `--eab-kid ${keyId}`,
  `--eab-hmac-key ${macKey}`,
];

/** Snippet that sets the environment of the timer that the certbot packages install. */
export const certbotRenewal = {
  title: 'Trust the directory on renewal',
  before: 'certbot remembers the directory URL, but not the environment variable set above.',
  place: '/etc/systemd/system/certbot.service.d/signetry.conf',
  text: joinLines('[Service]', `Environment=REQUESTS_CA_BUNDLE=${ROOT_FILE}`),
};

export const certbot: AcmeClient = {
  id: 'certbot',
  label: 'certbot',
  trust: 'file',
  snippets: ({ directoryUrl, names, email, externalKey }) => [
    {
      title: 'Get the certificate',
      before: 'Port 80 must be free while this runs.',
      place: 'Shell',
      text: command(
        `sudo REQUESTS_CA_BUNDLE=${ROOT_FILE} certbot certonly --standalone`,
        `--server ${directoryUrl}`,
        `--agree-tos -m ${quoteWord(email)}`,
        ...(externalKey ? certbotFlags(externalKey) : []),
        names.map((name) => `-d ${quoteWord(name)}`).join(' '),
      ),
      after: `The key and the certificate are in /etc/letsencrypt/live/${names[0]}.`,
    },
    certbotRenewal,
  ],
  renewal: 'The certbot packages install a timer that runs “certbot renew” twice a day.',
};

export const acmeSh: AcmeClient = {
  id: 'acme.sh',
  label: 'acme.sh',
  trust: 'file',
  snippets: ({ directoryUrl, names, email, externalKey }) => [
    {
      title: 'Register the account (once)',
      place: 'Shell',
      text: command(
        'acme.sh --register-account',
        `--server ${directoryUrl}`,
        `--ca-bundle ${ROOT_FILE}`,
        `-m ${quoteWord(email)}`,
        ...(externalKey ? certbotFlags(externalKey) : []),
      ),
    },
    {
      title: 'Get the certificate',
      before: 'Port 80 must be free while this runs.',
      place: 'Shell',
      text: command(
        'acme.sh --issue --standalone',
        `--server ${directoryUrl}`,
        `--ca-bundle ${ROOT_FILE}`,
        names.map((name) => `-d ${quoteWord(name)}`).join(' '),
      ),
    },
  ],
  renewal: 'acme.sh renews with the cron job that its installer created.',
  untried: true,
};

export const legoFlags = ({ keyId, macKey }: ExternalKey): readonly string[] => [
  `--eab --kid ${keyId}`,
  `--hmac ${macKey}`,
];

export const lego: AcmeClient = {
  id: 'lego',
  label: 'lego',
  trust: 'file',
  snippets: ({ directoryUrl, names, email, externalKey }) => {
    const call = (verb: string): string =>
      command(
        `LEGO_CA_CERTIFICATES=${ROOT_FILE} lego`,
        `--server ${directoryUrl}`,
        `--accept-tos --email ${quoteWord(email)}`,
        ...(externalKey ? legoFlags(externalKey) : []),
        `--http ${names.map((name) => `--domains ${quoteWord(name)}`).join(' ')}`,
        verb,
      );
    return [
      {
        title: 'Get the certificate',
        before: 'Port 80 must be free while this runs.',
        place: 'Shell',
        text: call('run'),
        after: 'The key and the certificate are in .lego/certificates.',
      },
      {
        title: 'Renew the certificate',
        before: 'Run this daily, from cron or a timer.',
        place: 'Shell',
        text: call('renew'),
      },
    ];
  },
  renewal: 'lego renews only when you run it and renewal is due.',
};

export const winAcme: AcmeClient = {
  id: 'win-acme',
  label: 'win-acme',
  trust: 'windows',
  snippets: ({ directoryUrl, names, email, externalKey }) => [
    {
      title: 'Get the certificate',
      place: 'Command prompt, as administrator',
      text: [
        `wacs --baseuri ${directoryUrl}`,
        `--source manual --host ${names.join(',')}`,
        `--accepttos --emailaddress ${email}`,
        ...(externalKey ? [`--eab-key-identifier ${externalKey.keyId} --eab-key ${externalKey.macKey}`] : []),
      ].join(' ^\n  '),
    },
  ],
  renewal: 'win-acme creates a scheduled task for renewal.',
  untried: true,
};
