// Quotes text in single quotes, within which shells do not interpret anything.

/** For bash and zsh. */
export const quotePosix = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** For fish, which also interprets backslashes inside single quotes. */
export const quoteFish = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
