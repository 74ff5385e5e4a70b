import { faultsOf, pick } from '../../../contract/fieldKinds.ts'
import { nameKey } from '../../../contract/foldText.ts'
import { partnerFields } from '../../../contract/partnerFields.ts'
import { angled } from '../../../contract/textEnds.ts'

/** A pasted partner with its validation errors. */
export interface PastedPartner {
  name: string
  email: string
  fault: string | null
}

const pastedFields = pick(partnerFields, 'name', 'email')
/** The maximum added at once. */
const MOST = 100

const emailIn = (cells: readonly string[]) => cells.find((cell) => cell.includes('@')) ?? cells[1] ?? ''

/** Splits a line at tabs, semicolons or commas; also understands `Name <address>`. */
function cellsOf(line: string): string[] {
  const named = angled(line.trim())
  const cells = named?.within.includes('@')
    ? [named.before, named.within]
    : line.split(line.includes('\t') ? '\t' : line.includes(';') ? ';' : ',')
  return cells.map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  )
}

/** Parses pasted lines of name and email; null for a single line, which is pasted as plain text. */
export function readPastedPartners(text: string): PastedPartner[] | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim())
  if (lines.length < 2) return null
  const seen = new Set<string>()
  return lines.slice(0, MOST).map((line) => {
    const cells = cellsOf(line)
    const email = emailIn(cells).replace(/^mailto:/i, '')
    const name = cells.find((cell) => cell && cell !== email) ?? ''
    const key = nameKey(name)
    const again = seen.has(key)
    seen.add(key)
    const [wrong] = Object.values(faultsOf(pastedFields, { name, email }))
    return { name, email, fault: wrong ?? (again ? 'Same name as a line above' : null) }
  })
}
