import { domainToUnicode } from 'node:url'
import { invalid } from '../../core/errors.ts'

/** TABLE  the alphabets of email addresses: each one's letters. Chinese, Japanese and Korean are written together. */
const ALPHABETS: readonly (readonly [name: string, letters: RegExp])[] = [
  ['Latin', /\p{Script=Latin}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Georgian', /\p{Script=Georgian}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Devanagari', /\p{Script=Devanagari}/u],
  ['Bengali', /\p{Script=Bengali}/u],
  ['Gurmukhi', /\p{Script=Gurmukhi}/u],
  ['Gujarati', /\p{Script=Gujarati}/u],
  ['Tamil', /\p{Script=Tamil}/u],
  ['Telugu', /\p{Script=Telugu}/u],
  ['Kannada', /\p{Script=Kannada}/u],
  ['Malayalam', /\p{Script=Malayalam}/u],
  ['Sinhala', /\p{Script=Sinhala}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Lao', /\p{Script=Lao}/u],
  ['Khmer', /\p{Script=Khmer}/u],
  ['Myanmar', /\p{Script=Myanmar}/u],
  ['Ethiopic', /\p{Script=Ethiopic}/u],
  ['East Asian', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u],
]

/** TABLE  letters that look like Latin ones, by alphabet: a word of them alone can't be told from a Latin word. */
const LIKE_LATIN: Readonly<Record<string, string>> = {
  Greek: 'αβγεηικνοϲρτυχωϳ',
  Cyrillic: 'абвгеѕіјкһӏмноԛрсԁԝтухѵьѡ',
  Armenian: 'աոսօցզհյլքւռվ',
  Hebrew: 'וןסיםט',
  Arabic: 'اهو٥',
}

/** Letters that only signs of their own tell from a–z, like é, and the few others that nobody takes for one. */
const OWN_LATIN = /[a-zßæœøðþłđħŋə]/

/** An alphabet that isn't in the table. */
const UNKNOWN = ''
const alphabetOf = (sign: string): string => ALPHABETS.find(([, letters]) => letters.test(sign))?.[0] ?? UNKNOWN
const HIDDEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** What an unusual sign is, to be found in the typed text: “а” (U+0430). */
const named = (sign: string): string => {
  const code = `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
  return HIDDEN.test(sign) || /\p{M}/u.test(sign) ? code : `“${sign}” (${code})`
}

/** What is wrong with one sign of an address; null if nothing is. */
function signFault(sign: string): string | null {
  if (sign > ' ' && sign < '\u007f') return null
  if (HIDDEN.test(sign)) return `This email contains an invisible character, ${named(sign)}. Type it again without.`
  if (sign.normalize('NFKC') !== sign)
    return `This email contains ${named(sign)}, which looks like “${sign.normalize('NFKC')}”. Use the usual characters.`
  if (!/[\p{L}\p{M}]/u.test(sign)) return `This email contains ${named(sign)}. Use letters, digits and the signs of a keyboard.`
  if (/\p{L}/u.test(sign) && alphabetOf(sign) === UNKNOWN)
    return `This email contains ${named(sign)}, of an alphabet that emails here can’t have.`
  if (alphabetOf(sign) === 'Latin' && !OWN_LATIN.test(sign.normalize('NFD')[0]!.toLowerCase()))
    return `This email contains ${named(sign)}, which looks like another letter. Use the usual letters.`
  return null
}

/** The letters of a part of an address by alphabet; marks belong to the letter before them. */
function alphabetsIn(part: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const sign of part)
    if (/\p{L}/u.test(sign)) found.set(alphabetOf(sign), `${found.get(alphabetOf(sign)) ?? ''}${sign.toLowerCase()}`)
  return found
}

/** Throws a 422 for an address that could be taken for another one; for every new address of an account. */
export function refuseLookAlike(email: string): void {
  const fault = lookAlikeFault(email)
  if (fault) throw invalid('email', fault)
}

/**
 * Why an address could be taken for another one, or null: invisible, full-width or foreign signs, and mixed alphabets.
 * The part before the @ and each part of the domain have one alphabet; accounts can't be made with any other address.
 */
export function lookAlikeFault(email: string): string | null {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  // Many mail programs show an encoded domain as its letters.
  const decoded = domain.includes('xn--') ? domainToUnicode(domain) : domain
  const broken = decoded.split('.').find((part) => part.startsWith('xn--'))
  if (broken) return `This email contains “${broken}”, which encodes no letters. Check its domain.`
  return faultOf(email.slice(0, at), domain) ?? (decoded === domain ? null : faultOf('', decoded))
}

function faultOf(local: string, domain: string): string | null {
  const email = `${local}@${domain}`
  for (const sign of email) {
    const fault = signFault(sign)
    if (fault) return fault
  }
  const parts = [local, ...domain.split('.')].map(alphabetsIn)
  for (const letters of parts) {
    const [usual, ...others] = [...letters].sort(([, one], [, other]) => other.length - one.length)
    const stranger = others[0]
    if (!usual || !stranger) continue
    return `This email mixes alphabets: ${named(stranger[1][0]!)} is ${stranger[0]}, the letters beside it are ${usual[0]}. Use one alphabet.`
  }
  // An address that is Cyrillic throughout shows it somewhere; “сора@acme.com” doesn't.
  for (const letters of parts)
    for (const [alphabet, text] of letters) {
      const like = LIKE_LATIN[alphabet]
      const isPlain = like && [...text].every((sign) => like.includes(sign))
      const shows = parts.some((one) => [...(one.get(alphabet) ?? '')].some((sign) => !like?.includes(sign)))
      if (isPlain && !shows)
        return `This email contains the ${alphabet} letters “${text}”, which look like Latin ones. Type them as Latin letters.`
    }
  // A mark that makes no letter of its own is hardly seen: a with a line below it, 1 or a dot with one.
  const loose = /(\p{Script=Latin}|[^\p{L}\p{M}])(\p{M})/u.exec(email)
  return loose ? `This email contains ${named(loose[2]!)} above or below “${loose[1]}”. Use the usual letters.` : null
}
