// The inventory of certificates: lists, searches and shows them, changes what people assign to them, one or many at
// once, and takes in those that were issued elsewhere. Owns: certificate_text, certificate_block,
// certificate_block_delta, certificate_change, certificate_change_item. Invariants: a list shows what its caller may
// look at, and its total counts the same; a change of many is resumed after a crash and touches each object once;
// importing what is there changes nothing.
//
// certificate/       one certificate: detail.ts, update.ts, upload.ts, import.ts, download.ts, relations.ts, lineage.ts
// search/            list.ts, search.ts, export.ts; search-fields.ts lists the fields, find-page.ts reads a page
// bulk/              changes of many: change-many.ts runs them, update-set.ts, archive-set.ts and delete-set.ts do them
// importing/         bulk imports, what discoveries find, and CA and user certificates of other areas
// compliance/        what the area of compliance checks
// held-certificates.ts   what places that hold certificates need
// inventory.ts       puts all of it together; routes.ts has the operations
export { createInventoryArea, type InventoryArea } from './area.ts';
export type { CertificateChains } from './certificate/chains.ts';
export type { CheckedCertificate, CheckedCertificates } from './compliance/checked-certificates.ts';
export type { HeldCertificate, HeldCertificates, TakenIn } from './held-certificates.ts';
export type { DiscoveredCertificates, ReadDiscovered, TakenCertificate } from './importing/take-discovered.ts';
