import { BadLine } from './respondent.ts'

/** The rows of an NDJSON text: an object a line, blank lines skipped; a line that is no JSON becomes a BadLine, so that the intake can say which. */
export function parseNdjson(text: string): unknown[] {
  const rows: unknown[] = []
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) if (line.trim()) rows.push(parseLine(line))
  return rows
}

/** One line of NDJSON. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return new BadLine('line is not valid JSON')
  }
}
