// Exports the certificates that a search finds as a CSV file. The matches are determined first; their rows are read in
// chunks while the file is sent. The file is comma-separated per RFC 4180 and encoded in UTF-8 with a byte order mark,
// without which spreadsheets assume a different encoding.
import { Readable } from 'node:stream';
import {
  MAX_EXPORTED_CERTIFICATES,
  MAX_EXPORTED_VALUE_LENGTH,
  type CertificateSelection,
  type GroupDto,
  type ShownAttributeValues,
} from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { csvField, csvLineOf } from '../../../kernel/csv.ts';
import { rejected } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { CertificateFields } from './search-fields.ts';
import { groupsOf } from '../certificate/present-with-groups.ts';
import { describeFilters, shownState } from '../../certificates/index.ts';
import { lookUpText, readSelection, searchRunner } from './search.ts';
import { findExported, type ExportedRow } from '../certificate/store.ts';
import { readShownAttributes, shownValuesOf, type ShownAttributes } from './shown-attributes.ts';
import { findKeys } from './store-order.ts';

const ROWS_PER_PIECE = 1_000;
const BYTE_ORDER_MARK = '\u{feff}';

export interface CertificateExport {
  readonly fileName: string;
  readonly file: Readable;
}

export interface ExporterOptions {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly fields: CertificateFields;
  readonly maxRows?: number;
}

export function createCertificateExporter(options: ExporterOptions) {
  const { platform, audit, maxRows = MAX_EXPORTED_CERTIFICATES } = options;
  const { database, clock } = platform;

  /** Returns the rows for a chunk of certificates, in search order. */
  async function readPiece(uuids: readonly string[], shown: ShownAttributes): Promise<string> {
    const { executor } = database;
    const rows = new Map((await findExported(executor, uuids)).map((row) => [row.uuid, row]));
    const groups = await groupsOf(executor, uuids);
    const values = await shownValuesOf(executor, uuids, shown);
    return uuids
      .flatMap((uuid) => rows.get(uuid) ?? [])
      .map((row) => {
        const own = { row, groups: groups.get(row.uuid) ?? [] };
        return csvLine([...Object.values(columns).map((text) => text(own)), ...texts(shown, values.get(row.uuid))]);
      })
      .join('');
  }

  async function* lines(uuids: readonly string[], shown: ShownAttributes) {
    const names = [...Object.keys(columns), ...shown.query.attributes.map(({ name }) => name)];
    yield Buffer.from(BYTE_ORDER_MARK + csvLine(names));
    for (let start = 0; start < uuids.length; start += ROWS_PER_PIECE)
      yield Buffer.from(await readPiece(uuids.slice(start, start + ROWS_PER_PIECE), shown));
  }

  return async function exportCertificates(
    request: CertificateSelection,
    context: RequestContext,
  ): Promise<CertificateExport> {
    const now = clock.now();
    const selection = readSelection(request, { fields: options.fields(context), now, context });
    const shown = readShownAttributes(request.attributes, { context, length: MAX_EXPORTED_VALUE_LENGTH });
    const uuids = await searchRunner(
      platform,
      selection,
    )(async (executor) => findKeys(executor, await lookUpText(executor, selection), { offset: 0, limit: maxRows + 1 }));
    if (uuids.length > maxRows)
      throw rejected(
        `More than ${maxRows} certificates match, which is the limit for one file. Narrow the search with filters or text.`,
      );
    const fileName = `certificates_${now.toISOString().slice(0, 19).replaceAll(':', '-')}.csv`;
    await audit.append(database.executor, context, {
      data: { ...describe(request), certificates: uuids.length, file: fileName },
    });
    return { fileName, file: Readable.from(lines(uuids, shown), { objectMode: false }) };
  };
}

const describe = ({ filters = [], ...others }: CertificateSelection): object => ({
  ...others,
  ...describeFilters(filters),
});

interface Exported {
  readonly row: ExportedRow;
  readonly groups: readonly GroupDto[];
}

const instant = (time: Date | null): string => time?.toISOString() ?? '';
const list = (values: readonly string[]): string => values.join('; ');

/** Columns by API name, with functions that return their values. */
const columns: Readonly<Record<string, (exported: Exported) => string | null>> = {
  commonName: ({ row }) => row.common_name,
  subjectAlternativeNames: ({ row }) => list(Object.values(row.subject_alternative_names).flat()),
  state: ({ row }) => shownState(row),
  validationStatus: ({ row }) => row.validation_status,
  notBefore: ({ row }) => instant(row.not_before),
  notAfter: ({ row }) => instant(row.not_after),
  serialNumber: ({ row }) => row.serial_number,
  issuerCommonName: ({ row }) => row.issuer_common_name,
  raProfile: ({ row }) => row.profile_name,
  owner: ({ row }) => row.owner_username,
  groups: ({ groups }) => list(groups.map(({ name }) => name)),
  protocol: ({ row }) => row.protocol,
  publicKeyAlgorithm: ({ row }) => row.public_key_algorithm,
  keySize: ({ row }) => String(row.key_size),
  signatureAlgorithm: ({ row }) => row.signature_algorithm,
  subjectDn: ({ row }) => row.subject_dn,
  issuerDn: ({ row }) => row.issuer_dn,
  fingerprint: ({ row }) => row.fingerprint,
  trustedCa: ({ row }) => (row.trusted_ca === null ? null : String(row.trusted_ca)),
  archived: ({ row }) => String(row.archived),
  createdAt: ({ row }) => instant(row.created_at),
  uuid: ({ row }) => row.uuid,
};

/** Returns the values of each requested attribute. */
const texts = ({ asked }: ShownAttributes, values: readonly ShownAttributeValues[] = []): string[] =>
  asked.map(({ fieldSource, fieldIdentifier }) =>
    list(
      values.find((each) => each.fieldSource === fieldSource && each.fieldIdentifier === fieldIdentifier)?.values ?? [],
    ),
  );

const csvLine = (fields: readonly (string | null)[]): string =>
  csvLineOf(fields.map((text) => csvField(text, 'doubled')));
