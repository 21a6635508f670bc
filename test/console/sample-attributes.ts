// Custom attributes with every content type and realistic labels and values: short, long, in other scripts, and with a
// hundred choices.
import type { Client } from '@signetry/client';
import type { CustomAttributeCreateRequestDto } from '@signetry/contract';

type AttributeSpec = Pick<CustomAttributeCreateRequestDto, 'name' | 'label' | 'contentType'> &
  Partial<CustomAttributeCreateRequestDto>;

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const CODE = '# Notification targets\nhosts:\n  - name: "größe.example"\n    port: 8443\n    retry: true\n';
const LONG = 'Name of the department that is responsible for it, as written in the directory of the whole company';
const UNBROKEN =
  'payments-gateway-eu-central-1-blue-green-canary-platform-internal-example-without-any-place-to-break-it';

const definitions: readonly AttributeSpec[] = [
  { name: 'costCenter', label: 'Cost center', contentType: 'integer', required: true, content: [{ data: 4711 }] },
  { name: 'department', label: LONG, contentType: 'string', description: LONG },
  { name: 'responsible', label: 'المسؤول عن الشهادة', contentType: 'string', group: 'اتصال' },
  { name: UNBROKEN, label: UNBROKEN, contentType: 'text', group: UNBROKEN },
  { name: 'site', label: 'Site', contentType: 'string', list: true, content: Array.from({ length: 100 }, (_, at) => ({ data: `Site ${at + 1} of the company` })) },
  { name: 'uses', label: 'Uses', contentType: 'string', list: true, multiSelect: true, content: ['Web', 'Mail', UNBROKEN].map((data) => ({ data })) },
  { name: 'tickets', label: 'Tickets', contentType: 'string', list: true, multiSelect: true },
  { name: 'weight', label: 'Weight', contentType: 'float' },
  { name: 'audited', label: 'Audited', contentType: 'boolean' },
  { name: 'reviewed', label: 'Reviewed on', contentType: 'date' },
  { name: 'window', label: 'Maintenance window', contentType: 'time' },
  { name: 'approved', label: 'Approved at', contentType: 'datetime' },
  { name: 'pin', label: 'PIN', contentType: 'secret' },
  { name: 'contract', label: 'Contract', contentType: 'file' },
  { name: 'alerts', label: 'Alerts', contentType: 'codeblock' },
  { name: 'asset', label: 'Asset', contentType: 'object' },
  { name: 'law', label: 'Law', contentType: 'string', readOnly: true, content: [{ data: 'eIDAS' }] },
]; // prettier-ignore

const values: Readonly<Record<string, readonly unknown[]>> = {
  costCenter: [4711],
  department: ['Operations'],
  responsible: ['مدير الشبكة في المكتب الرئيسي'],
  [UNBROKEN]: [`${UNBROKEN}\n${UNBROKEN}`],
  site: ['Site 77 of the company'],
  uses: ['Web', UNBROKEN],
  tickets: ['T-1', 'T-2', 'תקלה 3'],
  audited: [true],
  approved: ['2026-03-01T10:20:30.000Z'],
  pin: [{ secret: '1234' }],
  contract: [{ content: base64(UNBROKEN), fileName: `${UNBROKEN}.pdf`, mimeType: 'application/pdf' }],
  alerts: [{ language: 'yaml', code: base64(CODE) }],
  asset: [{ rack: 12, room: 'B-204' }],
};

/** For RA profiles; one profile has values for most of them. */
export async function createSampleAttributes(client: Client, raProfileUuid: string): Promise<string> {
  let shown = '';
  for (const definition of definitions) {
    const { uuid } = await client.customAttributes.createCustomAttribute({
      body: { resources: ['raProfiles'], ...definition },
    });
    if (definition.name === 'site') shown = uuid;
    const content = values[definition.name];
    if (!content) continue;
    await client.customAttributes.updateAttributeContentForResource({
      params: { resourceName: 'raProfiles', objectUuid: raProfileUuid, attributeUuid: uuid },
      body: content.map((data) => ({ data })),
    });
  }
  await client.customAttributes.createCustomAttribute({
    body: { name: 'contact', label: 'Contact', contentType: 'string', resources: ['certificates'], description: 'Notified before the certificate expires.' },
  }); // prettier-ignore
  await client.globalMetadata.createGlobalMetadata({
    body: {
      name: 'location',
      label: 'Location',
      contentType: 'string',
      description: 'Where the certificate was discovered.',
    },
  });
  return shown;
}
