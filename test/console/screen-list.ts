// The pages of the console, with the actions before each screenshot. Long because it is a table.
import type { Page } from 'playwright-core';
import type { AutomationSamples } from './sample-automations.ts';
import type { DiscoverySamples } from './sample-discoveries.ts';
import type { LocationSamples } from './sample-locations.ts';
import type { NotificationSamples } from './sample-notifications.ts';
import type { ProtocolSamples } from './sample-protocols.ts';
import type { Samples } from './sample-data.ts';

export interface Screen {
  readonly name: string;
  readonly path: string;
  /** Action on the page before its screenshot. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** Captures only the viewport, for overlays. */
  readonly inSight?: boolean;
}

export interface AllSamples extends Samples {
  readonly automations: AutomationSamples;
  readonly discoveries: DiscoverySamples;
  readonly locations: LocationSamples;
  readonly notifications: NotificationSamples;
  readonly protocols: ProtocolSamples;
}

/** Every page, in each state that looks different. */
export const screens = (samples: AllSamples): readonly Screen[] => [
  ...overview,
  ...notifications(samples.notifications),
  ...changesOfCertificates,
  ...certificates(samples),
  ...discoveries(samples.discoveries),
  ...automations(samples.automations),
  ...locations(samples.locations),
  ...compliance,
  ...insights,
  ...issuing(samples),
  ...authorities(samples),
  ...keys(samples),
  ...acme(samples),
  ...protocols(samples.protocols),
  ...connectors(samples),
  ...attributes(samples),
  ...oids(samples),
  ...approvals(samples),
  ...settings(samples),
  ...access(samples),
  { name: 'not-found', path: '/nowhere' },
];

/** Pages for users who are not signed in. */
export const publicScreens: readonly Screen[] = [
  { name: 'sign-in', path: '/' },
  { name: 'login', path: '/login' },
  { name: 'api-docs', path: '/api/docs', inSight: true },
];

const click = (role: 'button' | 'link', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).click();
const paste = (text: string) => async (page: Page) => {
  await page.getByText('I have a CSR').click();
  await page.getByRole('textbox', { name: 'Certificate signing request' }).fill(text);
};
const name = async (page: Page, text: string) => {
  await page.getByRole('combobox', { name: 'Names' }).fill(text);
  await page.keyboard.press('Enter');
};

const make = async (page: Page, button: string) => {
  await page.getByRole('button', { name: button }).click();
  await page.getByText('Save the private key now').waitFor();
};
/** The overview of a new installation. */
const showAsNew = async (page: Page) => {
  await page.route('**/api/v1/statistics*', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), totalCertificates: 3 } });
  });
  await page.reload({ waitUntil: 'networkidle' });
};

const overview: readonly Screen[] = [
  { name: 'overview', path: '/' },
  { name: 'overview-archived', path: '/?includeArchived=true' },
  { name: 'overview-new', path: '/', act: showAsNew },
  { name: 'account-menu', path: '/', act: (page) => page.getByRole('button', { name: /account/ }).click(), inSight: true },
  { name: 'menu', path: '/', act: async (page) => {
    const burger = page.getByRole('button', { name: 'Menu', exact: true });
    if (await burger.isVisible()) await burger.click();
  }, inSight: true },
  { name: 'session-ended', path: '/acme/new', act: async (page) => {
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('kept');
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 401, json: { message: 'Session ended.' } }));
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  }, inSight: true },
  { name: 'keys', path: '/', act: async (page) => {
    await page.keyboard.press('Shift+?');
    await page.getByRole('dialog').waitFor();
  }, inSight: true },
  { name: 'palette', path: '/', act: async (page) => {
    await page.getByRole('button', { name: 'Search certificates or go to…' }).click();
    await page.getByRole('combobox', { name: /^Search certificates/ }).fill('example');
    await page.getByRole('option').nth(2).waitFor();
  }, inSight: true },
]; // prettier-ignore

const notifications = ({ provider, profile, refused }: NotificationSamples): readonly Screen[] => [
  { name: 'inbox', path: '/notifications' },
  { name: 'notification-providers', path: '/notification-providers' },
  { name: 'notification-provider-new', path: '/notification-providers/new', act: (page) => page.getByRole('radio', { name: 'Webhook' }).check() },
  { name: 'notification-profiles', path: '/notification-profiles' },
  { name: 'notification-profile-new', path: '/notification-profiles/new' },
  { name: 'notification-provider', path: `/notification-providers/${provider}` },
  { name: 'notification-profile', path: `/notification-profiles/${profile}` },
  { name: 'deliveries', path: '/deliveries' },
  { name: 'deliveries-none', path: '/deliveries?event=approval_closed&within=day' },
  { name: 'delivery', path: `/deliveries/${refused}` },
  { name: 'bell', path: '/', act: async (page) => {
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page.getByRole('dialog').waitFor();
  }, inSight: true },
]; // prettier-ignore

const showAsTable = (page: Page) => page.getByRole('button', { name: 'Show as table' }).first().click();

/** The page without any rules. */
const hideAutomations = async (page: Page) => {
  await page.route('**/api/x/v1/workflows/triggers', (route) => route.fulfill({ json: [] }));
  await page.reload({ waitUntil: 'networkidle' });
};

const automations = ({ discovered, shared }: AutomationSamples): readonly Screen[] => [
  { name: 'automation-list', path: '/automation' },
  { name: 'automation-empty', path: '/automation', act: hideAutomations },
  { name: 'automation-new', path: '/automation/new' },
  { name: 'automation-example', path: '/automation/new?example=issuer-to-group' },
  { name: 'automation-edit-shared', path: `/automation/${shared}/edit` },
  { name: 'automation-one', path: `/automation/${discovered}`, act: async (page) => {
    await page.getByRole('list', { name: 'History' }).locator('summary').first().click();
  } },
  { name: 'automation-parts', path: '/automation/parts?tab=conditions' },
]; // prettier-ignore

const insights: readonly Screen[] = [
  { name: 'insights-expiry', path: '/insights' },
  { name: 'insights-month', path: '/insights?month=2000-01' },
  { name: 'insights-expiry-table', path: '/insights', act: showAsTable },
  { name: 'insights-renewals', path: '/insights?tab=renewals&outcome=never' },
  { name: 'insights-unattended', path: '/insights?tab=unattended&days=365' },
  { name: 'insights-simulation', path: '/insights?tab=simulation' },
  { name: 'insights-simulation-own', path: '/insights?tab=simulation&lifetime=10' },
  { name: 'insights-lifetimes', path: '/insights?tab=lifetimes' },
  { name: 'insights-lifetimes-table', path: '/insights?tab=lifetimes', act: showAsTable },
  { name: 'insights-keys', path: '/insights?tab=keys' },
  { name: 'insights-quantum', path: '/insights?tab=quantum' },
  { name: 'insights-issuers', path: '/insights?tab=issuers' },
  { name: 'insights-issuers-chain', path: '/insights?tab=issuers', act: async (page) => {
    // In the chart, or in the table that is the default on phones.
    await page.getByRole('link', { name: /^Signetry Root/ }).first().click();
    await page.getByRole('region', { name: /^Chain of/ }).waitFor();
  } },
  { name: 'insights-issuers-other-form', path: '/insights?tab=issuers', act: click('button', /^Show as/) },
  { name: 'insights-owners', path: '/insights?tab=owners' },
]; // prettier-ignore

/** Health of a connector with failing dependencies. */
const AILING = {
  status: 'nok',
  parts: {
    database: { status: 'ok' },
    'مخزن المفاتيح': { status: 'nok', description: 'The slot has returned CKR_DEVICE_ERROR since 10:31.', parts: {
      'hsm-eu-central-1-blue-green-canary-platform-internal-example-without-any-place-to-break': { status: 'nok', parts: { network: { status: 'unknown' } } },
      'slot 4': { status: 'ok' },
    } },
  },
}; // prettier-ignore

/** Filters in the form used by links and chips. */
const FILTERS = [
  { fieldSource: 'property', fieldIdentifier: 'NOT_AFTER', condition: 'IN_NEXT', value: 'P700D' },
  { fieldSource: 'property', fieldIdentifier: 'CERTIFICATE_STATE', condition: 'EQUALS', value: ['issued', 'revoked'] },
  { fieldSource: 'property', fieldIdentifier: 'SUCCEEDING_CERTIFICATES', condition: 'EMPTY' },
];

const listed = (search: Readonly<Record<string, unknown>>): string =>
  `/certificates?${new URLSearchParams(Object.entries(search).map(([key, value]) => [key, JSON.stringify(value)]))}`;

const MANY_FILTERS = [
  { fieldSource: 'property', fieldIdentifier: 'NOT_AFTER', condition: 'IN_NEXT', value: 'P2Y' },
  { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', condition: 'CONTAINS', value: ['example', 'shop'] },
  { fieldSource: 'property', fieldIdentifier: 'KEY_USAGE', condition: 'EQUALS', value: ['digitalSignature'] },
  { fieldSource: 'property', fieldIdentifier: 'GROUP_NAME', condition: 'COUNT_LESS_THAN', value: 9 },
  { fieldSource: 'property', fieldIdentifier: 'SUBJECTDN', condition: 'MATCHES', value: 'CN=.*' },
  { fieldSource: 'property', fieldIdentifier: 'TRUSTED_CA', condition: 'EQUALS', value: false },
];

const EVERY_COLUMN = [
  'fingerprint',
  'state',
  'owner',
  'groups',
  'subject',
  'issuerDn',
  'serial',
  'expires',
  'protocol',
  'trusted',
];

/** One view has a long name; the views appear on the next visit. */
const saveViews = (page: Page) =>
  page.evaluate(async () => {
    for (const name of [
      'Expires soon, not replaced',
      'Web servers of the shop in Frankfurt, Milan and Wrocław',
      'Revoked',
    ])
      await fetch('/api/x/v1/savedViews', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
        body: JSON.stringify({ resource: 'certificates', name, search: { text: 'example' } }),
      });
  });

const CHANGE = '01a207d4-6f5a-79d8-bbf6-b4b2b6832150';
const NAME_FILTER = {
  fieldSource: 'property',
  fieldIdentifier: 'COMMON_NAME',
  condition: 'CONTAINS',
  value: 'old.example',
};
/** In progress, completed with rejections, stopped: none of them lasts long enough for a screenshot. */
const changes = () => [
  { uuid: CHANGE, kind: 'delete', selection: { filters: [NAME_FILTER] }, total: 48_210, changed: 17_500, refused: 2, requestedBy: 'admin', startedAt: new Date(Date.now() - 90_000).toISOString(), stoppable: true },
  { uuid: CHANGE.replace('01', '02'), kind: 'update', assigned: { owner: 'alice', groups: ['web servers', 'mail'] }, total: 12, changed: 10, refused: 2, requestedBy: 'admin', startedAt: new Date(Date.now() - 7_200_000).toISOString(), finishedAt: new Date(Date.now() - 7_199_000).toISOString(), stoppable: false },
  { uuid: CHANGE.replace('01', '03'), kind: 'archive', selection: { text: 'staging', includeArchived: true }, total: 3_400, changed: 3_400, refused: 0, requestedBy: 'bob', startedAt: new Date(Date.now() - 86_400_000).toISOString(), finishedAt: new Date(Date.now() - 86_390_000).toISOString(), stoppable: false },
  { uuid: CHANGE.replace('01', '04'), kind: 'unarchive', total: 5_000, changed: 1_500, refused: 0, requestedBy: 'bob', startedAt: new Date(Date.now() - 96_400_000).toISOString(), finishedAt: new Date(Date.now() - 96_390_000).toISOString(), stoppedBy: 'admin', stoppable: false },
]; // prettier-ignore
const refusals = [
  { uuid: CHANGE.replace('01', '11'), name: 'signer.old.example', message: 'Cannot delete certificate signer.old.example: user carol signs in with it; assign a different certificate to the user first' },
  { uuid: CHANGE.replace('01', '12'), name: '', message: `Certificate ${CHANGE.replace('01', '12')} does not exist or is not visible to you.` },
]; // prettier-ignore
const withChanges = (at: number) => async (page: Page) => {
  await page.route('**/x/v1/certificates/changes', (route) => route.fulfill({ json: changes() }));
  await page.route('**/x/v1/certificates/changes/*', (route) =>
    route.fulfill({ json: { ...changes()[at], refusals } }),
  );
  await page.reload({ waitUntil: 'domcontentloaded' });
  await page
    .getByText(/36%|2 rejected/)
    .filter({ visible: true })
    .first()
    .waitFor();
};
const withDialog = (button: string, at: number) => async (page: Page) => {
  await page.route('**/x/v1/certificates/changes/*', (route) => route.fulfill({ json: { ...changes()[at], refusals } }));
  await page.getByRole('checkbox', { name: /^Select / }).nth(2).click();
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('dialog').getByRole('button', { name: button }).click();
  await page.getByRole('list', { name: 'Rejected certificates' }).waitFor();
}; // prettier-ignore

const changesOfCertificates: readonly Screen[] = [
  { name: 'changes', path: '/certificates/changes', act: withChanges(0) },
  { name: 'changes-empty', path: '/certificates/changes' },
  { name: 'change-running', path: `/certificates/changes/${CHANGE}`, act: withChanges(0) },
  { name: 'change-ended', path: `/certificates/changes/${CHANGE}`, act: withChanges(1) },
  { name: 'inventory-delete-running', path: '/certificates', act: withDialog('Delete', 0), inSight: true },
  { name: 'inventory-delete-refused', path: '/certificates', act: withDialog('Delete', 1), inSight: true },
  { name: 'inventory-assign', path: '/certificates', act: async (page) => {
    await page.getByRole('checkbox', { name: /^Select / }).nth(2).click();
    await page.getByRole('button', { name: 'Assign' }).click();
    await page.getByRole('dialog').waitFor();
    await page.getByRole('combobox', { name: 'Owner' }).fill('No owner');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).focus();
  }, inSight: true },
  { name: 'inventory', path: '/certificates' },
  { name: 'inventory-chosen', path: '/certificates', act: async (page) => {
    await page.getByRole('checkbox', { name: /^Select / }).nth(2).click();
  }, inSight: true },
  { name: 'inventory-delete', path: '/certificates', act: async (page) => {
    await page.getByRole('checkbox', { name: /^Select / }).nth(2).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor();
  }, inSight: true },
  { name: 'inventory-archive', path: '/certificates', act: async (page) => {
    await page.getByRole('checkbox', { name: /^Select / }).nth(2).click();
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('dialog').waitFor();
  }, inSight: true },
  { name: 'inventory-import', path: '/certificates', act: click('button', 'Import certificates'), inSight: true },
  { name: 'inventory-imported', path: '/certificates', act: async (page) => {
    await page.getByRole('button', { name: 'Import certificates' }).click();
    const buffer = Buffer.from('-----BEGIN PRIVATE KEY-----\nMAAA\n-----END PRIVATE KEY-----\n');
    await page.getByLabel('Certificate files').setInputFiles([
      { name: 'web-server.pem', mimeType: 'application/x-pem-file', buffer },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('nothing of use') },
    ]);
    await page.getByText('No certificates imported').waitFor();
  }, inSight: true },
  { name: 'certificates-compared', path: '/certificates', act: async (page) => {
    for (const place of [1, 2]) await page.getByRole('checkbox', { name: /^Select / }).nth(place).click();
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByRole('table', { name: 'Comparison' }).waitFor();
  } },
]; // prettier-ignore

const certificates = (samples: Samples): readonly Screen[] => [
  { name: 'inventory-empty', path: '/certificates?text=nothing' },
  { name: 'inventory-filtered', path: listed({ filters: MANY_FILTERS }) },
  { name: 'inventory-refused', path: listed({ filters: [{ ...MANY_FILTERS[0], value: 'soon' }] }) },
  { name: 'inventory-filters', path: listed({ filters: MANY_FILTERS }), act: async (page) => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('dialog', { name: 'Filters' }).waitFor();
    await page.getByRole('button', { name: 'Apply' }).focus();
  }, inSight: true },
  { name: 'inventory-fields', path: '/certificates', act: async (page) => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'Field of filter 1' }).click();
    await page.getByRole('option').first().waitFor();
  }, inSight: true },
  { name: 'inventory-columns', path: '/certificates', act: click('button', 'Choose columns'), inSight: true },
  { name: 'inventory-all-columns', path: listed({ columns: EVERY_COLUMN }) },
  { name: 'inventory-attribute-columns', path: listed({ text: 'example', columns: ['state', 'custom:contact|STRING', 'expires'] }), act: async (page) => {
    await page.getByRole('button', { name: 'Choose columns' }).click();
    await page.getByRole('checkbox', { name: 'Contact' }).waitFor();
  }, inSight: true },
  { name: 'inventory-views', path: '/certificates', act: async (page) => {
    await saveViews(page);
    await page.reload();
    await page.getByRole('button', { name: /^View/ }).click();
    await page.getByRole('menuitemradio').first().waitFor();
  }, inSight: true },
  { name: 'inventory-save-view', path: '/certificates?text=example', act: async (page) => {
    await page.getByRole('button', { name: /^View/ }).click();
    await page.getByRole('menuitem', { name: 'Save as new view…' }).click();
    await page.getByRole('dialog').waitFor();
  }, inSight: true },
  { name: 'certificate', path: `/certificates/${samples.valid}` },
  { name: 'certificate-revoked', path: `/certificates/${samples.revoked}` },
  { name: 'certificate-expired', path: `/certificates/${samples.expired}` },
  { name: 'certificate-root', path: `/certificates/${samples.root}` },
  { name: 'certificate-many-names', path: `/certificates/${samples.foreign.many}` },
  { name: 'certificate-deceiving', path: `/certificates/${samples.foreign.deceiving}` },
  { name: 'certificate-public-root', path: `/certificates/${samples.foreign.publicRoot}` },
  { name: 'certificate-extended', path: `/certificates/${samples.foreign.extended}` },
  { name: 'certificate-validated', path: `/certificates/${samples.valid}`, act: async (page) => {
    await page.getByRole('button', { name: 'Validate now' }).click();
    await page.getByText(/^Validated/).waitFor();
  } },
  { name: 'certificate-lineage', path: `/certificates/${samples.renewed}/lineage` },
  { name: 'certificate-print', path: `/certificates/${samples.valid}`, act: (page) => page.emulateMedia({ media: 'print' }) },
  { name: 'certificate-print-many-names', path: `/certificates/${samples.foreign.many}`, act: (page) => page.emulateMedia({ media: 'print' }) },
  { name: 'inventory-filtered', path: `/certificates?${new URLSearchParams({ filters: JSON.stringify(FILTERS) })}` },
  { name: 'certificate-download', path: `/certificates/${samples.valid}`, act: click('button', 'Download'), inSight: true },
  { name: 'renew', path: `/certificates/${samples.valid}`, act: click('button', 'Renew'), inSight: true },
  { name: 'revoke', path: `/certificates/${samples.valid}`, act: click('button', 'Revoke'), inSight: true },
]; // prettier-ignore

const issuing = (samples: Samples): readonly Screen[] => [
  { name: 'issue', path: '/issue' },
  { name: 'issue-names', path: '/issue', act: async (page) => {
    await name(page, 'app.example.com');
    await name(page, 'bad-.name');
  } },
  { name: 'issue-pasted', path: '/issue', act: paste(samples.request) },
  { name: 'issue-bad', path: '/issue', act: paste('-----BEGIN PRIVATE KEY-----') },
  { name: 'issued', path: '/issue', act: async (page) => {
    await name(page, 'made.example');
    await make(page, 'Issue certificate');
  } },
  { name: 'issued-pkcs12', path: '/issue', act: async (page) => {
    await name(page, 'packed.example');
    await make(page, 'Issue certificate');
    await page.getByRole('button', { name: 'Save as PKCS #12' }).click();
    await page.getByRole('button', { name: 'Save file' }).click();
  }, inSight: true },
  { name: 'issue-options', path: '/issue', act: async (page) => {
    await name(page, 'wished.example');
    await page.getByRole('button', { name: 'Show options' }).click();
    await page.getByRole('textbox', { name: 'Validity (days)' }).fill('soon');
    await page.getByRole('button', { name: 'Issue certificate' }).click();
  } },
  { name: 'rekey', path: `/certificates/${samples.valid}/rekey` },
  { name: 'rekeyed', path: `/certificates/${samples.valid}/rekey`, act: (page) => make(page, 'Rekey certificate') },
]; // prettier-ignore

const authorities = (samples: Samples): readonly Screen[] => [
  { name: 'authorities', path: '/authorities' },
  { name: 'authority', path: `/authorities/${samples.authority}` },
  { name: 'authority-new', path: '/authorities/new' },
  { name: 'ra-profiles', path: '/ra-profiles' },
  { name: 'ra-profile', path: `/ra-profiles/${samples.raProfile}` },
  { name: 'ra-profile-legacy', path: `/ra-profiles/${samples.connectors.legacyProfile}` },
  { name: 'end-entities', path: `/ra-profiles/${samples.connectors.legacyProfile}/end-entities` },
  { name: 'end-entity', path: `/ra-profiles/${samples.connectors.legacyProfile}/end-entities/${encodeURIComponent(samples.connectors.endEntity)}` },
  { name: 'end-entity-edit', path: `/ra-profiles/${samples.connectors.legacyProfile}/end-entities/alice/edit` },
  { name: 'end-entity-new', path: `/ra-profiles/${samples.connectors.legacyProfile}/end-entities/new`, act: async (page) => {
    await page.getByLabel(/^Username/).fill('alice');
    await page.getByLabel(/^Password/).fill('once');
    await page.getByRole('textbox', { name: 'Subject', exact: true }).fill('nonsense');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').waitFor();
  } },
  { name: 'authority-legacy-new', path: '/authorities/new', act: (page) => page.getByRole('radio', { name: 'SoftwareCALegacy' }).check() },
  { name: 'ra-profile-new', path: '/ra-profiles/new' },
  { name: 'notice', path: `/ra-profiles/${samples.raProfile}/edit`, act: async (page) => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('was saved').waitFor();
  }, inSight: true },
]; // prettier-ignore

const acme = (samples: Samples): readonly Screen[] => [
  { name: 'acme', path: '/acme' },
  { name: 'acme-profile', path: `/acme/${samples.acmeProfile}` },
  { name: 'acme-orders', path: `/acme/${samples.acmeProfile}?tab=orders` },
  { name: 'acme-orders-none', path: `/acme/${samples.acmeProfile}?tab=orders&status=processing` },
  { name: 'acme-accounts', path: `/acme/${samples.acmeProfile}?tab=accounts` },
  { name: 'acme-account', path: `/acme/${samples.acmeProfile}?tab=accounts`, act: async (page) => {
    await page.getByRole('table', { name: 'Accounts' }).getByRole('link').first().click();
    await page.getByRole('table', { name: 'Orders' }).waitFor();
  } },
  { name: 'acme-keys', path: `/acme/${samples.acmeProfile}?tab=keys` },
  { name: 'acme-settings', path: `/acme/${samples.acmeProfile}?tab=settings` },
  { name: 'acme-remove', path: `/acme/${samples.acmeProfile}`, act: async (page) => {
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Force removal' }).waitFor();
  }, inSight: true },
  { name: 'acme-new', path: '/acme/new' },
]; // prettier-ignore

const protocols = ({ cmp, scep, est }: ProtocolSamples): readonly Screen[] => [
  { name: 'cmp', path: '/cmp' },
  { name: 'cmp-profile', path: `/cmp/${cmp}` },
  { name: 'cmp-requests', path: `/cmp/${cmp}?tab=requests` },
  { name: 'cmp-secrets', path: `/cmp/${cmp}?tab=secrets` },
  { name: 'cmp-settings', path: `/cmp/${cmp}?tab=settings` },
  { name: 'cmp-secret-handed-out', path: `/cmp/${cmp}?tab=secrets`, act: async (page) => {
    await page.getByRole('button', { name: 'Create one-time secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText('Copy the one-time secret now').waitFor();
  }, inSight: true },
  { name: 'cmp-new', path: '/cmp/new' },
  { name: 'scep', path: '/scep' },
  { name: 'scep-profile', path: `/scep/${scep}` },
  { name: 'scep-cisco', path: `/scep/${scep}?client=cisco` },
  { name: 'scep-settings', path: `/scep/${scep}?tab=settings` },
  { name: 'scep-edit', path: `/scep/${scep}/edit` },
  { name: 'est', path: '/est' },
  { name: 'est-profile', path: `/est/${est}` },
  { name: 'est-settings', path: `/est/${est}?tab=settings` },
  { name: 'est-edit', path: `/est/${est}/edit` },
  { name: 'enrollments', path: '/enrollments' },
  { name: 'enrollments-none', path: '/enrollments?protocol=est&state=waiting' },
]; // prettier-ignore

const connectors = (samples: Samples): readonly Screen[] => [
  { name: 'connectors', path: '/connectors' },
  { name: 'connector', path: `/connectors/${samples.connector}` },
  { name: 'connector-health', path: `/connectors/${samples.connector}`, act: async (page) => {
    await page.route('**/health', (route) => route.fulfill({ json: AILING }));
    await page.getByRole('button', { name: 'Check health' }).click();
    await page.getByText('Unhealthy').first().waitFor();
  } },
  { name: 'connector-waiting', path: `/connectors/${samples.connectors.waiting}` },
  { name: 'connector-edit', path: `/connectors/${samples.connectors.waiting}/edit` },
  { name: 'connector-new', path: '/connectors/new' },
  { name: 'connector-refused', path: '/connectors/new', act: async (page) => {
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('software-authority');
    await page.getByRole('textbox', { name: 'URL' }).fill('http://169.254.169.254/latest');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('Connection failed').waitFor();
  } },
  { name: 'credential', path: `/credentials/${samples.connectors.credential}` },
  { name: 'credential-edit', path: `/credentials/${samples.connectors.credential}/edit`, act: async (page) => {
    await page.getByRole('combobox', { name: 'Vault token' }).click();
    await page.getByRole('option').nth(2).waitFor();
  } },
  { name: 'credentials', path: '/credentials' },
  { name: 'credential-new', path: '/credentials/new' },
]; // prettier-ignore

const compliance: readonly Screen[] = [
  { name: 'compliance', path: '/compliance' },
  { name: 'compliance-profiles', path: '/compliance/profiles' },
  { name: 'compliance-profile-new', path: '/compliance/profiles/new' },
  { name: 'compliance-rules', path: '/compliance/rules' },
  { name: 'compliance-rule-new', path: '/compliance/rules/new' },
];

const discoveries = ({ completed, warning, failed, searching, job }: DiscoverySamples): readonly Screen[] => [
  { name: 'discoveries', path: '/discoveries' },
  { name: 'discovery-new', path: '/discoveries/new' },
  { name: 'discovery-completed', path: `/discoveries/${completed}` },
  { name: 'discovery-compared', path: `/discoveries/${completed}?view=difference` },
  { name: 'discovery-findings', path: `/discoveries/${warning}?view=refused` },
  { name: 'discovery-failed', path: `/discoveries/${failed}` },
  { name: 'discovery-searching', path: `/discoveries/${searching}` },
  { name: 'discovery-scheduled', path: '/discoveries/new?when=scheduled' },
  { name: 'schedule', path: '/schedule' },
  { name: 'schedule-job', path: `/schedule/${job}` },
];

export const locations = (samples: LocationSamples): readonly Screen[] => [
  { name: 'entities', path: '/entities' },
  { name: 'entity-new', path: '/entities/new' },
  { name: 'entity', path: `/entities/${samples.entity}` },
  { name: 'entity-empty', path: `/entities/${samples.emptyEntity}` },
  { name: 'entity-edit', path: `/entities/${samples.entity}/edit` },
  { name: 'locations', path: '/locations' },
  { name: 'locations-filtered', path: '/locations?text=nowhere' },
  { name: 'location-new', path: `/locations/new?entity=${samples.entity}` },
  { name: 'location-served', path: samples.served, act: async (page) => {
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('The endpoint serves the installed certificate').waitFor();
  } },
  { name: 'location-not-served', path: samples.notServed, act: async (page) => {
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('The endpoint does not serve the installed certificate').waitFor();
  } },
  { name: 'location-failed', path: samples.failed },
  { name: 'location-empty', path: samples.empty },
  { name: 'location-disabled', path: samples.disabled },
  { name: 'location-endpoint', path: samples.served, inSight: true, act: (page) =>
    page.getByRole('button', { name: 'Edit endpoint' }).click(),
  },
  { name: 'location-edit', path: `${samples.served}/edit` },
  { name: 'location-issue', path: `${samples.empty}/issue` },
  { name: 'location-push', path: `${samples.empty}/push?certificate=${samples.certificate}` },
  { name: 'location-certificate', path: `/certificates/${samples.certificate}` },
]; // prettier-ignore

const EVERY_KEY_COLUMN = [
  'state',
  'type',
  'algorithm',
  'profile',
  'token',
  'owner',
  'groups',
  'associations',
  'usages',
  'created',
];

const keys = ({ keys: { token, inactiveToken, tokenProfile, key, secretKey, compromised, longNamed, authority } }: Samples): readonly Screen[] => [
  { name: 'tokens', path: '/tokens' },
  { name: 'token', path: `/tokens/${token}` },
  { name: 'token-inactive', path: `/tokens/${inactiveToken}` },
  { name: 'token-activate', path: `/tokens/${inactiveToken}`, act: click('button', 'Activate'), inSight: true },
  { name: 'token-deactivate', path: `/tokens/${token}`, act: click('button', 'Deactivate'), inSight: true },
  { name: 'token-remove', path: `/tokens/${token}`, act: click('button', 'Remove'), inSight: true },
  { name: 'token-new', path: '/tokens/new' },
  { name: 'token-new-unsupported', path: '/tokens/new', act: async (page) => {
    await page.route('**/api/v1/connectors*', (route) => route.fulfill({ json: [] }));
    await page.reload();
    await page.getByText('No connector offers tokens').waitFor();
  } },
  { name: 'token-edit', path: `/tokens/${token}/edit` },
  { name: 'token-profiles', path: '/token-profiles' },
  { name: 'token-profile', path: `/tokens/${token}/profiles/${tokenProfile}` },
  { name: 'token-profile-new', path: `/token-profiles/new?token=${token}` },
  { name: 'token-profile-edit', path: `/tokens/${token}/profiles/${tokenProfile}/edit` },
  { name: 'key-list', path: '/keys' },
  { name: 'key-list-columns', path: `/keys?columns=${encodeURIComponent(JSON.stringify(EVERY_KEY_COLUMN))}` },
  { name: 'key-list-none', path: '/keys?text=nothing' },
  { name: 'key-list-view', path: '/keys?text=sign', act: click('button', 'Views'), inSight: true },
  { name: 'key-list-failed', path: '/', act: async (page) => {
    await page.route('**/api/v1/keys', (route) => route.fulfill({ status: 503, json: { code: 'UNAVAILABLE', message: 'The database does not respond.' } }));
    await page.goto(`${new URL(page.url()).origin}/keys`);
  } },
  { name: 'key-list-selected', path: '/keys', act: (page) => page.getByRole('checkbox', { name: 'Select all' }).check() },
  { name: 'key-new', path: `/keys/new?tokenProfile=${tokenProfile}` },
  { name: 'key-pair', path: `/keys/${key}` },
  { name: 'key-secret', path: `/keys/${secretKey}` },
  { name: 'key-compromised', path: `/keys/${compromised}` },
  { name: 'key-edit', path: `/keys/${key}/edit` },
  { name: 'key-signed', path: `/keys/${key}`, act: async (page) => {
    await page.getByRole('textbox', { name: 'Text to sign' }).fill('The quick brown fox');
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByRole('button', { name: 'Copy signature' }).waitFor();
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('Signature valid').waitFor();
  } },
  { name: 'key-decrypted', path: `/keys/${secretKey}`, act: async (page) => {
    await page.getByRole('textbox', { name: 'Text to encrypt' }).fill('The quick brown fox');
    await page.getByRole('button', { name: 'Encrypt', exact: true }).click();
    await page.getByRole('button', { name: 'Copy ciphertext' }).waitFor();
    await page.getByRole('button', { name: 'Decrypt', exact: true }).click();
    await page.getByRole('textbox', { name: 'Plaintext' }).waitFor();
  } },
  { name: 'key-long-named', path: `/keys/${longNamed}` },
  { name: 'key-authority', path: `/authorities/${authority}` },
  { name: 'key-history', path: `/keys/${key}`, act: click('button', 'History of the private key'), inSight: true },
  { name: 'key-usages', path: `/keys/${key}`, act: click('button', 'Change usages of the private key'), inSight: true },
  { name: 'key-compromise', path: `/keys/${key}`, act: click('button', 'Mark as compromised'), inSight: true },
  { name: 'key-destroy', path: `/keys/${key}`, act: click('button', 'Destroy'), inSight: true },
]; // prettier-ignore

const approvals = ({ approvals: { approval, approvalProfile, waiting } }: Samples): readonly Screen[] => [
  { name: 'approvals', path: '/approvals' },
  { name: 'approvals-history', path: '/approvals?tab=history' },
  { name: 'approvals-all', path: '/approvals?tab=all' },
  { name: 'approval', path: `/approvals/${approval}` },
  { name: 'approval-decide', path: `/approvals/${approval}`, act: async (page) => {
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByRole('dialog').waitFor();
  }, inSight: true },
  { name: 'approval-override', path: `/approvals/${approval}`, act: click('button', 'Override and approve'), inSight: true },
  { name: 'approval-certificate', path: `/certificates/${waiting}` },
  { name: 'approval-profiles', path: '/approval-profiles' },
  { name: 'approval-profile', path: `/approval-profiles/${approvalProfile}` },
  { name: 'approval-profile-edit', path: `/approval-profiles/${approvalProfile}/edit` },
  { name: 'approval-profile-new', path: '/approval-profiles/new' },
  { name: 'approval-profile-remove', path: `/approval-profiles/${approvalProfile}`, act: click('button', 'Remove'), inSight: true },
]; // prettier-ignore

const settings = ({ identityProvider }: Samples): readonly Screen[] => [
  { name: 'audit', path: '/audit' },
  { name: 'audit-record', path: '/audit', act: async (page) => {
    await page.getByRole('row').nth(1).getByRole('button').click();
    await page.getByRole('dialog').waitFor();
  }, inSight: true },
  { name: 'audit-check', path: '/audit', act: (page) => page.getByRole('button', { name: 'Verify', exact: true }).click(), inSight: true },
  { name: 'audit-empty', path: '/audit?actor=nobody' },
  { name: 'audit-purge', path: '/audit', act: click('button', 'Purge'), inSight: true },
  { name: 'settings', path: '/settings' },
  { name: 'settings-validation', path: '/settings', act: click('button', 'Change certificate validation'), inSight: true },
  { name: 'settings-expiry', path: '/settings', act: click('button', 'Change expiry notification thresholds'), inSight: true },
  { name: 'settings-retention', path: '/settings', act: click('button', 'Change the retention periods'), inSight: true },
  { name: 'settings-logging', path: '/settings', act: click('button', 'Change the audit log settings'), inSight: true },
  { name: 'settings-reads', path: '/settings', act: click('button', 'Change which reads are recorded'), inSight: true },
  { name: 'identity-provider', path: `/settings/identity-providers/${identityProvider}` },
  { name: 'identity-provider-test', path: `/settings/identity-providers/${identityProvider}`, act: async (page) => {
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText(/checks (failed|passed)/).waitFor();
  }, inSight: true },
  { name: 'identity-provider-users', path: `/settings/identity-providers/${identityProvider}`, act: async (page) => {
    await page.getByRole('button', { name: 'Change how users and roles are created' }).click();
    await page.getByRole('radio', { name: /at every sign-in/ }).check();
  }, inSight: true },
  { name: 'identity-provider-edit', path: `/settings/identity-providers/${identityProvider}/edit` },
  { name: 'identity-provider-remove', path: `/settings/identity-providers/${identityProvider}`, act: click('button', 'Remove'), inSight: true },
  { name: 'identity-provider-new', path: '/settings/identity-providers/new' },
]; // prettier-ignore

const attributes = (samples: Samples): readonly Screen[] => [
  { name: 'attributes', path: '/custom-attributes' },
  { name: 'attribute', path: `/custom-attributes/${samples.customAttribute}` },
  { name: 'attribute-edit', path: `/custom-attributes/${samples.customAttribute}/edit`, inSight: true },
  { name: 'attribute-new', path: '/custom-attributes/new' },
  { name: 'attribute-credential-new', path: '/custom-attributes/new', act: async (page) => {
    await page.getByRole('combobox', { name: 'Content type' }).click();
    await page.getByRole('option', { name: 'Credential' }).click();
  } },
  { name: 'attribute-remove', path: `/custom-attributes/${samples.customAttribute}`, act: click('button', 'Remove'), inSight: true },
  { name: 'attribute-values-form', path: `/ra-profiles/${samples.raProfile}/edit` },
  { name: 'attribute-code', path: `/ra-profiles/${samples.raProfile}`, act: click('button', 'Edit Alerts'), inSight: true },
  { name: 'attribute-values-refused', path: `/ra-profiles/new?authority=${samples.authority}`, act: async (page) => {
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('refused');
    await page.getByRole('textbox', { name: 'Cost center' }).fill('many');
    await page.getByRole('button', { name: 'Add a value of Tickets' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
  } },
  { name: 'attribute-value', path: `/ra-profiles/${samples.raProfile}`, act: click('button', 'Edit Tickets'), inSight: true },
  { name: 'metadata', path: '/global-metadata' },
  { name: 'metadata-new', path: '/global-metadata/new' },
  { name: 'metadata-take', path: '/global-metadata', act: click('button', 'Promote from connector'), inSight: true },
]; // prettier-ignore

const oids = ({ oids: { oid, withOids } }: Samples): readonly Screen[] => [
  { name: 'oids', path: '/oids' },
  { name: 'glossary', path: '/glossary' },
  { name: 'oid', path: `/oids/${oid}` },
  { name: 'oid-new', path: '/oids/new' },
  { name: 'oid-edit', path: `/oids/${oid}/edit`, act: (page) => page.getByRole('textbox', { name: 'Code' }).fill('KOSTENSTELLE') },
  { name: 'oid-refused', path: '/oids/new', act: async (page) => {
    await page.getByRole('textbox', { name: 'Identifier' }).fill('2.5.4.3');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Team');
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill('KST');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').waitFor();
  } },
  { name: 'oid-remove', path: `/oids/${oid}`, act: click('button', 'Remove'), inSight: true },
  { name: 'certificate-oids', path: `/certificates/${withOids}` },
]; // prettier-ignore

const editor = (role: string) => `/roles/${role}/permissions`;

const access = ({ people, valid }: Samples): readonly Screen[] => [
  { name: 'users', path: '/users' },
  { name: 'user', path: `/users/${people.user}` },
  { name: 'user-system', path: `/users/${people.systemUser}` },
  { name: 'user-new', path: '/users/new' },
  { name: 'user-edit', path: `/users/${people.user}/edit` },
  { name: 'user-certificate', path: `/users/${people.user}/edit`, act: async (page) => {
    await page.getByRole('radio', { name: 'Other certificate' }).click();
    await page.getByRole('textbox', { name: 'Certificate' }).fill(valid);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
  } },
  { name: 'user-roles', path: `/users/${people.user}`, act: click('button', 'Change roles'), inSight: true },
  { name: 'user-invite', path: `/users/${people.user}`, act: async (page) => {
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('It is shown only once').waitFor();
  }, inSight: true },
  { name: 'users-none-found', path: '/users?text=nobody' },
  { name: 'user-link', path: `/users/${people.user}`, act: async (page) => {
    await page.getByRole('button', { name: 'Link identity' }).click();
    await page.getByRole('dialog').waitFor();
  }, inSight: true },
  { name: 'user-unlink', path: `/users/${people.user}`, act: click('button', 'Unlink'), inSight: true },
  { name: 'user-file', path: `/users/${people.user}/edit`, act: async (page) => {
    await page.getByRole('radio', { name: 'Other certificate' }).click();
    const buffer = Buffer.alloc(3_000_000);
    await page.getByLabel('Certificate file').setInputFiles({ name: 'backup.tar', mimeType: 'application/x-tar', buffer });
    await page.getByText('backup.tar').evaluate((problem) => problem.scrollIntoView({ block: 'center' }));
  }, inSight: true },
  { name: 'user-remove', path: `/users/${people.user}`, act: click('button', 'Remove'), inSight: true },
  { name: 'roles', path: '/roles' },
  { name: 'role', path: `/roles/${people.role}` },
  { name: 'role-system', path: `/roles/${people.systemRole}` },
  { name: 'role-new', path: '/roles/new', act: (page) => page.getByRole('radio', { name: /^RA profile operator/ }).click() },
  { name: 'role-users', path: `/roles/${people.role}`, act: click('button', 'Change users'), inSight: true },
  { name: 'role-remove', path: `/roles/${people.role}`, act: click('button', 'Remove'), inSight: true },
  { name: 'permissions', path: editor(people.role) },
  { name: 'permissions-objects', path: editor(people.role), act: async (page) => {
    await page.getByRole('searchbox', { name: 'Search resources and actions' }).fill('group');
    await page.getByRole('button', { name: /^Individual objects: .* \(Groups\)/ }).click();
    await page.getByRole('button', { name: 'Update Team 10: not allowed' }).click();
  } },
  { name: 'permissions-all', path: editor(people.role), act: (page) => page.getByRole('switch', { name: 'All resources' }).check({ force: true }), inSight: true },
  { name: 'groups', path: '/groups' },
  { name: 'group', path: `/groups/${people.group}` },
  { name: 'group-remove', path: `/groups/${people.group}`, act: click('button', 'Remove'), inSight: true },
  { name: 'group-new', path: '/groups/new' },
  { name: 'profile', path: '/profile' },
  { name: 'profile-token', path: '/profile', act: async (page) => {
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('sample');
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    await page.getByText('It is shown only once').waitFor();
  }, inSight: true },
  { name: 'profile-edit', path: '/profile', act: click('button', 'Edit your details'), inSight: true },
]; // prettier-ignore
