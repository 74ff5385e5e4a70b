import { linkOfRef, mended, readLink } from './codec.ts'
import { resolve } from './match.ts'

/** What a pasted text leads to: a screen or a whole layout here, a reason why it can't be opened, or null for text that is no link. */
export type Pasted =
  | { open: string; title: string; whole: boolean; refused?: undefined }
  | { refused: string; text: string; open?: undefined }

/**
 * Reads what somebody pastes to open it: a link of this site (also with words around it, in brackets, or as a chat program left it), a path of at
 * least two parts. A link to another site is refused with its reason, as is one of this site that no screen has.
 */
export function readPasted(text: string, origin: string): Pasted | null {
  const typed = text.trim()
  const url = /https?:\/\/[^\s<>"]+/i.exec(typed)?.[0]
  if (!url) {
    // `/clients` is a screen that is looked for; a path that was copied has more to it.
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
  const { refs, doing } = readLink(own)
  const whole = refs.length > 1 || doing !== null || found.id === 'snapshot'
  return { open: whole ? own : linkOfRef(own), title: found.row.title, whole }
}
