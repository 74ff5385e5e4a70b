import { losesDigits, SEND_AS_TEXT } from './exactNumber.ts'
import { hasUnseen } from './fold.ts'

/** How a sender's id is read. */
interface IdRule {
  most: number
  /** It becomes part of an address. */
  inAddress?: true
}

/**
 * Reads a sender's own id; empty if nothing was sent.
 * Composed and decomposed spellings are one id. Nothing else is changed: what two ids could lose is refused.
 */
export function readExternalId(value: unknown, { most, inAddress }: IdRule): { id: string } | { fault: string } {
  if (value === undefined || value === null) return { id: '' }
  if (typeof value !== 'string' && typeof value !== 'number') return { fault: 'must be a text' }
  if (losesDigits(value)) return { fault: SEND_AS_TEXT }
  if (typeof value === 'number' && !Number.isInteger(value)) return { fault: 'must be a whole number, or a text' }
  const text = String(value).trim()
  if (!text.isWellFormed()) return { fault: 'holds half of a character: send UTF-8' }
  const id = text.normalize()
  if (id.length > most) return { fault: `must not be longer than ${most} characters` }
  if (id.includes('\0')) return { fault: 'must not contain a null character' }
  if (/\p{Cc}/u.test(id)) return { fault: 'must not contain control characters' }
  if (hasUnseen(id)) return { fault: 'must not contain characters that can’t be seen' }
  if (inAddress && /^\.{1,2}$/.test(id)) return { fault: 'must not be . or .., which every address drops' }
  if (inAddress && id.includes('/')) return { fault: 'must not contain a slash, which an address can’t hold' }
  return { id }
}

/** The spellings of an id that earlier releases may have stored: as it is, composed and decomposed. */
export const spellingsOfId = (id: string): string[] => [...new Set([id.normalize(), id, id.normalize('NFD')])]
