import { linkOfRef, mended, readLink } from './codec.ts'
import { resolve } from './match.ts'

/** The target of pasted text: a screen or layout of this site, or why it can't be opened. */
export type Pasted =
  | { open: string; title: string; whole: boolean; refused?: undefined }
  | { refused: string; text: string; open?: undefined }

/**
 * Parses a pasted link to this site, even within text or brackets, or a path of at least two parts.
 * Returns a reason for links to other sites and unknown screens, and null for other text.
 */
export function readPasted(text: string, origin: string): Pasted | null {
  const typed = text.trim()
  const url = /https?:\/\/[^\s<>"]+/i.exec(typed)?.[0]
  if (!url) {
    // `/clients` is a search for a screen; a copied path has more parts.
    return /^\/[^/\s]+[/?]\S/.test(typed) ? here(mended(typed)) : null
  }
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (!parsed) return null
  if (parsed.origin !== origin) return { refused: `it leads to another site, ${parsed.host}`, text: url }
  return here(mended(parsed.pathname + parsed.search)) ?? { refused: 'no screen has this address', text: url }
}

function here(own: string): Pasted | null {
  const found = resolve(own.split('?', 1)[0]!)
  if (!found) return null
  const { refs, command: doing } = readLink(own)
  const whole = refs.length > 1 || doing !== null || found.id === 'snapshot'
  return { open: whole ? own : linkOfRef(own), title: found.row.title, whole }
}
