// The terms of the product, for the glossary page and for docs/reference/glossary.md.

export interface Term {
  readonly term: string;
  /** One or two sentences. */
  readonly definition: string;
  /** Source of the term; `interface` is the published API. Absent if the term is defined by this product. */
  readonly source?: string;
  /** Words with the same meaning that are not used. */
  readonly avoid?: string;
}

/** In alphabetical order. */
export const terms: readonly Term[] = [
  {
    term: 'access token',
    definition: 'Secret with which a client authenticates to the API.',
    source: 'RFC 6750',
    avoid: 'token (on its own)',
  },
  {
    term: 'ACME profile',
    definition:
      'Directory of the ACME server with its rules and accounts. It issues certificates under its RA profile.',
    source: 'interface',
    avoid: 'ACME directory profile',
  },
  {
    term: 'action',
    definition: 'Effect of a rule when its conditions match: set a value, send a notification, run an operation.',
    source: 'interface',
  },
  {
    term: 'actor',
    definition: 'User, protocol server, connector or platform that performs an operation. Recorded in the audit log.',
    avoid: 'who',
  },
  { term: 'approval', definition: 'Decision by users that a pending operation waits for.', source: 'interface' },
  {
    term: 'approval profile',
    definition:
      'Who must approve an operation, in which order, and within which time. It takes effect when it is assigned to an RA profile.',
    source: 'interface',
  },
  {
    term: 'attribute',
    definition:
      'Typed, named value of an object: data (defined by a connector), metadata (returned by it), custom (defined by an administrator), info, group.',
    source: 'interface',
  },
  { term: 'audit log', definition: 'Append-only record of operations, linked by a hash chain.' },
  {
    term: 'audit log head',
    definition: 'Hash and number of the newest audit record of a node.',
    source: 'RFC 9162 (tree head)',
    avoid: 'end of the chain',
  },
  {
    term: 'authority',
    definition:
      'Certification authority behind a connector, as configured on the platform. It signs certificates that are requested under its RA profiles.',
    source: 'interface',
  },
  {
    term: 'background job',
    definition: 'Work that the platform runs on a schedule or when due, on one node at a time.',
    avoid: 'round, chore',
  },
  {
    term: 'CA certificate',
    definition: 'Certificate whose holder may sign certificates.',
    source: 'RFC 5280',
    avoid: 'certificate of the CA',
  },
  {
    term: 'callback',
    definition: 'Request by which a form fetches choices or further fields from the connector that defines it.',
    source: 'interface',
    avoid: 'call-back',
  },
  {
    term: 'certificate',
    definition: 'Object in the inventory. A requested certificate has no content until it is issued.',
    source: 'X.509',
  },
  {
    term: 'certification path, chain',
    definition: 'Certificate, issuer certificate and so on up to a trust anchor.',
    source: 'RFC 5280',
  },
  { term: 'challenge password', definition: 'One-time secret in a SCEP request.', source: 'RFC 8894' },
  { term: 'clock skew', definition: 'Tolerated difference between two clocks.', avoid: 'clocks differ by' },
  {
    term: 'CMP profile',
    definition: 'URL of the CMP server with its rules. It issues certificates under its RA profile.',
    source: 'interface',
  },
  {
    term: 'compliance profile',
    definition:
      'Set of compliance rules, assigned to RA profiles and token profiles. Their certificates, requests and keys are checked against the rules.',
    source: 'interface',
  },
  {
    term: 'connector',
    definition:
      'Service that implements one or more function groups of the connector interface, such as an authority or a discovery provider. Several connectors are built in; others are called over HTTP.',
    source: 'interface',
    avoid: 'provider service',
  },
  {
    term: 'credential',
    definition:
      'Stored secret with which connectors authenticate to other systems. Its content is encrypted and never returned.',
    source: 'interface',
  },
  {
    term: 'CRL URL, CRL distribution point',
    definition: 'URL from which a CRL can be fetched; the extension that names it.',
    source: 'RFC 5280',
    avoid: 'address of the list',
  },
  {
    term: 'CRL, CRL partition',
    definition: "Certificate revocation list; one of several CRLs that share a CA's certificates.",
    source: 'RFC 5280',
    avoid: 'list, shard',
  },
  {
    term: 'CSR',
    definition: 'Certificate signing request (PKCS #10): subject, public key, proof of possession.',
    source: 'RFC 2986',
    avoid: 'request (on its own)',
  },
  {
    term: 'custom attribute',
    definition:
      'Attribute that an administrator defines for a kind of object, such as a cost center. It appears in the forms and can be used in filters.',
    source: 'interface',
  },
  {
    term: 'delivery',
    definition: 'One attempt to send a notification through a notification provider, with its retries.',
  },
  {
    term: 'discovery',
    definition:
      'Search for certificates on networks, in files or in CT logs, and its result. Discovered certificates are added to the inventory.',
    source: 'interface',
    avoid: 'scan (of files)',
  },
  { term: 'distinguished name (DN)', definition: 'Name of a subject or issuer.', source: 'X.501' },
  {
    term: 'enrollment request',
    definition: 'Request received over CMP, SCEP or EST.',
    source: 'RFC 7030',
    avoid: 'enrollment',
  },
  {
    term: 'entity',
    definition: 'System that uses certificates, managed through a connector. The console calls it a target.',
    source: 'interface',
    avoid: 'server or store',
  },
  {
    term: 'EST profile',
    definition: 'URL of the EST server with its rules. It issues certificates under its RA profile.',
  },
  {
    term: 'expiry, expires',
    definition: "End of a certificate's validity.",
    source: 'RFC 5280 (notAfter)',
    avoid: 'end, ends',
  },
  {
    term: 'external account binding (EAB)',
    definition: 'Key ID and MAC key with which an ACME client creates its account.',
    source: 'RFC 8555',
    avoid: 'external account key (for the procedure)',
  },
  { term: 'fingerprint', definition: 'SHA-256 of the DER encoding, in lowercase hex.' },
  {
    term: 'function group, kind',
    definition: 'Capability of a connector (authorityProvider), and the product that it supports (SoftwareCA).',
    source: 'interface',
  },
  {
    term: 'global metadata',
    definition: 'Connector metadata that is shown under one label everywhere. Promote an item to make it searchable.',
    source: 'interface',
  },
  {
    term: 'group',
    definition: 'Set of certificates, keys and users, for permissions and ownership.',
    source: 'interface',
  },
  { term: 'history', definition: 'Recorded changes of one certificate or key.', source: 'interface' },
  { term: 'idempotency key', definition: 'Identifier of an operation; repeating it returns the same result.' },
  { term: 'inventory', definition: 'All certificates that the platform knows.', avoid: 'estate' },
  { term: 'issuer', definition: 'CA that signed a certificate or CRL.', source: 'RFC 5280' },
  { term: 'key', definition: 'Private, public or secret key in a token.', source: 'interface' },
  { term: 'lease', definition: 'Time-limited right of one node to do a piece of work.' },
  {
    term: 'location',
    definition:
      'Place in a target that holds certificates, such as a file, a key store alias or a Kubernetes secret. The platform pushes certificates to it and renews them there.',
    source: 'interface',
    avoid: 'place',
  },
  { term: 'node', definition: 'One running process of the platform. Several nodes share a database.' },
  {
    term: 'notification profile',
    definition: 'Who is notified, through which provider, and how often. Rules refer to it to send notifications.',
    source: 'interface',
  },
  {
    term: 'notification provider',
    definition: 'Configured instance of a notification connector: SMTP server, webhook.',
    source: 'interface',
    avoid: 'way',
  },
  { term: 'OCSP response', definition: 'Signed status of a certificate.', source: 'RFC 6960', avoid: 'answer' },
  {
    term: 'operation',
    definition: 'Method and path of the API; or a pending issuance, renewal, rekey or revocation.',
    source: 'interface',
    avoid: 'interface (for API)',
  },
  { term: 'owner', definition: 'User who is responsible for a certificate or key.', source: 'interface' },
  {
    term: 'permission',
    definition: 'Right to perform an action on a resource, granted by a role.',
    source: 'interface',
    avoid: 'may, right',
  },
  {
    term: 'RA profile',
    definition:
      'How certificates are issued under an authority: attributes, limits, validation and protocols. Each request names an RA profile, and permissions to issue are granted per RA profile.',
    source: 'interface',
  },
  { term: 'rejection', definition: 'Response that denies a request, with its reason.', avoid: 'refusal' },
  { term: 'rekey', definition: 'Issue a certificate for the same subject with a new key.', source: 'RFC 4210' },
  { term: 'renew', definition: 'Issue a certificate for the same subject and key.', source: 'interface' },
  { term: 'role', definition: 'Set of permissions that can be assigned to users.', source: 'interface' },
  {
    term: 'rule, trigger',
    definition: 'Conditions and actions; the event or schedule that evaluates rules.',
    source: 'interface',
    avoid: 'automation (for one rule)',
  },
  { term: 'saved view', definition: 'Stored search: filters, columns and sort order under a name.' },
  {
    term: 'SCEP profile',
    definition: 'URL of the SCEP server with its rules. It issues certificates under its RA profile.',
    source: 'interface',
  },
  {
    term: 'SCEP RA certificate',
    definition: 'Certificate with which the SCEP server signs and decrypts messages.',
    source: 'RFC 8894',
    avoid: 'certificate of the service',
  },
  {
    term: 'scheduled job',
    definition: 'Work that runs at times that an administrator chooses.',
    source: 'interface',
    avoid: 'schedule (for the list)',
  },
  {
    term: 'sealing key',
    definition: 'Key that encrypts secrets at rest. A sealed secret is encrypted under it.',
    source: 'Vault (seal)',
  },
  { term: 'serial number', definition: 'Number of a certificate, unique for its issuer.', source: 'RFC 5280' },
  {
    term: 'simulation',
    definition: 'Calculation of future renewals, for example under a 47-day validity limit.',
    avoid: 'simulation',
  },
  {
    term: 'subject alternative name (SAN)',
    definition: 'Name in the subjectAltName extension.',
    source: 'RFC 5280',
    avoid: 'alternative name',
  },
  {
    term: 'target',
    definition:
      'Server, device or store on which certificates are installed; the API calls it an entity. Its locations hold the certificates.',
  },
  {
    term: 'token',
    definition:
      'Software or hardware key store behind a cryptography connector, such as a PKCS #11 token or an HSM. It generates and holds keys, which never leave it.',
    source: 'PKCS #11',
  },
  {
    term: 'token profile',
    definition:
      'Rules for keys in a token: which algorithms and usages new keys can have, and who can use them. Each key belongs to one token profile.',
    source: 'interface',
  },
  {
    term: 'trust anchor',
    definition: 'Root at which path validation may end.',
    source: 'RFC 5280',
    avoid: 'trusted CA, root (where unclear)',
  },
  { term: 'undecided', definition: 'Outcome of an operation that is not known yet: the authority may have signed.' },
  {
    term: 'validation',
    definition: "Check of a certificate's chain, revocation and dates; or of control over an ACME identifier.",
    source: 'RFC 5280, RFC 8555',
  },
  {
    term: 'validity period',
    definition: 'Time from notBefore to notAfter.',
    source: 'RFC 5280',
    avoid: 'lifetime (of certificates, in labels)',
  },
];

/** Anchor of a term on the glossary page. */
export const anchorOf = (term: string): string => term.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
