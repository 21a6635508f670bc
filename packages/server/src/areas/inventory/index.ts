// The certificate inventory: lists, searches and displays certificates, changes their assignments individually or in
// bulk, and imports certificates issued elsewhere. Owns: certificate_text, certificate_block, certificate_block_delta,
// certificate_change, certificate_change_item. Invariants: a list contains only what its caller can see, and its total
// matches; a bulk change resumes after a crash and processes each object once; importing existing certificates changes
// nothing.
//
// certificate/          one certificate: detail.ts, update.ts, upload.ts, import.ts, download.ts, relations.ts
// search/               list.ts, search.ts, export.ts; search-fields.ts defines the fields, find-page.ts reads a page
// bulk/                 bulk changes: change-many.ts runs them with update-set.ts, archive-set.ts and delete-set.ts
// importing/            bulk imports, discovered certificates, and CA and user certificates for other areas
// compliance/           objects checked by the compliance area
// held-certificates.ts  functions for locations that hold certificates
// inventory.ts          assembles the area; routes.ts has the operations
export { createInventoryArea, type InventoryArea } from './area.ts';
export type { CertificateChains } from './certificate/chains.ts';
export type { CheckedCertificate, CheckedCertificates } from './compliance/checked-certificates.ts';
export type { HeldCertificate, HeldCertificates, ImportResult } from './held-certificates.ts';
export type { DiscoveredCertificates, ReadDiscovered, ImportedCertificate } from './importing/import-discovered.ts';
