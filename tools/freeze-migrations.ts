// `npm run freeze:migrations`: at a release, writes down the checksums of all migrations.
import { freezeMigrations } from './released-migrations.ts';

console.log(`${freezeMigrations()} migrations are frozen.`);
