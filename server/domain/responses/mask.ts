/** What stands for an address or a number that client users don't see. */
const HIDDEN = '•••'
const EMAIL = /[\p{L}\p{N}._%+'-]+\s?(?:@|\(at\)|\[at\])\s?[\p{L}\p{N}-]+(?:\s?(?:\.|\(dot\)|\[dot\])\s?[\p{L}\p{N}-]+)+/giu
/** Seven digits and more with the signs that people put between them; a year or a price has fewer. */
const PHONE = /(?<![\p{L}\p{N}])\+?\(?\p{Nd}(?:[\s().\-/\u2010-\u2015]{0,3}\p{Nd}){6,14}(?![\p{L}\p{N}])/gu

/** Hides emails and phone numbers in a text that participants wrote (screens-projects.md, User Responses). */
export const masked = (text: string): string => text.replace(EMAIL, HIDDEN).replace(PHONE, HIDDEN)
