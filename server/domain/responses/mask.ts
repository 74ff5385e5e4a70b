import { replaceEmails } from '../../core/emails.ts'

/** Replaces an address or a number that client users may not see. */
const HIDDEN = '•••'
/** At least seven digits with the usual separators; years and prices have fewer. */
const PHONE = /(?<![\p{L}\p{N}])\+?\(?\p{Nd}(?:[\s().\-/\u2010-\u2015]{0,3}\p{Nd}){6,14}(?![\p{L}\p{N}])/gu

/** Hides emails and phone numbers in a participant's text (screens-projects.md, User Responses). */
export const masked = (text: string): string => replaceEmails(text, HIDDEN, { disguised: true }).replace(PHONE, HIDDEN)
