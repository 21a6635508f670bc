// The pages of the console, with what is done on them before a picture is taken.
import type { Page } from 'playwright-core';
import type { Samples } from './sample-data.ts';

export interface Screen {
  readonly name: string;
  readonly path: string;
  /** What is done on the page before its picture is taken. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** The picture of what is in sight, for what lies over a page. */
  readonly inSight?: boolean;
}

/** Every page, in the states that look different. */
export const screens = (samples: Samples): readonly Screen[] => [
  ...overview,
  ...certificates(samples),
  ...issuing(samples),
  ...authorities(samples),
  ...acme(samples),
  ...connectors(samples),
  ...attributes(samples),
  { name: 'not-found', path: '/nowhere' },
];

/** What somebody sees who is not signed in. */
export const strangersScreens: readonly Screen[] = [
  { name: 'sign-in', path: '/' },
  { name: 'login', path: '/login' },
  { name: 'api-docs', path: '/api/docs', inSight: true },
];

const click = (role: 'button' | 'link', name: string) => (page: Page) => page.getByRole(role, { name }).click();
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
/** As the overview is before there is anything. */
const asNew = async (page: Page) => {
  await page.route('**/api/v1/statistics*', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), totalCertificates: 3 } });
  });
  await page.reload({ waitUntil: 'networkidle' });
};

const overview: readonly Screen[] = [
  { name: 'overview', path: '/' },
  { name: 'overview-new', path: '/', act: asNew },
  { name: 'account-menu', path: '/', act: (page) => page.getByRole('button', { name: /account/ }).click(), inSight: true },
  { name: 'menu', path: '/', act: async (page) => {
    const burger = page.getByRole('button', { name: 'Menu', exact: true });
    if (await burger.isVisible()) await burger.click();
  }, inSight: true },
  { name: 'session-ended', path: '/acme/new', act: async (page) => {
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('kept');
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 401, json: { message: 'The session has ended.' } }));
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

/** As links and chips bring them. */
const FILTERS = [
  { fieldSource: 'property', fieldIdentifier: 'NOT_AFTER', condition: 'IN_NEXT', value: 'P700D' },
  { fieldSource: 'property', fieldIdentifier: 'CERTIFICATE_STATE', condition: 'EQUALS', value: ['issued', 'revoked'] },
  { fieldSource: 'property', fieldIdentifier: 'SUCCEEDING_CERTIFICATES', condition: 'EMPTY' },
];

const certificates = (samples: Samples): readonly Screen[] => [
  { name: 'inventory', path: '/certificates' },
  { name: 'inventory-chosen', path: '/certificates', act: async (page) => {
    await page.getByRole('checkbox', { name: /^Select / }).nth(2).click();
  }, inSight: true },
  { name: 'inventory-delete', path: '/certificates', act: async (page) => {
    await page.getByRole('checkbox', { name: /^Select / }).nth(2).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor();
  }, inSight: true },
  { name: 'inventory-empty', path: '/certificates?text=nothing' },
  { name: 'certificate', path: `/certificates/${samples.valid}` },
  { name: 'certificate-revoked', path: `/certificates/${samples.revoked}` },
  { name: 'certificate-expired', path: `/certificates/${samples.expired}` },
  { name: 'certificate-root', path: `/certificates/${samples.root}` },
  { name: 'certificate-many-names', path: `/certificates/${samples.foreign.many}` },
  { name: 'certificate-deceiving', path: `/certificates/${samples.foreign.deceiving}` },
  { name: 'certificate-public-root', path: `/certificates/${samples.foreign.publicRoot}` },
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
    await make(page, 'Issue the certificate');
  } },
  { name: 'issued-pkcs12', path: '/issue', act: async (page) => {
    await name(page, 'packed.example');
    await make(page, 'Issue the certificate');
    await page.getByRole('button', { name: 'Save as PKCS#12' }).click();
    await page.getByRole('button', { name: 'Save the file' }).click();
  }, inSight: true },
  { name: 'issue-options', path: '/issue', act: async (page) => {
    await name(page, 'wished.example');
    await page.getByRole('button', { name: 'Show options' }).click();
    await page.getByRole('textbox', { name: 'Validity in days' }).fill('soon');
    await page.getByRole('button', { name: 'Issue the certificate' }).click();
  } },
  { name: 'rekey', path: `/certificates/${samples.valid}/rekey` },
  { name: 'rekeyed', path: `/certificates/${samples.valid}/rekey`, act: (page) => make(page, 'Rekey the certificate') },
]; // prettier-ignore

const authorities = (samples: Samples): readonly Screen[] => [
  { name: 'authorities', path: '/authorities' },
  { name: 'authority', path: `/authorities/${samples.authority}` },
  { name: 'authority-new', path: '/authorities/new' },
  { name: 'ra-profiles', path: '/ra-profiles' },
  { name: 'ra-profile', path: `/ra-profiles/${samples.raProfile}` },
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
    await page.getByRole('button', { name: 'Remove by force' }).waitFor();
  }, inSight: true },
  { name: 'acme-new', path: '/acme/new' },
]; // prettier-ignore

const connectors = (samples: Samples): readonly Screen[] => [
  { name: 'connectors', path: '/connectors' },
  { name: 'connector', path: `/connectors/${samples.connector}` },
  { name: 'connector-new', path: '/connectors/new' },
  { name: 'credentials', path: '/credentials' },
  { name: 'credential-new', path: '/credentials/new' },
]; // prettier-ignore

const attributes = (samples: Samples): readonly Screen[] => [
  { name: 'attributes', path: '/custom-attributes' },
  { name: 'attribute', path: `/custom-attributes/${samples.customAttribute}` },
  { name: 'attribute-edit', path: `/custom-attributes/${samples.customAttribute}/edit`, inSight: true },
  { name: 'attribute-new', path: '/custom-attributes/new' },
  { name: 'attribute-remove', path: `/custom-attributes/${samples.customAttribute}`, act: click('button', 'Remove'), inSight: true },
  { name: 'attribute-values-form', path: `/ra-profiles/${samples.raProfile}/edit` },
  { name: 'attribute-code', path: `/ra-profiles/${samples.raProfile}`, act: click('button', 'Edit Alerts'), inSight: true },
  { name: 'attribute-values-refused', path: '/ra-profiles/new', act: async (page) => {
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('refused');
    await page.getByRole('textbox', { name: 'Cost centre' }).fill('many');
    await page.getByRole('button', { name: 'Add a value of Tickets' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
  } },
  { name: 'attribute-value', path: `/ra-profiles/${samples.raProfile}`, act: click('button', 'Edit Tickets'), inSight: true },
  { name: 'metadata', path: '/global-metadata' },
  { name: 'metadata-new', path: '/global-metadata/new' },
  { name: 'metadata-take', path: '/global-metadata', act: click('button', 'Take from a connector'), inSight: true },
]; // prettier-ignore
