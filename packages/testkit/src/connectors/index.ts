// Connectors written without the SDK: a plain one, and one with faults that a test chooses.
export { faults, type PlantedFault } from './faulty-authority.ts';
export { startPlainAuthority, type PlainAuthority } from './plain-authority.ts';
export { PLAIN_KIND } from './plain-forms.ts';
