// Servers with a built-in ACME client, and nginx with certbot.
import { certbotFlags, certbotRenewal } from './commands.ts';
import { command, joinLines, ROOT_FILE, quoteWord, type AcmeClient } from './setup.ts';

export const caddy: AcmeClient = {
  id: 'caddy',
  label: 'Caddy',
  trust: 'file',
  snippets: ({ directoryUrl, names, email, externalKey }) => [
    {
      title: 'Set the directory in the site block',
      place: 'Caddyfile',
      text: joinLines(
        `${names.join(', ')} {`,
        '  tls {',
        '    issuer acme {',
        `      dir ${directoryUrl}`,
        `      email ${email}`,
        externalKey && `      eab ${externalKey.keyId} ${externalKey.macKey}`,
        `      trusted_roots ${ROOT_FILE}`,
        '    }',
        '  }',
        '}',
      ),
      after: 'Reload Caddy; it gets the certificate immediately.',
    },
  ],
  renewal: 'Caddy renews automatically.',
};

export const nginx: AcmeClient = {
  id: 'nginx',
  label: 'nginx',
  trust: 'file',
  snippets: ({ directoryUrl, names, email, externalKey }) => [
    {
      title: 'Get the certificate',
      before:
        'certbot obtains the certificate through the running nginx and adds it to the configuration. This requires the python3-certbot-nginx package and a server block for each name.',
      place: 'Shell',
      text: command(
        `sudo REQUESTS_CA_BUNDLE=${ROOT_FILE} certbot --nginx`,
        `--server ${directoryUrl}`,
        `--agree-tos -m ${quoteWord(email)}`,
        ...(externalKey ? certbotFlags(externalKey) : []),
        names.map((name) => `-d ${quoteWord(name)}`).join(' '),
      ),
    },
    certbotRenewal,
  ],
  renewal: 'The certbot packages install a timer that renews the certificate and reloads nginx.',
};

export const apache: AcmeClient = {
  id: 'apache',
  label: 'Apache',
  trust: 'file',
  snippets: ({ directoryUrl, names, email, externalKey }) => [
    {
      title: 'Configure mod_md for the names',
      place: 'Apache configuration',
      text: joinLines(
        `MDCertificateAuthority ${directoryUrl}`,
        'MDCertificateAgreement accepted',
        `MDCACertificateFile ${ROOT_FILE}`,
        `MDContactEmail ${email}`,
        externalKey && `MDExternalAccountBinding ${externalKey.keyId} ${externalKey.macKey}`,
        `MDomain ${names.join(' ')}`,
      ),
      after: 'Restart Apache gracefully, and again once the certificate has been issued.',
    },
  ],
  renewal: 'mod_md renews automatically; a graceful restart activates the new certificate.',
};

export const traefik: AcmeClient = {
  id: 'traefik',
  label: 'Traefik',
  trust: 'file',
  snippets: ({ directoryUrl, email, externalKey }) => [
    {
      title: 'Add a resolver to the static configuration',
      place: 'traefik.yml',
      text: joinLines(
        'certificatesResolvers:',
        '  signetry:',
        '    acme:',
        `      caServer: ${directoryUrl}`,
        `      caCertificates: [${ROOT_FILE}]`,
        `      email: ${email}`,
        ...(externalKey
          ? ['      eab:', `        kid: ${externalKey.keyId}`, `        hmacEncoded: ${externalKey.macKey}`]
          : []),
        '      storage: acme.json',
        '      httpChallenge:',
        '        entryPoint: web',
      ),
      after: 'The entry point “web” listens on port 80. Routers reference the resolver as tls.certResolver: signetry.',
    },
  ],
  renewal: 'Traefik renews automatically.',
  untried: true,
};

export const certManager: AcmeClient = {
  id: 'cert-manager',
  label: 'cert-manager',
  trust: 'snippet',
  snippets: ({ directoryUrl, names, email, externalKey, rootBase64 }) => [
    ...(externalKey
      ? [
          {
            title: 'Store the external account key',
            place: 'Shell',
            text: command(
              'kubectl create secret generic signetry-eab',
              '--namespace cert-manager',
              `--from-literal=secret=${externalKey.macKey}`,
            ),
          },
        ]
      : []),
    {
      title: 'Create a cluster issuer',
      before: 'The cluster issuer contains the root certificate.',
      place: 'issuer.yaml',
      text: joinLines(
        'apiVersion: cert-manager.io/v1',
        'kind: ClusterIssuer',
        'metadata:',
        '  name: signetry',
        'spec:',
        '  acme:',
        `    server: ${directoryUrl}`,
        `    email: ${email}`,
        ...(externalKey
          ? [
              '    externalAccountBinding:',
              `      keyID: ${externalKey.keyId}`,
              '      keySecretRef:',
              '        name: signetry-eab',
              '        key: secret',
            ]
          : []),
        '    privateKeySecretRef:',
        '      name: signetry-account',
        '    solvers:',
        '      - http01:',
        '          ingress:',
        '            ingressClassName: nginx',
        `    caBundle: ${rootBase64}`,
      ),
    },
    {
      title: 'Request the certificate',
      place: 'certificate.yaml',
      text: joinLines(
        'apiVersion: cert-manager.io/v1',
        'kind: Certificate',
        'metadata:',
        `  name: ${names[0].replaceAll(/[^a-z0-9-]+/gi, '-')}`,
        'spec:',
        `  secretName: ${names[0].replaceAll(/[^a-z0-9-]+/gi, '-')}-tls`,
        '  issuerRef:',
        '    name: signetry',
        '    kind: ClusterIssuer',
        '  dnsNames:',
        ...names.map((name) => `    - ${JSON.stringify(name)}`),
      ),
    },
  ],
  renewal: 'cert-manager renews automatically.',
  untried: true,
};
