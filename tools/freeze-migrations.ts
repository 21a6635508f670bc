// `npm run freeze:migrations`: records the checksums of all migrations at a release.
import { freezeMigrations } from './released-migrations.ts';

console.log(`${freezeMigrations()} migrations are frozen.`);
