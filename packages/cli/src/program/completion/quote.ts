// Text inside single quotes, which shells do not interpret.

/** For bash and zsh. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** For fish, where a backslash escapes within single quotes too. */
export const fishQuoted = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
