/* Terms of imports, without the calls. */

/** Delimiters of a CSV file. */
export const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

/** Encodings of a CSV file. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** The sentence about columns whose commas are decimal signs, after another one; empty without any. */
export const commaNote = (columns: readonly string[]): string =>
  columns.length ? ` Commas in ${columns.map((name) => `“${name}”`).join(' and ')} are read as decimal signs.` : ''

/** Formats of a file that is written. */
export const FILE_FORMATS = [
  { value: 'csv', label: 'CSV' },
  { value: 'xlsx', label: 'Excel' },
] as const
export type FileFormat = (typeof FILE_FORMATS)[number]['value']

/** Lines that are named before the rest is counted. */
const NAMED = 5
/** The sentence about lines in another encoding than their file's, after another one; empty without any. */
export function encodingNote({ lines, first }: { lines: number; first: readonly number[] }): string {
  if (!lines) return ''
  const named = first.slice(0, NAMED).join(', ')
  const others = lines > NAMED ? ` and ${lines - NAMED} more` : ''
  const subject = lines === 1 ? `Line ${named} isn’t` : `Lines ${named}${others} aren’t`
  return ` ${subject} UTF-8 and ${lines === 1 ? 'is' : 'are'} read as Windows-1252.`
}

/** The sentence about columns that aren't taken, after another one; empty without any. */
export function ignoredNote(columns: readonly string[]): string {
  const named = columns.slice(0, NAMED).map((name) => `“${name}”`)
  const others = columns.length > NAMED ? ` and ${columns.length - NAMED} more` : ''
  return columns.length ? ` Ignored columns: ${named.join(', ')}${others}.` : ''
}

/** The asset type of a reward file. */
export const REWARD_LIST = 'Reward List'

/** checked: its columns can still be changed, and nothing is written yet. */
export const IMPORT_STATUSES = ['checked', 'running', 'done', 'undone', 'failed'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]
/** Why a line needs a look: it was refused, it repeats another one, or its position is approximate. */
export const IMPORT_ROW_KINDS = ['error', 'repeat', 'approximate'] as const
export type ImportRowKind = (typeof IMPORT_ROW_KINDS)[number]

/** The most rows of a location file (decisions.md 9 gives the bytes). */
export const MOST_LOCATIONS = 50_000

/** The most venues of a new service. */
export const MOST_VENUES = 50_000
