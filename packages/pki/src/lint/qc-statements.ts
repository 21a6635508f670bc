// Qualified certificate statements (RFC 3739 §3.2.6, ETSI EN 319 412-5), decoded as far as the rules need them.
import { openElement, parseDer, readChildren, readOid, type DerElement } from '../der/reader.ts';
import { TAG } from '../der/tags.ts';

export interface QcStatement {
  readonly oid: string;
  readonly info: DerElement | undefined;
}

/** Declares an EU qualified certificate (ETSI EN 319 412-5 §4.2.1). */
export const QC_COMPLIANCE = '0.4.0.1862.1.1';

/** Returns the statements of a qcStatements extension; empty if it is absent. Throws `DerError`. */
export function readStatements(value: Uint8Array | undefined): QcStatement[] {
  if (value === undefined) return [];
  const list = parseDer(value);
  openElement(list, TAG.sequence);
  return readChildren(list).map((element) => {
    const cursor = openElement(element, TAG.sequence);
    const oid = readOid(cursor.next());
    const info = cursor.atEnd ? undefined : cursor.next();
    cursor.finish();
    return { oid, info };
  });
}
